// A mail as it goes to the mail server: to those who are still to be asked, with everybody in its headers.
import type { Body } from '../send-external/body.ts'
import type { Email } from '../queries.ts'
import type { RecipientRow } from '../schema.ts'
import type { OutgoingMail } from '../transports/smtp.ts'

/** Whether a recipient is still to be asked. */
export const isAsked = ({ state }: RecipientRow): boolean => state === 'pending' || state === 'deferred'

/** The addresses that are still to be asked. */
export const openOf = ({ recipients }: Pick<Email, 'recipients'>): readonly string[] =>
  recipients.filter(isAsked).map(({ address }) => address)

/** The mail with its body as it is read. */
export function outgoingMail(
  email: Email,
  { text, html }: Pick<Body, 'text' | 'html'>,
  attachments: OutgoingMail['attachments'],
): OutgoingMail {
  const inHeader = (role: RecipientRow['role']) =>
    email.recipients.filter((each) => each.role === role).map(({ name, address }) => ({ name: name ?? '', address }))
  return {
    messageId: email.message_id,
    date: email.leaves_at,
    from: { name: email.sender_name, address: email.sender_address },
    replyTo: email.reply_to,
    to: inHeader('to'),
    cc: inHeader('cc'),
    subject: email.subject,
    text,
    html,
    attachments,
    recipients: openOf(email),
  }
}
