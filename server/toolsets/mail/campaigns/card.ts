// The card of a campaign: who gets it and who does not, two mails as their recipients will read them, and what follows.
import type { CardBlock } from '../../../model/card.ts'
import type { Preview } from '../../../tools/contract.ts'
import { fieldsBlock, momentValue, numberValue, someValue, textValue } from '../../say.ts'
import { shownAddress } from '../addresses/address.ts'
import { isUnder, shownDomain } from '../addresses/domains.ts'
import { missedInWords } from '../send-external/send-time.ts'
import { pacedInWords, spanOf } from '../quota.ts'
import { contentWarnings, deceitsInWords, linksBlock, type CardParts } from '../send-external/card.ts'
import { audienceInWords } from '../segments/condition.ts'
import { fullName } from '../templates/values.ts'
import type { CampaignForecast, SampleMail } from './forecast.ts'
import { wordsIn, type MailWords } from '../words.ts'
import { reasonInWords } from './outcome.ts'
import { contactInWords, recipientColumns } from './recipients.ts'
import type { Tally } from './tally.ts'

/** Domains, and people who get nothing, that the card names. */
const named = 20
/** Characters of a mail that a list of mails shows beside the subject. */
const previewLength = 140

/** The preview of a campaign. */
export function describeCampaign(forecast: CampaignForecast, { settings, redact, language }: CardParts): Preview {
  const words = wordsIn(language)
  const { bulk, labels } = words
  const { template, segment, audience, samples, later, secrets, firsts, estimatedDurationMs, pacedMs } = forecast
  const { mails, recipients, domains } = audience
  const shown = (text: string): string => (secrets.length === 0 ? text : redact(text))
  const outside = [...domains.keys()].filter((domain) => !isUnder(domain, settings.ownDomains))
  const skipped = recipients - mails
  const subject = samples[0]?.subject ?? template.subject
  const about = { template: template.name, number: mails, segment: segment.name }
  return {
    title: bulk.title(mails),
    subtitle: shown(subject),
    summary: later === undefined ? bulk.summary(about) : bulk.summaryLater(about),
    blocks: [
      fieldsBlock({
        [bulk.template]: textValue(template.name),
        [bulk.segment]: textValue(segment.name),
        [words.segment.who]: textValue(audienceInWords(segment.conditions, words)),
        [bulk.inSegment]: numberValue(recipients),
        [bulk.getIt]: numberValue(mails),
        [bulk.skipped]: someValue(skipped),
        [labels.from]: textValue(settings.from),
        [labels.answersTo]: forecast.replyTo === undefined ? undefined : textValue(forecast.replyTo.shown),
        [bulk.begins]: later === undefined ? textValue(words.atOnce) : momentValue(later),
        [bulk.takes]: textValue(words.quota.duration(spanOf(estimatedDurationMs))),
        ...Object.fromEntries(Object.entries(forecast.given).map(([name, value]) => [name, textValue(shown(value))])),
      }),
      peopleBlock(forecast, outside, words),
      {
        kind: 'pages',
        list: 'recipients',
        label: bulk.everybody,
        total: recipients,
        columns: recipientColumns(words),
        ...forecast.firstPage,
        opens: true,
        rest: bulk.rest,
      },
      // Words of others' making: set apart from what the card says itself.
      ...samples.map(({ contact, body, subject: read }) => ({
        kind: 'code' as const,
        label: bulk.reads(contactInWords(contact)),
        language: 'markdown',
        text: shown(`${read}\n\n${body.text}`),
        spans: [],
      })),
      ...sourceBlock(template, shown, words),
      ...linksBlock(forecast.links, shown, words),
      ...skippedBlock(audience, words),
    ],
    effects: [
      later === undefined ? bulk.sentNow(mails) : bulk.sentLater(mails),
      bulk.goTo({ number: mails, domains: domains.size, outside: outside.length }),
      ...(firsts === 0 ? [] : [words.newRecipients(firsts)]),
      ...(skipped === 0 ? [] : [bulk.getNothing(skipped)]),
      pacedMs === 0 ? bulk.countsForQuota(mails) : pacedInWords(settings, pacedMs, words),
      bulk.canBeStopped,
    ],
    warnings: [
      ...missedInWords(forecast, words),
      ...warningsOf(forecast, words),
      ...deceitsInWords(forecast.deceits, shown, words),
    ],
    confirmLabel: later === undefined ? bulk.confirm(mails) : bulk.confirmLater(mails),
    // Nobody sends thousands of mails with a click that was meant for one.
    confirmPhrase: String(mails),
    estimatedDurationMs,
    details: {
      recipientCount: recipients,
      mailCount: mails,
      skippedCount: skipped,
      newRecipients: firsts,
      outsideDomains: outside.length,
      sampleMessages: samples.map((sample) => sampleMessage(sample, shown)),
      ...(later === undefined ? {} : { goesOutAt: later }),
    },
  }
}

