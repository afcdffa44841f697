// The record of what agents did and why: one row per call, written before the tool runs and completed after it, so that
// a crash leaves a visible `unknown` and not a gap. `server/store/activity` implements it.
// Everything that comes here has been redacted already (`policy/redact.ts`).
import type { Outcome } from './outcome.ts'
import type { Principal } from './principal.ts'
import type { Operation, Risk } from './risk.ts'

/** Through which door a call came. */
export type CallSource = 'mcp' | 'rest' | 'cli' | 'approval' | 'operator'

/** An agent's own declaration in a gateway call. */
export interface DeclaredIntent {
  readonly operation_type: Operation
  readonly data_sensitivity?: string
  readonly reason?: string
}

/** What is known when a call arrives. */
export interface ActivityEntry {
  readonly principal: Principal
  readonly client: string
  readonly source: CallSource
  /** Wire name as it was called, known or not. */
  readonly tool: string
  /** The gateway's variant (`call_tool_write` …), where there was one. */
  readonly variant: string | undefined
  readonly operation: Operation | undefined
  /** `declared` by the agent, or `derived` from a contract. */
  readonly operationSource: 'declared' | 'derived' | undefined
  readonly intent: DeclaredIntent | undefined
  readonly rationale: string | undefined
  readonly risk: Risk | undefined
  readonly auditEvent: string | undefined
  /** JSON text of the arguments, redacted. */
  readonly args: string
  /** Notes about the call itself: a grace period, an intent warning. */
  readonly notes: readonly string[]
}

/** What is known when it ends. */
export interface ActivityCompletion {
  readonly outcome: Outcome
  /** The gate's verdict and the rule that gave it: "allow:proof". */
  readonly verdict: string | undefined
  readonly risk: Risk | undefined
  readonly planId: string | undefined
  readonly approvalId: string | undefined
  readonly durationMs: number
  /** JSON text of the result, redacted; `undefined` where there is none. */
  readonly result: string | undefined
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** An event that a tool adds to its own call: one `email.external.sent` per message, say. */
export interface ActivityEvent {
  readonly name: string
  /** JSON text, redacted. */
  readonly data: string
}

/**
 * What may come of a call before anything else waits for the disk. `none`: it changes nothing. `after-claim`: nothing
 * before its plan is claimed; the claim is on disk before the run begins, and with it all that was written before.
 */
export type Effect = 'none' | 'after-claim'

export interface ActivityLog {
  /**
   * Writes the row and answers its id. Where no effect is named, the row is on disk when this resolves. What stands in it
   * may be worked out when its turn has come.
   */
  begin(entry: ActivityEntry | (() => ActivityEntry), effect?: Effect): Promise<string>
  /**
   * Completes the row: once. What it is completed with may be worked out when its turn has come. `idle`: nobody waits
   * for it, so it may be written with the next row that comes, a moment later at most.
   */
  complete(
    id: string,
    completion: ActivityCompletion | (() => ActivityCompletion),
    when?: 'soon' | 'idle',
  ): Promise<void>
  /** Says which plan the call is about to claim; on disk once the claim is. What dies from then on names its plan. */
  claiming(id: string, planId: string): Promise<void>
  /** Adds an event to the row. */
  event(id: string, event: ActivityEvent): Promise<void>
}
