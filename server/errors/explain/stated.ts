// What an error says of itself, in whichever form a server gives it.
import type { UpstreamErrorType } from './classes.ts'

/** An answer of another server, or of an HTTP call of a tool's own, that says of itself that it failed. */
export interface Answered {
  /** The HTTP status, where there is one. */
  readonly status?: number
  /** The code of a JSON-RPC error. */
  readonly rpcCode?: number
  /** `Retry-After` as it was sent (RFC 9110, section 10.2.3), in seconds. */
  readonly retryAfter?: number
  /** What was said, as text. */
  readonly text?: string
  /** What was said as data: structured content, the data of a JSON-RPC error, the body of a response. */
  readonly structured?: unknown
  /** What the profile of the server knows of exactly this text. */
  readonly known?: KnownError
}

/** What a profile says of an error of its server. */
export interface KnownError {
  /** `profile.filesystem.outside`. */
  readonly rule: string
  /** What kind of error it is. */
  readonly type: UpstreamErrorType
  /** One sentence of the profile. */
  readonly guidance?: string
  /** A read that helps. */
  readonly fix?: {
    /** Wire name. */
    readonly tool: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly why: string
  }
}

/** What a structured error states, read and cut to size. All texts in it are the server's. */
export interface Stated {
  /** The form in which it was said: `http.problem_details`. */
  readonly form: string
  /** Absent where the form is known and its word is not. */
  readonly type?: UpstreamErrorType | undefined
  /** Its own sentence. */
  readonly said?: string | undefined
  /** Its own word for the error. */
  readonly code?: string | undefined
  readonly fields?: readonly StatedField[]
  readonly retryAfterSeconds?: number | undefined
}

/** What is wrong with one argument, in the server's words. */
export interface StatedField {
  /** Keys and indexes from the root of the arguments. */
  readonly path: readonly string[]
  readonly said: string
}
