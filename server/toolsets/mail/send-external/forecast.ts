// All that a mail is, worked out before it is confirmed and once more when it goes out.
import type { ToolContext, ToolFailed } from '../../../tools/contract.ts'
import type { SourceFile } from '../../file-source.ts'
import type { ToolsetParts } from '../../toolset.ts'
import { differences, findDraft, type Field } from '../drafts/draft.ts'
import { readMailbox, type Mailbox } from '../addresses/address.ts'
import { renderBody, type Body } from './body.ts'
import { deceits, isUnder, localDeceits } from '../addresses/domains.ts'
import { sendTimeOf, type SendTime } from './send-time.ts'
import type { Seen } from '../mail-tool.ts'
import type { MailSettings } from '../options.ts'
import { broken, type Obstacle, type PlacedSecret } from '../policy.ts'
import { overQuota } from '../quota.ts'
import { contactsOf, knownDomains, mailedBefore } from '../queries.ts'
import type { MailDatabase, Role } from '../schema.ts'
import { wordsIn, type MailWords } from '../words.ts'
import type { SendInput } from './input.ts'

export interface ForeseenRecipient extends Mailbox {
  readonly role: Role
  /** No mail of this tenant has ever gone there. */
  readonly isNew: boolean
  readonly isContact: boolean
  readonly isOutside: boolean
}

export interface SendForecast extends Pick<SendTime, 'later' | 'missed'> {
  readonly recipients: readonly ForeseenRecipient[]
  readonly replyTo: Mailbox | undefined
  readonly body: Body
  readonly files: readonly SourceFile[]
  readonly secrets: readonly PlacedSecret[]
  /** Sentences on addresses and links that may be taken for others. */
  readonly deceits: readonly string[]
  /** The draft that it was, and in which of its fields it differs. */
  readonly draft: { readonly id: string; readonly differs: readonly Field[] } | undefined
  readonly seen: readonly Seen[]
  readonly also: readonly string[]
  readonly obstacle: Obstacle | undefined
}

export type SendContext = ToolContext<
  'invalid_recipient' | 'permission_denied' | 'policy_violation' | 'attachment_too_large' | 'rate_limit_exceeded'
>

interface Surroundings {
  readonly settings: MailSettings
  readonly parts: Pick<ToolsetParts, 'secretsIn'>
}

/** What this mail would be, or which argument is wrong. */
export async function foreseeSend(
  { settings, parts }: Surroundings,
  db: MailDatabase,
  input: SendInput,
  ctx: SendContext,
): Promise<SendForecast | ToolFailed> {
  const { tenant } = ctx.principal
  const draft = input.draftId === undefined ? undefined : await findDraft(db, tenant, input.draftId)
  if (input.draftId !== undefined && draft === undefined)
    return ctx.fail('permission_denied', `There is no draft ${JSON.stringify(input.draftId)} that you may read.`, {
      fields: [{ pointer: '/draftId', received: input.draftId, allowed: 'the id of a draft, or nothing' }],
    })
  const addressed = await readRecipients(input)
  const replyTo = input.replyTo === undefined ? undefined : await readMailbox(input.replyTo)
  const wrong = [
    ...addressed.wrong,
    ...(typeof replyTo === 'string' ? [{ pointer: '/replyTo', received: input.replyTo, problem: replyTo }] : []),
  ]
  if (wrong.length > 0 || typeof replyTo === 'string') return invalid(ctx, wrong)
  const missing = (input.files ?? []).flatMap(({ id, file }, at) => (file === undefined ? [{ id, at }] : []))
  if (missing.length > 0)
    return ctx.fail(
      'permission_denied',
      `There is no file ${missing.map(({ id }) => id).join(', ')} that you may read.`,
      {
        fields: missing.map(({ id, at }) => ({
          pointer: `/attachments/${at}`,
          received: id,
          allowed: 'the id of a file that you may read',
        })),
      },
    )
  const keys = addressed.mailboxes.map(({ mailbox }) => mailbox.key)
  const contacts = await contactsOf(db, tenant, keys)
  const gone = addressed.mailboxes.flatMap(({ mailbox, pointer, received }) => {
    const why = contacts.get(mailbox.key)?.undeliverable ?? null
    return why === null ? [] : [{ pointer, received, problem: `is marked as undeliverable: ${why}` }]
  })
  if (gone.length > 0) return invalid(ctx, gone)

  const mailed = await mailedBefore(db, tenant, keys)
  const recipients = addressed.mailboxes.map(({ mailbox, role }): ForeseenRecipient => ({
    ...mailbox,
    name: mailbox.name ?? contacts.get(mailbox.key)?.name ?? null,
    role,
    isNew: !mailed.has(mailbox.key),
    isContact: contacts.has(mailbox.key),
    isOutside: !isUnder(mailbox.domain, settings.ownDomains),
  }))
  const words = wordsIn(ctx.language)
  const files = (input.files ?? []).flatMap(({ file }) => (file === undefined ? [] : [file]))
  const body = await renderBody(input.body)
  // As it is read first: emphasis in the middle of a secret would hide it in what is written.
  const read = parts.secretsIn(body.text)
  const secrets: readonly PlacedSecret[] = [
    ...parts.secretsIn(input.subject).map(({ what }) => ({ what, where: { at: 'subject' } as const })),
    ...(read.length > 0 ? read : parts.secretsIn(input.body)).map(({ what, line }) => ({
      what,
      where: { at: 'line', line } as const,
    })),
    ...(input.files ?? []).flatMap(({ secrets: found }) => found ?? []),
    ...recipients.flatMap(({ name, shown }) =>
      parts.secretsIn(name ?? '').map(({ what }) => ({ what, where: { at: 'name', whom: shown } as const })),
    ),
    ...parts.secretsIn(input.replyTo ?? '').map(({ what }) => ({ what, where: { at: 'reply-to' } as const })),
  ]
  const known = [...settings.ownDomains, ...(await knownDomains(db, tenant))]
  const { at, also, ...leaving } = sendTimeOf(settings.from, input.sendAt, ctx.now())
  return {
    recipients,
    replyTo,
    body,
    files,
    secrets,
    deceits: deceitsOf(recipients, replyTo, body, { known, words: words.deceits }),
    draft: draft && { id: draft.id, differs: differences(draft.mail, input) },
    ...leaving,
    seen: [
      ...[...contacts.values()].map((row) => ({ ...saw(row), table: 'mail_contacts' as const })),
      ...(draft === undefined ? [] : [{ ...saw(draft), table: 'mail_drafts' as const }]),
    ],
    also: [
      ...recipients.filter(({ isNew }) => isNew).map(({ key }) => `first:${encodeURIComponent(key)}`),
      ...recipients.filter(({ isContact }) => !isContact).map(({ key }) => `stranger:${encodeURIComponent(key)}`),
      ...also,
      ...files.map(({ id, sha256 }) => `file:${encodeURIComponent(id)}@${sha256}`),
    ],
    obstacle:
      broken(settings, { recipients, files, secrets }, words) ??
      (await overQuota(db, settings, { tenant, now: ctx.now(), at, recipients: recipients.length }, words)),
  }
}

