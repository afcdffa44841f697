// Everything that can go wrong with a call, as one tagged union: what happened and with which value. What is said about it is
// in `table.ts`, once for all doors.
import type { Answered } from './explain/stated.ts'
import type { WrongArgument } from './wrong-argument.ts'

/** A field whose confirmed and received values differ. */
export interface FieldMismatch {
  readonly pointer: string
  readonly confirmed: unknown
  readonly received: unknown
  /** Whether `confirmed` is a secret that is not repeated. */
  readonly isHidden?: true
}

/** Why a named plan cannot be applied. Only its own principal is told which; to others it is always `unknown`. */
export type RefusalReason =
  | 'reference'
  | 'unknown'
  | 'cancelled'
  | 'expired'
  | 'superseded'
  | 'failed'
  | 'stale'
  | 'malformed'
  | 'rejected'
  | 'revoked'

/** A server behind that has not listed its tools. */
export interface UnlistedServer {
  readonly server: string
  /** How it stands, in a sentence that begins with its name. */
  readonly standing: string
  readonly retryAfterSeconds: number
}

export type Failure =
  | {
      readonly kind: 'unknown-tool'
      readonly tool: string
      readonly near: readonly string[]
      /** The servers whose tools are not known yet, each with a sentence on how it stands: the name may be theirs. */
      readonly unlisted?: readonly UnlistedServer[]
      /** The setting that leaves out the tool that its server has: `mcpServers.files.disabled_tools`. */
      readonly leftOut?: string
    }
  | { readonly kind: 'invalid-arguments'; readonly tool: string; readonly fields: readonly WrongArgument[] }
  | { readonly kind: 'unstable-contract'; readonly tool: string; readonly pointer: string; readonly problem: string }
  | { readonly kind: 'not-permitted'; readonly tool: string; readonly missing: readonly string[] }
  | {
      /** One principal calls more often than the operators' limit allows. */
      readonly kind: 'too-many-calls'
      readonly tool: string
      readonly counted: 'calls' | 'writes' | 'card_reads'
      readonly perMinute: number
      readonly retryAfterSeconds: number
    }
  | {
      readonly kind: 'plan-refused'
      readonly tool: string
      readonly reason: RefusalReason
      readonly planId?: string
      readonly detail?: string
    }
  | {
      /** The declared intent does not match the call tool, or the annotations of the server behind. */
      readonly kind: 'intent'
      readonly tool: string
      readonly code: string
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
      readonly guidance: string
    }
  | { readonly kind: 'frozen'; readonly tool: string; readonly reason: string }
  | { readonly kind: 'mismatch'; readonly tool: string; readonly fields: readonly FieldMismatch[] }
  | { readonly kind: 'stale'; readonly tool: string }
  | { readonly kind: 'proof-missing'; readonly tool: string; readonly needed: string; readonly brought: string }
  | {
      readonly kind: 'outcome-unknown'
      readonly tool: string
      readonly planId?: string
      readonly why: string
      /** What the tool itself answered at the end of this very run; of an ending that is only on record nobody knows whose it is. */
      readonly said?: { readonly code: string; readonly message: string; readonly effect: 'partial' | 'unknown' }
      /** The tool's own run ended in an error that its contract does not declare. */
      readonly crashed?: true
      /** The upstream's own message, where it reports that it failed. */
      readonly reported?: string | undefined
      /** What it answered, while that is still known. */
      readonly answered?: Answered | undefined
    }
  | {
      /** A failure that the contract declares. */
      readonly kind: 'tool-failed'
      readonly tool: string
      readonly code: string
      readonly message: string
      readonly guidance: string
      readonly retryable: 'no' | 'after_change' | 'after_wait'
      /** A rule refused the call before anything ran. */
      readonly refused?: true
      readonly retryAfterSeconds?: number
      readonly fields: readonly WrongArgument[]
      readonly suggest?: {
        readonly tool: string
        readonly arguments: Readonly<Record<string, unknown>>
        readonly why: string
      }
      /** What another service answered. */
      readonly answered?: Answered
      /** `before`: after the confirmation, and before anything was changed. */
      readonly during: 'read' | 'preview' | 'before'
    }
  | {
      readonly kind: 'tool-crashed'
      readonly tool: string
      readonly during: 'read' | 'preview' | 'before'
      readonly incident: string
    }
  | { readonly kind: 'bad-output'; readonly tool: string; readonly pointer: string; readonly problem: string }
  | {
      readonly kind: 'store-unavailable'
      readonly tool: string
      readonly incident: string
      /** The connection was lost between a statement and its answer: the statement may have taken effect. */
      readonly uncertain?: true
    }
  | {
      /** The upstream of the tool has not listed its tools yet. */
      readonly kind: 'server-unavailable'
      readonly tool: string
      readonly server: string
      /** How the upstream stands: `starting, 12 s so far`. */
      readonly state: string
      readonly retryAfterSeconds: number
      /** Whether waiting alone is unlikely to help. */
      readonly needsPerson?: boolean
    }
  | {
      /** The upstream of the tool takes no request before a person has logged in there. */
      readonly kind: 'login-needed'
      readonly tool: string
      readonly server: string
      /** One sentence. */
      readonly why: string
      /** What a person runs. */
      readonly command: string
      /** Variables that it needs in that terminal. */
      readonly variables: readonly string[]
    }
  /** An app-only tool, with a ticket that is not the caller's. */
  | { readonly kind: 'not-your-card'; readonly tool: string }
  /** An unexpected error of our own. */
  | { readonly kind: 'internal'; readonly tool: string; readonly incident: string }
