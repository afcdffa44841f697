// The card of a mail: who gets it, what they read, where its links lead. It shows what will arrive, not what was written.
import type { CardBlock } from '../../../model/card.ts'
import type { Preview } from '../../../tools/contract.ts'
import { typeName } from '../../files/contents/content-type.ts'
import { typeWarnings } from '../../files/say.ts'
import { wordsIn as fileWordsIn } from '../../files/words.ts'
import type { Drawn } from '../../pictures/picture.ts'
import { noPictureValue, pictureBlocks, pictureWarnings } from '../../pictures/shown.ts'
import { pictureWordsIn } from '../../pictures/words.ts'
import { fileName } from './attachments.ts'
import type { Body } from './body.ts'
import { inWords } from '../views.ts'
import { shownDomain } from '../addresses/domains.ts'
import { missedInWords } from './send-time.ts'
import type { MailSettings } from '../options.ts'
import { secretsInWords, type PlacedSecret } from '../policy.ts'
import { wordsIn, type MailWords } from '../words.ts'
import { fieldsBlock, momentValue, sizeValue, textValue } from '../../say.ts'
import type { ForeseenRecipient, SendForecast } from './forecast.ts'
import type { SendInput } from './input.ts'
import type { Role } from '../schema.ts'

/** Recipients that a card names one by one at its beginning; of more there is a table. */
const named = 50
/** Warnings of addresses and links that are said one by one. */
const said = 10

export interface CardParts {
  readonly settings: MailSettings
  /** Hides secrets: a card that names one does not show it. */
  readonly redact: (text: string) => string
  readonly language: string
}

/** What attachments look like, by their ids. */
type Looks = ReadonlyMap<string, Drawn>

/** The preview of a mail. */
export function describeSend(
  foreseen: SendForecast,
  input: SendInput,
  { settings, redact, looks, language }: CardParts & { readonly looks: Looks },
): Preview {
  const words = wordsIn(language)
  const { send } = words
  const forecast = foreseen.secrets.length === 0 ? foreseen : withoutSecrets(foreseen, redact)
  const { recipients, files, body, draft, later, secrets, deceits } = forecast
  const shown = (text: string): string => (secrets.length === 0 ? text : redact(text))
  const outside = [...new Set(recipients.filter(({ isOutside }) => isOutside).map(({ domain }) => domain))]
  const hidden = recipients.filter(({ role }) => role === 'bcc')
  const firsts = recipients.filter(({ isNew }) => isNew)
  const [only, ...others] = recipients
  const first = words.listed(recipients.slice(0, 5).map(inWords))
  return {
    title: send.title(only === undefined || others.length > 0 ? words.recipients(recipients.length) : inWords(only)),
    subtitle: shown(input.subject),
    summary: send.summary({
      subject: shown(input.subject),
      whom: recipients.length > 5 ? words.andMore(first, recipients.length - 5) : first,
      attachments: files.length,
    }),
    blocks: [
      ...(['to', 'cc', 'bcc'] as const).flatMap((role) => peopleBlock(role, recipients, words)),
      fieldsBlock({
        [words.labels.from]: textValue(settings.from),
        [words.labels.answersTo]: forecast.replyTo === undefined ? undefined : textValue(forecast.replyTo.shown),
        [words.labels.subject]: textValue(shown(input.subject)),
        [send.goesOut]: later === undefined ? textValue(words.atOnce) : momentValue(later),
        [send.project]: input.projectId === undefined ? undefined : textValue(input.projectId),
      }),
      // Words of the agent's making: set apart from what the card says itself.
      { kind: 'code', label: send.text, language: 'markdown', text: shown(body.text), spans: [] },
      ...linksBlock(body.links, shown, words),
      ...filesBlocks(forecast, looks, language),
    ],
    effects: [
      later === undefined ? send.leavesNow(recipients.length) : send.leavesLater(recipients.length),
      ...(outside.length === 0
        ? []
        : [send.leavesFor(outside.length, words.listed(outside.slice(0, 10).map(shownDomain)))]),
      ...(firsts.length === 0 ? [] : [words.newRecipients(firsts.length)]),
      ...(hidden.length === 0 ? [] : [send.hidden(hidden.length)]),
      send.kept,
      ...(draft === undefined
        ? []
        : [
            draft.differs.length === 0
              ? send.draftGoes(draft.id)
              : send.draftDiffers(draft.id, words.listed(draft.differs.map((field) => words.draft.spoken[field]))),
          ]),
    ],
    warnings: [
      ...missedInWords(forecast, words),
      ...deceitsInWords(deceits, shown, words),
      ...files.flatMap((file) =>
        typeWarnings(fileName(file), file.type, fileWordsIn(language)).map(({ title, text }) => ({
          title: words.of(fileName(file), title),
          text,
        })),
      ),
      ...files.flatMap((file) => pictureWarnings(looks.get(file.id), fileName(file), pictureWordsIn(language))),
      ...contentWarnings(secrets, body.hasHtml, words),
    ],
    confirmLabel: later === undefined ? send.confirm : send.confirmLater,
    details: {
      recipientCount: recipients.length,
      newRecipients: firsts.length,
      outsideDomains: outside,
      attachmentBytes: files.reduce((sum, file) => sum + file.bytes, 0),
      links: body.links.map(({ url, host }) => ({ url: shown(url), host })),
      ...(later === undefined ? {} : { goesOutAt: later }),
    },
  }
}

