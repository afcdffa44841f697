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