/** The template itself, where a part of it may be in other mails than the two: in a branch, or put in by a filter. */
function sourceBlock(
  { subject, body }: CampaignForecast['template'],
  shown: (text: string) => string,
  { bulk }: MailWords,
): readonly CardBlock[] {
  const source = `${subject}\n\n${body}`
  return /\{%|\|/.test(source.replace(/\|\s*url_encode\b/g, ''))
    ? [
        {
          kind: 'code',
          label: bulk.source,
          language: 'markdown',
          text: shown(source),
        },
      ]
    : []
}

const sampleMessage = ({ contact, subject, body }: SampleMail, shown: (text: string) => string) => ({
  to: shownAddress(contact.address),
  subject: shown(subject),
  previewText: cut(shown(body.text.replace(/\s+/g, ' '))),
})

const cut = (text: string): string =>
  text.length <= previewLength ? text : `${text.slice(0, previewLength - 1)}…`.toWellFormed()

function peopleBlock(
  { audience, samples, firsts }: CampaignForecast,
  outside: readonly string[],
  words: MailWords,
): CardBlock {
  const { mails, domains } = audience
  const isOutside = new Set(outside)
  return {
    kind: 'people',
    label: words.bulk.who,
    count: mails,
    sample: samples.map(({ contact, isNew }) => ({
      ...nameAndAddress(fullName(contact), shownAddress(contact.address)),
      isNew,
    })),
    domains: [...domains]
      .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, named)
      .map(([domain, many]) => ({
        name: isOutside.has(domain) ? words.outside(shownDomain(domain)) : shownDomain(domain),
        count: many,
      })),
    newCount: firsts,
  }
}

const nameAndAddress = (name: string | null, address: string) => (name === null ? { name: address } : { name, address })

function skippedBlock({ undeliverable, someUndeliverable, leftOut }: Tally, words: MailWords): readonly CardBlock[] {
  const { bulk } = words
  const all = undeliverable + leftOut.length
  const some = [...leftOut, ...someUndeliverable].slice(0, named)
  if (all === 0) return []
  return [
    {
      kind: 'table',
      label: all > some.length ? bulk.skippedSome(all, some.length) : bulk.skippedAll(all),
      columns: [{ label: bulk.contact }, { label: bulk.why }],
      rows: some.map(({ contact, reason }) => [
        textValue(contactInWords(contact)),
        textValue(reasonInWords(reason, words)),
      ]),
    },
  ]
}

/** Of those who get a mail, whose differs; and who gets none. */
function warningsOf({ template, audience, replaced, secrets, samples }: CampaignForecast, words: MailWords) {
  const { bulk } = words
  const { absent, undeliverable, leftOut, misnamed, firstMisnamed } = audience
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason.english).values()]
  return [
    ...[...absent].map(([variable, many]) => {
      const word = template.fallbacks[variable]
      return { title: word === undefined ? bulk.absent(many, variable) : bulk.absentReplaced(many, variable, word) }
    }),
    ...replaced.map((variable) => ({ title: bulk.notGiven(variable, template.fallbacks[variable] ?? '') })),
    ...(undeliverable === 0 ? [] : [{ title: bulk.undeliverable(undeliverable) }]),
    ...reasons
      .slice(0, 5)
      .flatMap(([first, ...others]) =>
        first === undefined ? [] : [{ title: bulk.leftOut(others.length + 1, reasonInWords(first.reason, words)) }],
      ),
    ...(firstMisnamed === undefined
      ? []
      : [
          {
            title: bulk.misnamed.title(misnamed),
            text: bulk.misnamed.text(firstMisnamed.name ?? '', shownAddress(firstMisnamed.address)),
          },
        ]),
    ...contentWarnings(
      secrets,
      samples.some(({ body }) => body.hasHtml),
      words,
    ),
  ]
}