/** With names that a card may show. */
const withoutSecrets = (forecast: SendForecast, redact: (text: string) => string): SendForecast => ({
  ...forecast,
  recipients: forecast.recipients.map((each) => ({ ...each, name: each.name === null ? null : redact(each.name) })),
  replyTo: forecast.replyTo && { ...forecast.replyTo, shown: redact(forecast.replyTo.shown) },
  files: forecast.files.map((file) => ({ ...file, name: redact(file.name) })),
})

function peopleBlock(role: Role, all: readonly ForeseenRecipient[], words: MailWords): readonly CardBlock[] {
  const { send } = words
  const people = all.filter((each) => each.role === role)
  if (people.length === 0) return []
  const domains = new Map<string, { isOutside: boolean; count: number }>()
  for (const { domain, isOutside } of people)
    domains.set(domain, { isOutside, count: (domains.get(domain)?.count ?? 0) + 1 })
  const newCount = people.filter(({ isNew }) => isNew).length
  return [
    {
      kind: 'people',
      label: send.roles[role],
      count: people.length,
      // Whoever is in doubt comes first.
      sample: people
        .toSorted((a, b) => Number(b.isNew) - Number(a.isNew))
        .slice(0, named)
        .map(({ name, shown, isNew, isContact }) => ({
          name: isContact ? (name ?? shown) : send.notContact(name ?? shown),
          ...(name === null ? {} : { address: shown }),
          isNew,
        })),
      domains: [...domains]
        .toSorted(([, a], [, b]) => Number(b.isOutside) - Number(a.isOutside) || b.count - a.count)
        .slice(0, named)
        .map(([domain, each]) => ({
          name: each.isOutside ? words.outside(shownDomain(domain)) : shownDomain(domain),
          count: each.count,
        })),
      newCount,
    },
    ...(people.length > named ? [everybodyBlock(role, people, words)] : []),
  ]
}

/** A mail goes to nobody whom its card does not have; the view pages them. */
const everybodyBlock = (role: Role, people: readonly ForeseenRecipient[], { send, labels }: MailWords): CardBlock => ({
  kind: 'table',
  label: send.all(send.roles[role], people.length),
  columns: [{ label: labels.address }, { label: labels.name }, { label: send.before }],
  rows: people.map(({ shown, name, isNew }) => [
    textValue(shown),
    name === null ? { kind: 'unset' } : textValue(name),
    textValue(isNew ? send.never : send.yes),
  ]),
})

/** Warnings of what stands in a mail. */
export const contentWarnings = (secrets: readonly PlacedSecret[], hasHtml: boolean, words: MailWords) => [
  ...(secrets.length === 0
    ? []
    : [{ title: words.hasSecrets.title(secretsInWords(secrets, words)), text: words.hasSecrets.text }]),
  ...(hasHtml ? [words.hasHtml] : []),
]

/** Warnings of addresses and links that may be taken for others. */
export const deceitsInWords = (
  deceits: readonly string[],
  shown: (text: string) => string,
  words: MailWords,
): readonly { readonly title: string }[] => [
  ...deceits.slice(0, said).map((title) => ({ title: shown(title) })),
  ...(deceits.length > said ? [{ title: words.deceits.more(deceits.length - said) }] : []),
]

/** Where the links of a mail lead. */
export const linksBlock = (
  links: Body['links'],
  shown: (text: string) => string,
  { links: words }: MailWords,
): readonly CardBlock[] =>
  links.length === 0
    ? []
    : [
        {
          kind: 'table',
          label: words.label,
          columns: [{ label: words.text }, { label: words.leadsTo }, { label: words.address }],
          rows: links.map(({ text, host, url }) => [
            textValue(shown(text)),
            textValue(shownDomain(host)),
            { kind: 'code', text: shown(url) },
          ]),
        },
      ]

function filesBlocks({ files }: SendForecast, looks: Looks, language: string): readonly CardBlock[] {
  if (files.length === 0) return []
  const { send, units } = wordsIn(language)
  const pictures = pictureWordsIn(language)
  const unseen = files.flatMap((file) => {
    const value = noPictureValue(looks.get(file.id), pictures)
    return value === undefined ? [] : [{ label: fileName(file), value }]
  })
  return [
    {
      kind: 'table',
      label: send.attachments,
      columns: [{ label: send.name }, { label: send.type }, { label: send.size, align: 'end' }],
      rows: files.map((file) => [
        textValue(fileName(file)),
        textValue(typeName(file.type, fileWordsIn(language))),
        sizeValue(file.bytes, units),
      ]),
      totals: [
        {
          label: send.together,
          value: sizeValue(
            files.reduce((sum, file) => sum + file.bytes, 0),
            units,
          ),
        },
      ],
    },
    ...files.flatMap((file) => pictureBlocks(looks.get(file.id), fileName(file), pictures)),
    ...(unseen.length === 0 ? [] : [{ kind: 'fields' as const, fields: unseen }]),
  ]
}