const saw = ({ id, version }: { readonly id: string; readonly version: number }) => ({
  key: id,
  version,
  moves: false,
})

interface Wrong {
  readonly pointer: string
  readonly received: unknown
  /** The end of a sentence that begins with the address. */
  readonly problem: string
}

const invalid = (ctx: SendContext, wrong: readonly Wrong[]): ToolFailed =>
  ctx.fail(
    'invalid_recipient',
    wrong.map(({ received, problem }) => `${JSON.stringify(String(received).slice(0, 100))} ${problem}.`).join(' '),
    {
      fields: wrong.map(({ pointer, received }) => ({
        pointer,
        received,
        allowed: 'one address that mail can be sent to, listed once',
      })),
    },
  )

async function readRecipients(input: SendInput) {
  const mailboxes: {
    readonly mailbox: Mailbox
    readonly role: Role
    readonly pointer: string
    readonly received: string
  }[] = []
  const wrong: Wrong[] = []
  for (const role of ['to', 'cc', 'bcc'] as const)
    for (const [at, received] of (input[role] ?? []).entries()) {
      const pointer = `/${role}/${at}`
      const mailbox = await readMailbox(received)
      if (typeof mailbox === 'string') wrong.push({ pointer, received, problem: mailbox })
      else if (mailboxes.some((each) => each.mailbox.key === mailbox.key))
        wrong.push({ pointer, received, problem: 'is listed twice' })
      else mailboxes.push({ mailbox, role, pointer, received })
    }
  return { mailboxes, wrong }
}

function deceitsOf(
  recipients: readonly ForeseenRecipient[],
  replyTo: Mailbox | undefined,
  { links }: Body,
  { known, words }: { readonly known: readonly string[]; readonly words: MailWords['deceits'] },
): readonly string[] {
  const addresses = [...recipients, ...(replyTo === undefined ? [] : [replyTo])]
  const domains = new Set([...addresses.map(({ domain }) => domain), ...links.map(({ host }) => host)])
  return [
    ...deceits(domains, known, words),
    ...localDeceits(addresses, words),
    ...addresses
      .filter(({ name, key }) => name?.includes('@') === true && !name.toLowerCase().includes(key))
      .map(({ name, shown }) => words.name(name ?? '', shown)),
    ...linkDeceits(links, words),
  ]
}

/** Why links may be taken for others, in sentences. */
export const linkDeceits = (links: Body['links'], words: MailWords['deceits']): readonly string[] => [
  ...links.filter(({ claimed }) => claimed !== undefined).map(({ text, host }) => words.link(text.slice(0, 100), host)),
  ...links
    .filter(({ url }) => new URL(url).username !== '' && !url.startsWith('mailto:'))
    .map(({ url, host }) => words.beforeHost(url.slice(0, 200), host)),
]
