// What the rows of the failure table are made of, and how a row quotes a value or names a place.
import type { ErrorGuidance, Fix } from './guidance.ts'

/** What there is to say about one kind of failure: its guidance without what `guidanceFor` adds to all. */
export type Row = Omit<ErrorGuidance, 'fix' | 'field_errors' | 'related_docs' | 'code_examples' | 'evidence'> &
  Partial<Pick<ErrorGuidance, 'fix' | 'field_errors'>> & {
    readonly rule: string
    /** `certain` when absent. */
    readonly confidence?: 'likely'
  }

/** A value as a sentence may quote it. */
export const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

/** The place that a pointer names, in words. */
export const at = (pointer: string): string => (pointer === '' ? 'the arguments' : pointer)

/** The one fix that only a person can make. */
export const askPerson = (question: string): readonly Fix[] => [{ kind: 'ask_person', question }]

/** The one fix that is to wait. */
export const waitFor = (seconds: number, why: string) =>
  ({ fix: [{ kind: 'wait', seconds, why }], retryable: 'after_wait', retry_after_seconds: seconds }) as const

/** Said wherever an agent can do nothing more by itself. */
export const tellOperators = 'If this keeps you from what the user asked for, tell the operators with submit_feedback.'
