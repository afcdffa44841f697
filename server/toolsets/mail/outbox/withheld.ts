// What becomes of a mail of which nothing more goes out: what was confirmed is not there any more, or may not leave.
import type { Email } from '../queries.ts'
import type { EmailRow, EmailState, RecipientRow } from '../schema.ts'
import { isAsked } from './outgoing.ts'

/** What a mail is as a whole. */
export function stateOf(recipients: readonly RecipientRow[]): EmailState {
  if (recipients.some(isAsked)) return 'scheduled'
  if (recipients.some(({ state }) => state === 'unknown')) return 'unknown'
  return recipients.some(({ state }) => state === 'accepted') ? 'sent' : 'failed'
}

/** Who got it before, has it; the others are refused with the reason. */
export function withheld({ recipients: before }: Pick<Email, 'recipients'>, code: string, why: string) {
  const recipients = before.map((recipient): RecipientRow =>
    isAsked(recipient) ? { ...recipient, state: 'refused', response: why } : recipient,
  )
  const columns = {
    state: stateOf(recipients),
    failure_code: code,
    failure_text: why,
  } satisfies Partial<EmailRow>
  return { recipients, columns }
}
