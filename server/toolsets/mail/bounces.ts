// `emails.record_bounce`: a mail server that took a mail may say later that it could not deliver it (RFC 3464). Anybody can
// write such a report, so it counts only for a mail that went from here to that very address.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readMailbox } from './address.ts'
import { forGood } from './failures.ts'
import { folded, withFolded } from './folded.ts'
import { postalMime } from './libraries.ts'
import { mailTool } from './mail-tool.ts'
import { contactsOf } from './queries.ts'
import { findSentMail, type SentMail, type SentRecipient } from './sent-mail.ts'
import { count, listed, textValue } from '../say.ts'
import type { ContactRow, MailDatabase } from './schema.ts'
import { inWords } from './views.ts'

interface Report {
  readonly messageId: string | undefined
  /** Addresses that do not get it for good, each with why. */
  readonly failed: readonly { readonly address: string; readonly why: string }[]
}

/** What a report says; nothing where the text is none. */
export async function readReport(text: string): Promise<Report | undefined> {
  const parsed = await (await postalMime()).parse(text)
  const part = (type: RegExp): string | undefined => {
    const found = parsed.attachments.find(({ mimeType }) => type.test(mimeType))
    if (found === undefined) return undefined
    return typeof found.content === 'string' ? found.content : new TextDecoder().decode(found.content)
  }
  const status = part(/^message\/(?:global-)?delivery-status$/i)
  if (status === undefined) return undefined
  const original = part(/^(?:text\/rfc822-headers|message\/(?:rfc822|global|global-headers))$/i) ?? ''
  return {
    messageId: fieldsOf(original.split(/\r?\n\r?\n/)[0] ?? '').get('message-id'),
    failed: status
      .split(/\r?\n\s*\r?\n/)
      .map(fieldsOf)
      .filter(
        (fields) => /^failed$/i.test(fields.get('action') ?? '') && fields.get('status')?.startsWith('4.') !== true,
      )
      .map((fields) => ({
        address: afterType(fields.get('original-recipient') ?? fields.get('final-recipient') ?? ''),
        why: afterType(fields.get('diagnostic-code') ?? fields.get('status') ?? 'no reason is given').slice(0, 500),
      })),
  }
}

/** "rfc822; bea@other.example" without its type. */
const afterType = (value: string): string =>
  value
    .slice(value.indexOf(';') + 1)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()

/** Header fields by their names in lower case, each on one line. */
const fieldsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .replace(/\r?\n[ \t]/g, ' ')
      .split(/\r?\n/)
      .flatMap((line) => {
        const at = line.indexOf(':')
        return at < 1 ? [] : [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const]
      }),
  )

const output = z.strictObject({
  emailId: z.string().describe('Of the mail, or of the campaign that it is one of'),
  undeliverable: z.array(z.strictObject({ address: z.string(), why: z.string() })),
})

/** `emails.record_bounce`. */
export const recordBounce = mailTool({
  name: 'emails.record_bounce',
  title: 'Record that a mail came back',
  noun: 'the record of the bounce',
  description:
    'Takes a delivery status report as it arrived (the whole message, headers included) and marks the addresses that it names as undeliverable. Only for mails that were sent from here.',
  category: 'communication',
  operation: 'write',
  risk: 'medium',
  permissions: ['emails:read', 'contacts:write'],
  auditEvent: 'email.bounced',
  input: z.strictObject({ report: z.string().min(1).max(200_000).describe('The message, as it arrived') }),
  output,
  failures: {
    not_a_report: forGood('Only a delivery status report counts; other answers are for a person to read.'),
    unknown_email: forGood('The report is not about a mail that went from here to that address; nothing is recorded.'),
    nothing_failed: forGood('The report names nobody whom the mail did not reach for good.'),
  },
  sideEffects: [
    {
      what: 'Addresses are marked as undeliverable, and get no mail until that is taken back',
      onRepeat: 'Nothing more',
    },
  ],
  async foresee(db, { report: text }, ctx) {
    const report = await readReport(text)
    const found = report === undefined ? 'not_a_report' : await bouncedBy(db, ctx.principal.tenant, report)
    if (typeof found === 'string') return ctx.fail(found, why[found])
    const { contacts, bounced } = found
    return {
      ...found,
      seen: [...contacts.values()].map(({ id, version }) => ({
        table: 'mail_contacts' as const,
        key: id,
        version,
        moves: true,
      })),
      also: bounced
        .filter(({ address_key: key }) => !contacts.has(key))
        .map(({ address_key: key }) => `stranger:${encodeURIComponent(key)}`),
    }
  },
  describe({ email, bounced }) {
    return {
      title: `Mark ${bounced.length === 1 ? inWords(bounced[0] ?? { name: null, address: '' }) : count(bounced.length, 'address').replace(/s$/, 'es')} as undeliverable`,
      summary: `Marks ${listed(bounced.map(inWords))} as undeliverable: the mail “${email.title}” came back.`,
      blocks: [
        {
          kind: 'table',
          label: `The mail “${email.title}” did not reach`,
          columns: [{ label: 'Address' }, { label: 'What the report says' }],
          rows: bounced.map((each) => [textValue(inWords(each)), textValue(each.why)]),
        },
      ],
      effects: [
        `${bounced.length === 1 ? 'This address gets' : 'These addresses get'} no mail from here until that is taken back (contacts.update)`,
      ],
      confirmLabel: 'Mark as undeliverable',
    }
  },
  carryOut: (transaction, found, _input, ctx) => markBounced(transaction, found, ctx.now()),
  cards: {
    success: (_input, { undeliverable }) => ({
      title: 'Marked as undeliverable',
      subtitle: listed(undeliverable.slice(0, 5).map(({ address }) => address)),
    }),
  },
})

