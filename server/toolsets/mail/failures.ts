// Failures that several tools of mail share.
import type { FailureSpec } from '../../tools/contract.ts'

/** Nothing has happened, and the same call fails until it or the mailbox has changed. */
export const afterChange = (guidance: string): FailureSpec & { readonly effect: 'none' } => ({
  effect: 'none',
  guidance,
  retryable: 'after_change',
})

/** Nothing has happened, and no repetition helps. */
export const forGood = (guidance: string): FailureSpec & { readonly effect: 'none' } => ({
  effect: 'none',
  guidance,
  retryable: 'no',
})

/** Failures of what sends mail. */
export const sendFailures = {
  confirmation_required: afterChange('Preview the mail again, so that a person confirms what will be sent.'),
  invalid_recipient: afterChange(
    'Correct or remove the addresses that the answer names; ask the person where in doubt.',
  ),
  rate_limit_exceeded: {
    effect: 'none',
    guidance: 'Wait, or send the mail later with sendAt.',
    retryable: 'after_wait',
    retryAfterSeconds: 3600,
  },
  policy_violation: {
    effect: 'none',
    guidance: 'Tell the person which rule of this server forbids the mail; do not try to go around it.',
    retryable: 'no',
    refused: true,
  },
  delivery_unknown: {
    effect: 'unknown',
    guidance: 'Do not send it again: it may have arrived. emails_get says what is known; a person asks a recipient.',
    retryable: 'no',
  },
} as const
