// The card of a campaign: who gets it and who does not, two mails as their recipients will read them, and what follows.
import type { CardBlock } from '../../../model/card.ts'
import type { Preview } from '../../../tools/contract.ts'
import { count, fieldsBlock, momentValue, numberValue, someValue, spokenNumber, textValue } from '../../say.ts'
import { shownAddress } from '../addresses/address.ts'
import { isUnder, shownDomain } from '../addresses/domains.ts'
import { missedInWords } from '../send-external/send-time.ts'
import { secretsInWords } from '../policy.ts'
import { pacedInWords, spokenDuration } from '../quota.ts'
import { deceitsInWords, linksBlock, type CardParts } from '../send-external/card.ts'
import { conditionInWords } from '../segments/condition.ts'
import { fullName } from '../templates/values.ts'
import type { CampaignForecast, SampleMail } from './forecast.ts'
import { contactInWords, recipientColumns, spoken } from './recipients.ts'
import type { Tally } from './tally.ts'

/** Domains, and people who get nothing, that the card names. */
const named = 20
/** Characters of a mail that a list of mails shows beside the subject. */
const previewLength = 140

/** The preview of a campaign. */
export function describeCampaign(forecast: CampaignForecast, { settings, redact }: CardParts): Preview {
  const { template, segment, audience, samples, later, secrets, firsts, estimatedDurationMs, pacedMs } = forecast
  const { mails, recipients, domains } = audience
  const shown = (text: string): string => (secrets.length === 0 ? text : redact(text))
  const outside = [...domains.keys()].filter((domain) => !isUnder(domain, settings.ownDomains))
  const skipped = recipients - mails
  const subject = samples[0]?.subject ?? template.subject
  return {
    title: `Email ${count(mails, 'recipient')}`,
    subtitle: shown(subject),
    summary: `Sends the template “${template.name}” to ${count(mails, 'recipient')} of the segment “${segment.name}”${later === undefined ? '' : ' later'}.`,
    blocks: [
      fieldsBlock({
        Template: textValue(template.name),
        Segment: textValue(segment.name),
        'Who is meant': textValue(
          segment.conditions.length === 0 ? 'Every contact' : segment.conditions.map(conditionInWords).join('; and '),
        ),
        'In the segment': numberValue(recipients),
        'Get the mail': numberValue(mails),
        'Are skipped': someValue(skipped),
        From: textValue(settings.from),
        'Answers go to': forecast.replyTo === undefined ? undefined : textValue(forecast.replyTo.shown),
        Begins: later === undefined ? textValue('At once') : momentValue(later),
        'Takes about': textValue(spokenDuration(estimatedDurationMs)),
        ...Object.fromEntries(Object.entries(forecast.given).map(([name, value]) => [name, textValue(shown(value))])),
      }),
      peopleBlock(forecast, outside),
      {
        kind: 'pages',
        list: 'recipients',
        label: 'Everybody in the segment',
        total: recipients,
        columns: recipientColumns,
        ...forecast.firstPage,
        opens: true,
        rest: '`segments_preview` lists them all.',
      },
      // Words of others' making: set apart from what the card says itself.
      ...samples.map(({ contact, body, subject: read }) => ({
        kind: 'code' as const,
        label: `As ${contactInWords(contact)} reads it`,
        language: 'markdown',
        text: shown(`${read}\n\n${body.text}`),
        spans: [],
      })),
      ...sourceBlock(template, shown),
      ...linksBlock(forecast.links, shown),
      ...skippedBlock(audience),
    ],
    effects: [
      later === undefined
        ? `${count(mails, 'external email')} ${mails === 1 ? 'is' : 'are'} sent and cannot be taken back`
        : `${count(mails, 'external email')} ${mails === 1 ? 'is' : 'are'} sent from that time on; until then the campaign can be stopped`,
      `${mails === 1 ? 'It goes' : 'They go'} to ${inDomains(domains.size, outside.length)}`,
      ...(firsts === 0 ? [] : [`${count(firsts, 'recipient')} never got mail from here before`]),
      ...(skipped === 0
        ? []
        : [`${count(skipped, 'contact')} of the segment ${skipped === 1 ? 'gets' : 'get'} nothing`]),
      pacedMs === 0
        ? `${count(mails, 'recipient')} ${mails === 1 ? 'counts' : 'count'} for the quota of this server`
        : pacedInWords(settings, pacedMs),
      'The campaign can be paused and stopped while it runs; what has gone out stays out',
    ],
    warnings: [...missedInWords(forecast), ...warningsOf(forecast), ...deceitsInWords(forecast.deceits, shown)],
    confirmLabel: later === undefined ? `Send ${count(mails, 'email')}` : `Schedule ${count(mails, 'email')}`,
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
): readonly CardBlock[] {
  const source = `${subject}\n\n${body}`
  return /\{%|\|/.test(source.replace(/\|\s*url_encode\b/g, ''))
    ? [
        {
          kind: 'code',
          label: 'The template: some mails have other parts of it',
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

function peopleBlock({ audience, samples, firsts }: CampaignForecast, outside: readonly string[]): CardBlock {
  const { mails, domains } = audience
  const isOutside = new Set(outside)
  return {
    kind: 'people',
    label: 'Who gets it',
    count: mails,
    sample: samples.map(({ contact, isNew }) => ({
      ...nameAndAddress(fullName(contact), shownAddress(contact.address)),
      isNew,
    })),
    domains: [...domains]
      .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, named)
      .map(([domain, many]) => ({
        name: `${shownDomain(domain)}${isOutside.has(domain) ? ' · outside' : ''}`,
        count: many,
      })),
    newCount: firsts,
  }
}

/** "240 domains, all of them outside". */
function inDomains(all: number, outside: number): string {
  if (all === 1) return outside === 1 ? '1 domain, which is outside' : '1 domain'
  return `${count(all, 'domain')}, ${outside === all ? 'all' : outside === 0 ? 'none' : spokenNumber(outside)} of them outside`
}

const nameAndAddress = (name: string | null, address: string) => (name === null ? { name: address } : { name, address })

function skippedBlock({ undeliverable, someUndeliverable, leftOut }: Tally): readonly CardBlock[] {
  const all = undeliverable + leftOut.length
  const some = [...leftOut, ...someUndeliverable].slice(0, named)
  if (all === 0) return []
  return [
    {
      kind: 'table',
      label: `Skipped: ${spokenNumber(all)}${all > some.length ? `, of which these are ${some.length}` : ''}`,
      columns: [{ label: 'Contact' }, { label: 'Why' }],
      rows: some.map(({ contact, reason }) => [textValue(contactInWords(contact)), textValue(reason)]),
    },
  ]
}

/** Of those who get a mail, whose differs; and who gets none. */
function warningsOf({ template, audience, replaced, secrets, samples }: CampaignForecast) {
  const { absent, undeliverable, leftOut, misnamed, firstMisnamed } = audience
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)]
  return [
    ...[...absent].map(([variable, many]) => {
      const word = template.fallbacks[variable]
      const have = `${count(many, 'recipient')} ${many === 1 ? 'has' : 'have'} no ${spoken(variable)}`
      return {
        title: word === undefined ? `${have}; the mail does without it.` : `${have}, fallback '${word}' will be used.`,
      }
    }),
    ...replaced.map((variable) => ({
      title: `The call gives no ${spoken(variable)}, fallback '${template.fallbacks[variable] ?? ''}' will be used in every mail.`,
    })),
    ...(undeliverable === 0
      ? []
      : [
          {
            title: `${undeliverable === 1 ? '1 email address is' : `${spokenNumber(undeliverable)} email addresses are`} marked as undeliverable and will be skipped.`,
          },
        ]),
    ...reasons.slice(0, 5).map(([reason, those]) => ({
      title: `${count(those.length, 'recipient')} will be skipped: ${reason}`,
    })),
    ...(firstMisnamed === undefined
      ? []
      : [
          {
            title: `${count(misnamed, 'recipient')} ${misnamed === 1 ? 'has a name that looks' : 'have names that look'} like another address.`,
            text: `The name “${firstMisnamed.name}” goes to ${shownAddress(firstMisnamed.address)}.`,
          },
        ]),
    ...(secrets.length === 0
      ? []
      : [{ title: `The mail has ${secretsInWords(secrets)}.`, text: 'Whoever gets it can use it.' }]),
    ...(samples.some(({ body }) => body.hasHtml)
      ? [
          {
            title: 'There is HTML in the text.',
            text: 'Recipients see it as it is written; nothing of it runs or loads.',
          },
        ]
      : []),
  ]
}
