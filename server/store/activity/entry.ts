// A call as the activity log keeps it. The engine (`server/model/journal.ts`) declares the same shapes for what it needs;
// the floors forbid either to import the other, and `test/types/journal.test.ts` is where the compiler compares them.
import type { Principal } from '../../model/principal.ts'

export type Operation = 'read' | 'write' | 'destructive'
export type Risk = 'low' | 'medium' | 'high' | 'critical' | 'forbidden'
export type Source = 'mcp' | 'rest' | 'cli' | 'approval' | 'operator'

export interface DeclaredIntent {
  readonly operation_type: Operation
  readonly data_sensitivity?: string
  readonly reason?: string
}

export interface JournalEntry {
  readonly principal: Principal
  readonly client: string
  readonly source: Source
  readonly tool: string
  readonly variant: string | undefined
  readonly operation: Operation | undefined
  readonly operationSource: 'declared' | 'derived' | undefined
  readonly intent: DeclaredIntent | undefined
  readonly rationale: string | undefined
  readonly risk: Risk | undefined
  readonly auditEvent: string | undefined
  readonly args: string
  readonly notes: readonly string[]
}

export interface JournalCompletion {
  readonly outcome: Outcome
  readonly verdict: string | undefined
  readonly risk: Risk | undefined
  readonly planId: string | undefined
  readonly approvalId: string | undefined
  readonly durationMs: number
  readonly result: string | undefined
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** `none`: nothing can change. `after-claim`: nothing changes before a plan is claimed, which waits for the disk. */
export type Effect = 'none' | 'after-claim'

export interface JournalEvent {
  readonly name: string
  readonly data: string
}

/** Writes calls down; every method is one atomic step on disk. */
export interface Journal {
  begin(entry: JournalEntry | (() => JournalEntry), effect?: Effect): Promise<string>
  complete(id: string, completion: JournalCompletion | (() => JournalCompletion), when?: 'soon' | 'idle'): Promise<void>
  claiming(id: string, planId: string): Promise<void>
  event(id: string, event: JournalEvent): Promise<void>
}

export type Outcome =
  | 'ok'
  | 'previewed'
  | 'applied'
  | 'replayed'
  | 'running'
  | 'mismatch'
  | 'stale'
  | 'refused'
  | 'awaiting_approval'
  | 'failed'
  | 'outcome_unknown'

/**
 * What a row says of its call: an outcome, `open` while it runs, `unknown` where its end was never written because the
 * process died.
 */
export type Status = Outcome | 'open' | 'unknown'

/** All that can be said of a row's state, for whoever must name the choices. */
export const statuses: readonly Status[] = [
  'ok',
  'previewed',
  'applied',
  'replayed',
  'running',
  'mismatch',
  'stale',
  'refused',
  'awaiting_approval',
  'failed',
  'outcome_unknown',
  'open',
  'unknown',
]

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
