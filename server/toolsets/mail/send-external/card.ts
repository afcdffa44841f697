// The card of a mail: who gets it, what they read, where its links lead. It shows what will arrive, not what was written.
import type { CardBlock } from '../../../model/card.ts'
import type { Preview } from '../../../tools/contract.ts'
import { typeName } from '../../files/contents/content-type.ts'
import { typeWarnings } from '../../files/say.ts'
import type { Drawn } from '../../pictures/picture.ts'
import { noPictureValue, pictureBlocks, pictureWarnings } from '../../pictures/shown.ts'
import { fileName } from './attachments.ts'
import type { Body } from './body.ts'
import { inWords } from '../views.ts'
import { shownDomain } from '../addresses/domains.ts'
import { missedInWords } from './send-time.ts'
import type { MailSettings } from '../options.ts'
import { secretsInWords } from '../policy.ts'
import { count, fieldsBlock, listed, momentValue, sizeValue, textValue } from '../../say.ts'
import type { ForeseenRecipient, SendForecast } from './forecast.ts'
import type { SendInput } from './input.ts'
import type { Role } from '../schema.ts'

const labels: Readonly<Record<Role, string>> = {
  to: 'To',
  cc: 'Copy to (cc)',
  bcc: 'Hidden copy to (bcc); the others do not see it',
}

/** Recipients that a card names one by one at its beginning; of more there is a table. */
const named = 50
/** Warnings of addresses and links that are said one by one. */
const said = 10

export interface CardParts {
  readonly settings: MailSettings
  /** Hides secrets: a card that names one does not show it. */
  readonly redact: (text: string) => string
}

/** What attachments look like, by their ids. */
type Looks = ReadonlyMap<string, Drawn>

