// What became of a mail after its call was answered, as the activity log has it.
import type { LaterEvent } from '../../toolset.ts'
import type { Email } from '../queries.ts'
import type { EmailState } from '../schema.ts'

/** How a mail ended by itself; what has no end yet is on record when it has. */
export function sentLater({ id, tenant, created_by: subject, run, ...email }: Omit<Email, 'files'>): LaterEvent {
  const { failure_code: code, failure_text: message } = email
  return {
    name: 'email.external.sent',
    principal: { tenant, subject },
    run,
    outcome: email.state === 'failed' && code !== null ? 'refused' : (outcomes[email.state] ?? 'outcome_unknown'),
    details: {
      emailId: id,
      attempts: email.attempts,
      recipients: email.recipients.map(({ address, state, response }) => ({ address, state, response })),
    },
    ...(code === null || message === null ? {} : { error: { code, message } }),
  }
}

const outcomes: Partial<Record<EmailState, LaterEvent['outcome']>> = { sent: 'applied', failed: 'failed' }
