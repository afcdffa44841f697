// `emails.record_bounce`: a mail server that took a mail may say later that it could not deliver it (RFC 3464). Anybody can
// write such a report, so it counts only for a mail that went from here to that very address.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readMailbox } from '../addresses/address.ts'
import { doubtsOf, readReport, type DeliveryReport } from './delivery-report.ts'
import { forGood } from '../failures.ts'
import { folded, withFolded } from '../contacts/folded.ts'
import { mailTool } from '../mail-tool.ts'
import { contactsOf } from '../queries.ts'
import { findSentMail, type SentMail, type SentRecipient } from './sent-mail.ts'
import { count, fieldsBlock, listed, momentValue, textValue } from '../../say.ts'
import type { ContactRow, MailDatabase } from '../schema.ts'
import { inWords } from '../views.ts'

const output = z.strictObject({
  emailId: z.string().describe('Of the mail, or of the campaign that it is one of'),
  undeliverable: z.array(z.strictObject({ address: z.string(), why: z.string() })),
})

/** `emails.record_bounce`. */
export const recordBounce = mailTool({
  name: 'emails.record_bounce',
  transactional: true,
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
      report,
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
  describe({ report, doubts, email, bounced }) {
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
        fieldsBlock({
          'The report names as its mail server': textValue(report?.reporter ?? null),
          'It comes from': textValue(report?.from ?? null),
          'It is dated': report?.date === undefined ? undefined : momentValue(report.date),
        }),
      ],
      effects: [
        `${bounced.length === 1 ? 'This address gets' : 'These addresses get'} no mail from here until that is taken back (contacts.update)`,
      ],
      warnings: [
        {
          title: 'It is not proven that a mail server wrote this report.',
          text: `It names a mail that went from here and ${bounced.length === 1 ? 'a recipient' : 'recipients'} of it. Whoever got the mail can write such a report.`,
        },
        ...doubts.map((title) => ({ title })),
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
  /** What of the report does not fit to the mail, in sentences. */
  readonly doubts: readonly string[]
  /** Those of them whom this tenant knows, by the key of their address. */
  readonly contacts: ReadonlyMap<string, ContactRow>
}

/** What a report means for mails of this tenant, or why nothing. */
export async function bouncedBy(
  db: MailDatabase,
  tenant: string,
  report: DeliveryReport,
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
  return { email, bounced, doubts: doubtsOf(report, email), contacts: await contactsOf(db, tenant, keys) }
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
