// What every row of the table is made of, and how a row quotes a value or names a place.
import type { ErrorCategory, ErrorGuidance, FieldError, Fix } from './guidance.ts'

/** What there is to say about one kind of failure. */
export interface Row {
  readonly type: string
  readonly category: ErrorCategory
  readonly message: string
  readonly cause: string
  readonly next: readonly string[]
  readonly fix?: readonly Fix[]
  readonly retryable: ErrorGuidance['retryable']
  readonly retryAfterSeconds?: number
  readonly fields?: readonly FieldError[]
  readonly rule: string
  readonly confidence?: 'certain' | 'likely'
}

/** A value as a sentence may quote it. */
export const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

/** A value of a call, or that the call has none there. */
export const showIfAny = (value: unknown): string => (value === undefined ? 'nothing' : show(value))

/** The place that a pointer names, in words. */
export const at = (pointer: string): string => (pointer === '' ? 'the arguments' : pointer)

/** Said wherever an agent can do nothing more by itself. */
export const tellOperators = 'If this keeps you from what the user asked for, tell the operators with submit_feedback.'
