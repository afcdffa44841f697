// The activity log: one row per call, written before the tool runs and completed after it, so that a crash leaves a visible
// row without an end and not a gap; and one for each thing that the server did by itself later, on behalf of a call.
// Everything written is redacted already (`policy/redact.ts`). Implemented by `server/store/activity`.
import type { Finding, GuidanceGiven } from './finding.ts'
import type { Outcome } from './outcome.ts'
import type { Principal } from './principal.ts'
import type { Operation, Risk } from './risk.ts'

/** The doors that calls of agents come through, and what is on record beside them: see `besideCalls`. */
export const callSources = ['mcp', 'rest', 'cli', 'approval', 'operator', 'later'] as const
export type CallSource = (typeof callSources)[number]

/** Sources of rows that are no calls: what a person did, and what the server did by itself later, on behalf of a call. */
export const besideCalls = ['operator', 'later'] as const

/** Whether a row of this source is a call. */
export const isCall = (source: string): boolean => !besideCalls.some((each) => each === source)

/** The intent that an agent declared in a gateway call, as it was declared: where it was refused it may say anything. */
export interface DeclaredIntent {
  readonly operation_type?: string
  readonly data_sensitivity?: string
  readonly reason?: string
}

/** What a gateway call says of itself: the call tool that was chosen and the intent, checked or not. */
export interface Declaration {
  /** The call tool (`call_tool_write` …). */
  readonly variant: string
  /** The operation of the intent; that of the call tool where the intent names none of the three. */
  readonly operation: Operation
  readonly operationSource: 'declared' | 'derived'
  /** As it came, neither checked nor redacted. */
  readonly intent: Readonly<Partial<Record<keyof DeclaredIntent, unknown>>>
  /** The rationale beside the intent, or the reason of the intent; as it came. */
  readonly rationale: string | undefined
}

/** What is known when a call arrives. */
export interface ActivityEntry {
  readonly principal: Principal
  readonly client: string
  readonly source: CallSource
  /** Wire name as it was called, known or not. */
  readonly tool: string
  /** The gateway's call tool (`call_tool_write` …), if any. */
  readonly variant: string | undefined
  readonly operation: Operation | undefined
  /** `declared` by the agent, or `derived` from a contract or a call tool. */
  readonly operationSource: 'declared' | 'derived' | undefined
  readonly intent: DeclaredIntent | undefined
  readonly rationale: string | undefined
  readonly risk: Risk | undefined
  readonly auditEvent: string | undefined
  /** JSON text of the arguments, redacted. */
  readonly args: string
  /** Notes about the call itself: a grace period, an intent warning. */
  readonly notes: readonly string[]
  /** Digest of the session that calls, and what it is told; for figures. */
  readonly session?: string | undefined
  readonly told?: GuidanceGiven | undefined
}

/** What is known when it ends. */
export interface ActivityCompletion {
  /** How the call ended. */
  readonly outcome: Outcome
  /** The gate's verdict and the rule that gave it: "allow:proof". */
  readonly verdict: string | undefined
  /** The risk that it was rated with. */
  readonly risk: Risk | undefined
  /** The plan that it made or ran. */
  readonly planId: string | undefined
  /** The approval that it waits for, or ran by. */
  readonly approvalId: string | undefined
  /** How long it took. */
  readonly durationMs: number
  /** JSON text of the result, redacted; `undefined` where there is none. */
  readonly result: string | undefined
  /** What went wrong. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** How work ended that is a result of the call whatever came of it, in one word. */
  readonly ended?: string | undefined
  /** The error as operators count it, of the call or of the program that it ran. */
  readonly finding?: Finding | undefined
}

/** An event that a tool adds to its own call, such as one `email.external.sent` per message. */
export interface ActivityEvent {
  readonly name: string
  /** JSON text, redacted. */
  readonly data: string
}

/** What the row of an act that is no call of a tool does not say, at its beginning and at its end. */
export const noCall = {
  variant: undefined,
  operation: undefined,
  operationSource: undefined,
  intent: undefined,
  rationale: undefined,
  risk: undefined,
} as const
export const noVerdict = { verdict: undefined, risk: undefined, planId: undefined, approvalId: undefined } as const

/**
 * What the server did after a call was answered, on behalf of it: one mail of those that it sent, a file that it gave to
 * whoever had the link.
 */
export interface LaterEntry {
  /** What happened: `email.external.sent`. */
  readonly name: string
  /** Whose call it was. */
  readonly principal: Principal
  /** The plan that the call ran; `undefined` where nobody knows it any more. */
  readonly planId: string | undefined
  /** How it ended. */
  readonly outcome: Extract<Outcome, 'applied' | 'failed' | 'refused' | 'outcome_unknown'>
  /** JSON text, redacted: what it was about, and how it went. */
  readonly details: string
  /** What went wrong. */
  readonly error: ActivityCompletion['error']
}

/**
 * The effect that a call may have before its row is durable. `none`: it changes nothing. `after-claim`: it changes nothing
 * before its plan is claimed, and the claim makes all earlier writes durable.
 */
export type Effect = 'none' | 'after-claim'

/** A row that is being written. */
export interface StartedRow {
  readonly id: string
  /** Resolves once it is written; without an effect that it may have before, once it is durable. */
  readonly written: Promise<void>
}

export interface ActivityLog {
  /**
   * Writes a row, whose id is known at once. What is written afterwards comes after it; what names a row that could not be
   * written is not written either. A function as `entry` is called when the row is written.
   */
  start(entry: ActivityEntry | (() => ActivityEntry), effect?: Effect): StartedRow
  /** The same, and waits for it. Answers its id. */
  begin(entry: ActivityEntry | (() => ActivityEntry), effect?: Effect): Promise<string>
  /**
   * Completes the row, once. A function as `completion` is called when it is written. `idle`: nobody waits for it, so it may
   * be written with the next row, a moment later at most.
   */
  complete(
    id: string,
    completion: ActivityCompletion | (() => ActivityCompletion),
    when?: 'soon' | 'idle',
  ): Promise<void>
  /** Adds an event to the row. */
  event(id: string, event: ActivityEvent): Promise<void>
}
