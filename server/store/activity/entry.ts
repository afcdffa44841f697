// What the activity log says of a call: one row, as it is listed and as it is read with everything.
import type { DeclaredIntent } from '../../model/activity.ts'
import { outcomes, type Outcome } from '../../model/outcome.ts'

/**
 * What a row says of its call: an outcome, `open` while it runs, `unknown` where its end was never written because the
 * process died.
 */
export type Status = Outcome | 'open' | 'unknown'

/** All that can be said of a row's state, for whoever must name the choices. */
export const statuses: readonly Status[] = [...outcomes, 'open', 'unknown']

/** One row, without what can be long. */
export interface CallLine {
  readonly id: string
  /** Grows with every change of any row; where a watcher goes on. */
  readonly change: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly tenant: string
  /** The pseudonym, once erased. */
  readonly subject: string
  readonly client: string
  readonly source: string
  readonly tool: string
  readonly variant: string | undefined
  readonly operation: string | undefined
  readonly operationSource: string | undefined
  readonly rationale: string | undefined
  readonly risk: string | undefined
  readonly status: Status
  readonly verdict: string | undefined
  readonly auditEvent: string | undefined
  readonly planId: string | undefined
  readonly approvalId: string | undefined
  readonly durationMs: number | undefined
  readonly errorCode: string | undefined
  readonly erased: boolean
}

/** One row, with everything. */
export interface CallRecord extends CallLine {
  readonly intent: DeclaredIntent | undefined
  /** JSON text, redacted; `undefined` once erased. */
  readonly args: string | undefined
  readonly notes: readonly string[]
  readonly result: string | undefined
  readonly errorMessage: string | undefined
  readonly events: readonly CallEvent[]
}

export interface CallEvent {
  readonly at: number
  readonly name: string
  readonly data: string | undefined
}