/** The preview of a mail. */
export function describeSend(
  foreseen: SendForecast,
  input: SendInput,
  { settings, redact, looks }: CardParts & { readonly looks: Looks },
): Preview {
  const forecast = foreseen.secrets.length === 0 ? foreseen : withoutSecrets(foreseen, redact)
  const { recipients, files, body, draft, later, secrets, deceits } = forecast
  const shown = (text: string): string => (secrets.length === 0 ? text : redact(text))
  const outside = [...new Set(recipients.filter(({ isOutside }) => isOutside).map(({ domain }) => domain))]
  const hidden = recipients.filter(({ role }) => role === 'bcc')
  const firsts = recipients.filter(({ isNew }) => isNew)
  const whom =
    recipients.length === 1
      ? inWords(recipients[0] ?? { name: null, address: '' })
      : count(recipients.length, 'recipient')
  return {
    title: `Send a mail to ${whom}`,
    subtitle: shown(input.subject),
    summary: `Sends the mail “${shown(input.subject)}” to ${listed(recipients.slice(0, 5).map(inWords))}${recipients.length > 5 ? ` and ${recipients.length - 5} more` : ''}${files.length === 0 ? '' : `, with ${count(files.length, 'attachment')}`}.`,
    blocks: [
      ...(['to', 'cc', 'bcc'] as const).flatMap((role) => peopleBlock(role, recipients)),
      fieldsBlock({
        From: textValue(settings.from),
        'Answers go to': forecast.replyTo === undefined ? undefined : textValue(forecast.replyTo.shown),
        Subject: textValue(shown(input.subject)),
        'Goes out': later === undefined ? textValue('At once') : momentValue(later),
        Project: input.projectId === undefined ? undefined : textValue(input.projectId),
      }),
      // Words of the agent's making: set apart from what the card says itself.
      { kind: 'code', label: 'The mail, as it is read', language: 'markdown', text: shown(body.text), spans: [] },
      ...linksBlock(body.links, shown),
      ...filesBlocks(forecast, looks),
    ],
    effects: [
      later === undefined
        ? `The mail goes out to ${count(recipients.length, 'recipient')} and cannot be taken back`
        : `The mail goes out to ${count(recipients.length, 'recipient')} at that time; until then it can be cancelled`,
      ...(outside.length === 0
        ? []
        : [
            `It leaves for ${outside.length === 1 ? 'an outside domain' : `${outside.length} outside domains`}: ${listed(outside.slice(0, 10).map(shownDomain))}`,
          ]),
      ...(firsts.length === 0 ? [] : [`${count(firsts.length, 'recipient')} never got mail from here before`]),
      ...(hidden.length === 0
        ? []
        : [
            `${count(hidden.length, 'recipient')} (bcc) ${hidden.length === 1 ? 'gets' : 'get'} it without the others seeing that`,
          ]),
      'It stays in the list of mails',
      ...(draft === undefined
        ? []
        : [
            `The draft ${draft.id} is deleted${draft.differs.length === 0 ? '' : `; this mail differs from it in ${listed(draft.differs)}`}`,
          ]),
    ],
    warnings: [
      ...missedInWords(forecast),
      ...deceitsInWords(deceits, shown),
      ...files.flatMap((file) =>
        typeWarnings(fileName(file), file.type).map(({ title, text }) => ({
          title: `${fileName(file)}: ${title}`,
          text,
        })),
      ),
      ...files.flatMap((file) => pictureWarnings(looks.get(file.id), fileName(file))),
      ...(secrets.length === 0
        ? []
        : [{ title: `The mail has ${secretsInWords(secrets)}.`, text: 'Whoever gets it can use it.' }]),
      ...(body.hasHtml
        ? [
            {
              title: 'There is HTML in the text.',
              text: 'Recipients see it as it is written; nothing of it runs or loads.',
            },
          ]
        : []),
    ],
    confirmLabel: later === undefined ? 'Send mail' : 'Schedule mail',
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

function peopleBlock(role: Role, all: readonly ForeseenRecipient[]): readonly CardBlock[] {
  const people = all.filter((each) => each.role === role)
  if (people.length === 0) return []
  const domains = new Map<string, { isOutside: boolean; count: number }>()
  for (const { domain, isOutside } of people)
    domains.set(domain, { isOutside, count: (domains.get(domain)?.count ?? 0) + 1 })
  const newCount = people.filter(({ isNew }) => isNew).length
  return [
    {
      kind: 'people',
      label: labels[role],
      count: people.length,
      // Whoever is in doubt comes first.
      sample: people
        .toSorted((a, b) => Number(b.isNew) - Number(a.isNew))
        .slice(0, named)
        .map(({ name, shown, isNew, isContact }) => ({
          name: `${name ?? shown}${isContact ? '' : ' · not in your contacts'}`,
          ...(name === null ? {} : { address: shown }),
          isNew,
        })),
      domains: [...domains]
        .toSorted(([, a], [, b]) => Number(b.isOutside) - Number(a.isOutside) || b.count - a.count)
        .slice(0, named)
        .map(([domain, each]) => ({
          name: `${shownDomain(domain)}${each.isOutside ? ' · outside' : ''}`,
          count: each.count,
        })),
      newCount,
    },
    ...(people.length > named ? [everybodyBlock(role, people)] : []),
  ]
}

/** A mail goes to nobody whom its card does not have; the view pages them. */
const everybodyBlock = (role: Role, people: readonly ForeseenRecipient[]): CardBlock => ({
  kind: 'table',
  label: `${labels[role]}: all ${people.length}`,
  columns: [{ label: 'Address' }, { label: 'Name' }, { label: 'Mail before' }],
  rows: people.map(({ shown, name, isNew }) => [
    textValue(shown),
    name === null ? { kind: 'unset' } : textValue(name),
    textValue(isNew ? 'Never' : 'Yes'),
  ]),
})

/** Warnings of addresses and links that may be taken for others. */
export const deceitsInWords = (
  deceits: readonly string[],
  shown: (text: string) => string,
): readonly { readonly title: string }[] => [
  ...deceits.slice(0, said).map((title) => ({ title: shown(title) })),
  ...(deceits.length > said
    ? [{ title: `${deceits.length - said} more links or addresses lead elsewhere than they look.` }]
    : []),
]

/** Where the links of a mail lead. */
export const linksBlock = (links: Body['links'], shown: (text: string) => string): readonly CardBlock[] =>
  links.length === 0
    ? []
    : [
        {
          kind: 'table',
          label: 'Links',
          columns: [{ label: 'Text' }, { label: 'Leads to' }, { label: 'Address' }],
          rows: links.map(({ text, host, url }) => [
            textValue(shown(text)),
            textValue(shownDomain(host)),
            { kind: 'code', text: shown(url) },
          ]),
        },
      ]

function filesBlocks({ files }: SendForecast, looks: Looks): readonly CardBlock[] {
  if (files.length === 0) return []
  const unseen = files.flatMap((file) => {
    const value = noPictureValue(looks.get(file.id))
    return value === undefined ? [] : [{ label: fileName(file), value }]
  })
  return [
    {
      kind: 'table',
      label: 'Attachments',
      columns: [{ label: 'Name' }, { label: 'Type, by content' }, { label: 'Size', align: 'end' }],
      rows: files.map((file) => [textValue(fileName(file)), textValue(typeName(file.type)), sizeValue(file.bytes)]),
      totals: [{ label: 'Together', value: sizeValue(files.reduce((sum, file) => sum + file.bytes, 0)) }],
    },
    ...files.flatMap((file) => pictureBlocks(looks.get(file.id), fileName(file))),
    ...(unseen.length === 0 ? [] : [{ kind: 'fields' as const, fields: unseen }]),
  ]
}
