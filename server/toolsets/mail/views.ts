// Mails and contacts as the outside sees them.
import { z } from 'zod'
import { shownAddress } from './addresses/address.ts'
import type { Email } from './queries.ts'
import type { ContactRow, EmailState } from './schema.ts'

/** What `emails.send_external` answers. */
export const sentOut = z.strictObject({
  emailId: z.string(),
  status: z.enum(['sent', 'scheduled', 'failed']),
  messageId: z.string(),
  goesOutAt: z.string().optional().describe('Where it is scheduled, or where a recipient is asked again later'),
  recipients: z.array(
    z.strictObject({
      address: z.string(),
      role: z.enum(['to', 'cc', 'bcc']),
      state: z
        .enum(['pending', 'deferred', 'accepted', 'refused', 'unknown', 'cancelled'])
        .describe('accepted by the mail server; deferred: refused for now, asked again by itself'),
      response: z.string().optional().describe('The words of the mail server'),
    }),
  ),
})
export type SentOut = z.infer<typeof sentOut>

/** One mail, as it is read. */
export const emailOut = sentOut.extend({
  status: z.enum(['scheduled', 'sending', 'sent', 'failed', 'unknown', 'cancelled']),
  subject: z.string(),
  body: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  endedAt: z.string().optional(),
  projectId: z.string().optional(),
  failure: z.string().optional(),
  attachments: z.array(z.strictObject({ id: z.string(), name: z.string(), type: z.string(), bytes: z.number() })),
})

const recipientViews = ({ recipients }: Email): SentOut['recipients'] =>
  recipients.map(({ address, role, state, response }) => ({
    address,
    role,
    state,
    ...(response === null ? {} : { response }),
  }))

const common = (email: Email) => ({
  emailId: email.id,
  messageId: email.message_id,
  ...(email.state === 'scheduled' ? { goesOutAt: email.due_at } : {}),
  recipients: recipientViews(email),
})

/** What the call that sent it is told; nothing while that is not known. */
export const sentView = (email: Email): SentOut | undefined =>
  email.state === 'sent' || email.state === 'scheduled' || email.state === 'failed'
    ? { ...common(email), status: email.state }
    : undefined

/** Its state now: one that nobody holds any more is not being sent. */
export const stateAt = (email: Pick<Email, 'state' | 'lease_until'>, now: number): EmailState =>
  email.state === 'sending' && Date.parse(email.lease_until ?? '') < now ? 'unknown' : email.state

export const emailView = (email: Email, now: number): z.infer<typeof emailOut> => ({
  ...common(email),
  status: stateAt(email, now),
  subject: email.subject,
  body: email.body,
  createdAt: email.created_at,
  createdBy: email.created_by,
  ...(email.ended_at === null ? {} : { endedAt: email.ended_at }),
  ...(email.project_id === null ? {} : { projectId: email.project_id }),
  ...(email.failure_text === null ? {} : { failure: email.failure_text }),
  attachments: email.files.map(({ id, name, type, bytes }) => ({ id, name, type, bytes })),
})

export const contactOut = z.strictObject({
  contactId: z.string(),
  address: z.string(),
  name: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  company: z.string().optional(),
  note: z.string().optional(),
  undeliverable: z.string().optional().describe('Why mail to it does not arrive'),
})

export const contactView = (row: ContactRow): z.infer<typeof contactOut> => ({
  contactId: row.id,
  address: row.address,
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.first_name === null ? {} : { firstName: row.first_name }),
  ...(row.last_name === null ? {} : { lastName: row.last_name }),
  ...(row.company === null ? {} : { company: row.company }),
  ...(row.note === null ? {} : { note: row.note }),
  ...(row.undeliverable === null ? {} : { undeliverable: row.undeliverable }),
})

/** "Ann Lee <ann@acme.example>" as a card shows it. */
export const inWords = ({ name, address }: { readonly name: string | null; readonly address: string }): string =>
  name === null ? shownAddress(address) : `${name} <${shownAddress(address)}>`