const why = {
  not_a_report: 'The message is no delivery status report.',
  nothing_failed: 'The report names no failed delivery.',
  unknown_email: 'The report is about no mail that went from here to an address that it names.',
} as const

/** A mail, and to whom of its recipients it came back. */
interface Bounced {
  readonly email: SentMail
  readonly bounced: readonly (SentRecipient & { readonly why: string })[]
  /** Those of them whom this tenant knows, by the key of their address. */
  readonly contacts: ReadonlyMap<string, ContactRow>
}

/** What a report means for mails of this tenant, or why nothing. */
export async function bouncedBy(
  db: MailDatabase,
  tenant: string,
  report: Report,
): Promise<Bounced | 'nothing_failed' | 'unknown_email'> {
  if (report.failed.length === 0) return 'nothing_failed'
  const email = await findSentMail(db, tenant, report.messageId ?? '')
  const bounced: (SentRecipient & { readonly why: string })[] = []
  for (const { address, why: words } of report.failed) {
    const mailbox = await readMailbox(address)
    const recipient = email?.recipients.find((each) => typeof mailbox !== 'string' && each.address_key === mailbox.key)
    if (recipient !== undefined && !bounced.some(({ position }) => position === recipient.position))
      bounced.push({ ...recipient, why: words })
  }
  if (email === undefined || bounced.length === 0) return 'unknown_email'
  const keys = bounced.map((each) => each.address_key)
  return { email, bounced, contacts: await contactsOf(db, tenant, keys) }
}

/** Writes it down: what became of the mail, and that no mail goes there. */
export async function markBounced(
  transaction: MailDatabase,
  { email, bounced, contacts }: Bounced,
  now: number,
): Promise<z.infer<typeof output>> {
  for (const each of bounced) {
    await email.cameBack(transaction, each.position, each.why)
    const contact = contacts.get(each.address_key)
    await (contact === undefined
      ? transaction
          .insertInto('mail_contacts')
          .values(withFolded(contactOf(each, new Date(now).toISOString())))
          .execute()
      : transaction
          .updateTable('mail_contacts')
          .set({ undeliverable: each.why, ...folded({ undeliverable: each.why }) })
          .where('id', '=', contact.id)
          .execute())
  }
  return { emailId: email.id, undeliverable: bounced.map(({ address, why: words }) => ({ address, why: words })) }
}

/** Somebody who got mail without being a contact; what is known now must be kept somewhere. */
const contactOf = (
  { tenant, name, address, address_key, domain, why }: SentRecipient & { readonly why: string },
  now: string,
): ContactRow => ({
  id: `ct_${randomBytes(10).toString('hex')}`,
  tenant,
  name,
  first_name: null,
  last_name: null,
  address,
  address_key,
  domain,
  company: null,
  note: null,
  created_at: now,
  undeliverable: why,
  version: 1,
})
