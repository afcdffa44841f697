// Error guidance: the object in every error that says what happened, with which value, and which call or change comes next.
// An error that only says "invalid" makes an agent guess, and a guess with a write tool is expensive. The shape is a promise
// to users (docs/DESIGN.md, section 4).

/** A next step that an agent can take as it stands. */
export type Fix =
  | {
      readonly kind: 'call_tool'
      /** Wire name; `arguments` validate against that tool's own schema. */
      readonly tool: string
      readonly arguments: Readonly<Record<string, unknown>>
      readonly why: string
    }
  | { readonly kind: 'edit_arguments'; readonly pointer: string; readonly to?: unknown; readonly why: string }
  | { readonly kind: 'ask_person'; readonly question: string }
  | { readonly kind: 'wait'; readonly seconds: number; readonly why: string }

/** One argument that was wrong. `pointer` is an RFC 6901 JSON Pointer into the arguments. */
export interface FieldError {
  /** Where it is wrong, as a JSON Pointer. */
  readonly pointer: string
  /** Absent where the call has no value there. */
  readonly received?: unknown
  /** What is allowed there. */
  readonly allowed: string
}

/**
 * One replacement of text in a program that the caller sent: the first `before` that begins on `line` (from 1) becomes
 * `after`. All the edits of one guidance belong together.
 */
export interface CodeEdit {
  /** The line, counted from 1. */
  readonly line: number
  /** What stands there. */
  readonly before: string
  /** What to write instead. */
  readonly after: string
}

/** What an agent is told about an error. */
export interface ErrorGuidance {
  /** What kind of error it is. */
  readonly error_type: string
  /** What it is about. */
  readonly category: 'arguments' | 'confirmation' | 'permission' | 'tool' | 'upstream' | 'server'
  /** What happened. */
  readonly message: string
  /** Why. */
  readonly cause: string
  /** What to do, step by step. */
  readonly actionable_guidance: readonly string[]
  /** Calls that help. */
  readonly fix: readonly Fix[]
  /** Whether the same call may be sent again. */
  readonly retryable: 'no' | 'after_change' | 'after_wait'
  /** With `after_wait`: when. */
  readonly retry_after_seconds?: number
  /** The wrong arguments. */
  readonly field_errors: readonly FieldError[]
  /** Addresses of what to read. */
  readonly related_docs: readonly string[]
  /** Calls as they would be right. */
  readonly code_examples: readonly string[]
  /** What to change in the program that was sent; `code_examples` has the same as text. */
  readonly edits?: readonly CodeEdit[]
  /** The rule that fired, and how sure it is that it names the true cause. */
  readonly evidence: { readonly source: string; readonly rule: string; readonly confidence: 'certain' | 'likely' }
}
