// A contract is what a tool promises, and it is part of the runtime: risk, permissions, failure modes and the preview
// are what the gate and the rail work from. An adapter that leaves one out should not compile, and one that lies about
// it should not start (see `define-tool.ts`). docs/DESIGN.md, section 3.
import type { z } from 'zod'
import type { Card, CardBlock, CardChange, CardValue } from '../model/card.ts'
import type { Principal } from '../model/principal.ts'
import type { Risk } from '../model/risk.ts'

/** Risk that depends on the input: `of` may lower it below `atMost`, never raise it above. */
export interface RiskRule<I> {
  readonly atMost: Risk
  of(input: I): Risk
}

/** What a declared failure leaves behind. Only `none` lets the outcome be called `failed`. */
export type FailureEffect = 'none' | 'partial' | 'unknown'

export interface FailureSpec {
  readonly effect: FailureEffect
  /** One sentence: what to do next. */
  readonly guidance: string
  readonly retryable?: 'no' | 'after_change' | 'after_wait'
  readonly retryAfterSeconds?: number
  /** The other side says itself that it failed: where `effect` is `unknown`, only what it left behind is open. */
  readonly reported?: true
  /** A rule that is not the tool's refused the call before anything was tried: it is `refused`, not `failed`. */
  readonly refused?: true
}

export interface SideEffect {
  readonly what: string
  /** What happens when the same call runs again. */
  readonly onRepeat: string
}

/** A failure that the tool expected, as a value. `code` is one of the contract's `failures`. */
export interface ToolFailed {
  readonly kind: 'tool-failed'
  readonly code: string
  readonly message: string
  /** The arguments to blame, as JSON Pointers. */
  readonly fields?: readonly { readonly pointer: string; readonly received: unknown; readonly allowed: string }[]
  /** A call that helps: wire name and arguments. */
  readonly suggest?: {
    readonly tool: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly why: string
  }
}

/** The state that the preview read has moved: the write's own precondition did not hold, and nothing was written. */
export interface ToolStale {
  readonly kind: 'tool-stale'
}

/** What every function of a contract gets beside its input. */
export interface ToolContext<Code extends string = string> {
  readonly principal: Principal
  /** The agent's claim why it calls; empty where the caller gave none. */
  readonly rationale: string
  /** Epoch milliseconds. */
  now(): number
  /**
   * Aborted in a `run`: from now on others may conclude that this run is over and had no effect. Change nothing after it.
   * In a read or a preview: nobody waits for the answer any more.
   */
  readonly signal: AbortSignal
  fail(code: Code, message: string, more?: Pick<ToolFailed, 'fields' | 'suggest'>): ToolFailed
  /** Tells the caller how far it is, where the caller asked to know (MCP `notifications/progress`). */
  progress(step: { readonly progress: number; readonly total?: number; readonly message?: string }): void
  /** The request's own `_meta`, without what belongs to the protocol or to us. */
  readonly meta: Readonly<Record<string, unknown>>
  /** Adds an event of the tool's own to this call's row in the activity log: one per message sent, say. */
  audit(event: string, data?: Readonly<Record<string, unknown>>): Promise<void>
}

export interface RunContext<Code extends string = string> extends ToolContext<Code> {
  /**
   * One key per confirmed plan (its id). A tool that writes it in the same transaction as its effect can tell later,
   * in `reconcile`, whether the effect happened.
   */
  readonly idempotencyKey: string
  /** What `basis` answered at the preview; the write must hold it as its precondition. `undefined` without a basis. */
  readonly basis: string | undefined
  /** Says that the precondition did not hold and nothing was written. */
  stale(): ToolStale
}

/** What a preview says: exactly what would change, and what follows from it. */
export interface Preview {
  /** Verb, object, name: "Delete order SO-1042". */
  readonly title: string
  readonly subtitle?: string
  /** One sentence for the text and the approver. */
  readonly summary: string
  readonly changes?: readonly CardChange[]
  readonly unchanged?: readonly { readonly label: string; readonly value: CardValue }[]
  /** Consequences, each one fact in the present tense. */
  readonly effects?: readonly string[]
  /** Further body blocks, shown in this order before the effects. */
  readonly blocks?: readonly CardBlock[]
  readonly warnings?: readonly { readonly title: string; readonly text?: string }[]
  /** Why this cannot be confirmed at all, and what would unblock it. */
  readonly blocked?: { readonly title: string; readonly text: string }
  /** What happens, on the button: "Create order". */
  readonly confirmLabel: string
  /** A name or number on the card that must be typed before Confirm comes alive: the order's id, how many get a mail. */
  readonly confirmPhrase?: string
  /** Machine-readable extras (recipient count, samples), under `details` of the envelope. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly estimatedDurationMs?: number
}

/** What really happened, for the success card. */
export interface Success {
  readonly title: string
  readonly subtitle?: string
  readonly blocks?: readonly CardBlock[]
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}

/** What a reconcile found out about a run whose end nobody saw. */
export type Reconciled<O> =
  | { readonly kind: 'applied'; readonly result: O }
  | { readonly kind: 'not-applied' }
  | { readonly kind: 'unknown' }

/** A later call that takes this one back; offered as a new preview, never run by itself. */
export interface Undo {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly label: string
}

/** What reads and writes have in common. Its fields are also listed in `contract.schema.ts`, which a compiler checks. */
export interface Common<I = unknown, O = unknown, F extends Readonly<Record<string, FailureSpec>> = Failures> {
  /** `domain.verb`; on the wire the dot becomes `_`. */
  readonly name: string
  /**
   * For a contract in front of somebody else's tool: its name on the wire. Its `name` may then be anything
   * ("files:edit_file"), and its input may have parameters that are called like ours.
   */
  readonly wire?: string
  /** Digest of the definition that a confirmation relies on, where somebody else's definition is pinned. */
  readonly pinned?: string
  /** What the listing says under `_meta.ui`, for a tool with a view of its own: a read, or what runs unasked. */
  readonly ui?: Readonly<Record<string, unknown>>
  /** Its output is a whole MCP tool result, which goes to the client unchanged. */
  readonly passes?: true
  /** Its own server says that it destroys nothing; where it says nothing, hosts are told that it may. */
  readonly sparing?: boolean
  /** What its own server says in the listing beside all this, for clients that know that server. */
  readonly listed?: {
    readonly meta?: Readonly<Record<string, unknown>>
    readonly icons?: readonly Readonly<Record<string, unknown>>[]
  }
  /** JSON Schema that its own server promises for its structured results. */
  readonly promises?: Readonly<Record<string, unknown>>
  /** A rationale may be left out; for low-risk reads in front of somebody else's tool. */
  readonly rationale?: 'optional'
  /** Arguments and results that the record must not hold, as JSON Pointers in which `*` stands for one key or index. */
  readonly secrets?: { readonly arguments?: readonly string[]; readonly result?: readonly string[] }
  readonly title: string
  readonly description: string
  /** Rooms of a catalogue: "orders", "mail". The part before the dot when absent. */
  readonly category?: string
  readonly risk: Risk | RiskRule<I>
  readonly permissions?: readonly string[]
  readonly failures: F
  /** True for tools that reach beyond this server (mail, payment, another service): MCP's `openWorldHint`. */
  readonly external?: boolean
  /** Name of the cheatsheet to read first. */
  readonly cheatsheet?: string
  /** Name of the row's event in the activity log; the contract's name when absent. */
  readonly auditEvent?: string
  /** What a call may use up: how much this one consumed, of how much. */
  readonly budget?: { readonly unit: string; readonly limit: number; consumed(input: I, output: O): number }
  readonly output: z.ZodType<O>
}

type Code<F> = Extract<keyof F, string>

export interface ReadContract<
  I = unknown,
  O = unknown,
  F extends Readonly<Record<string, FailureSpec>> = Failures,
> extends Common<I, O, F> {
  readonly operation: 'read'
  readonly input: z.ZodType<I>
  run(input: I, ctx: ToolContext<Code<F>>): Promise<O | ToolFailed> | O | ToolFailed
  /** A view of its own for the result; reads name no card without it. */
  readonly cards?: { result?(input: I, output: O): Success }
}

export interface WriteContract<
  I = unknown,
  O = unknown,
  F extends Readonly<Record<string, FailureSpec>> = Failures,
> extends Common<I, O, F> {
  readonly operation: 'write' | 'destructive'
  /** The thing as a noun phrase: "the sales order for ACME" reads "Cancel: do not apply the sales order …". */
  readonly noun: string
  readonly input: z.ZodType<I>
  /**
   * Runs without a preview when the caller says `preview=false`, or says nothing; medium risk and below only. A rule says
   * it of one call.
   */
  readonly autonomous?: boolean | { when(input: I): boolean }
  readonly sideEffects: readonly SideEffect[]
  /** `natural`: the tool itself makes a repeat harmless. `plan`: it runs once per plan. */
  readonly idempotency: 'natural' | 'plan'
  /** Never applied without a preview that was really made, whatever the settings say. */
  readonly dryRunRequired?: boolean
  /**
   * What the person does to confirm. Absent: the button, and where the preview names a `confirmPhrase`, that is typed
   * first. `click`: the button alone, whatever the preview names. `type-name`: something is always typed; a preview
   * that names no `confirmPhrase` is a mistake of the tool, and its call fails without a card.
   */
  readonly confirmation?: 'click' | 'type-name'
  /** A second factor from the approver. It always leaves the card for the approval. */
  readonly stepUp?: 'never' | 'always' | { when(input: I): boolean }
  /** Reads the state and says what would change. Has no side effect. */
  preview(input: I, ctx: ToolContext<Code<F>>): Promise<Preview | ToolFailed> | Preview | ToolFailed
  /** Fingerprint of the state that the preview read. Required for high and critical. */
  basis?(input: I, ctx: ToolContext<Code<F>>): Promise<string | ToolFailed> | string | ToolFailed
  run(input: I, ctx: RunContext<Code<F>>): Promise<O | ToolFailed | ToolStale> | O | ToolFailed | ToolStale
  /**
   * Finds out whether a run whose end nobody saw took effect. Reads only. "Not applied" is believed once the owner of
   * the run has been silent for another lease, so `run` must change nothing after its `signal` is aborted.
   */
  reconcile?(
    input: I,
    ctx: ToolContext<Code<F>> & { readonly idempotencyKey: string },
  ): Promise<Reconciled<O>> | Reconciled<O>
  undo?(input: I, output: O): Undo | undefined
  /**
   * For a contract in front of somebody else's tool whose arguments decide what it does. A call of which `when` holds is a
   * call of that read in all: it runs unasked and in a freeze, fails in a read's words, and is recorded as one. `when` must
   * hold of no call that changes anything.
   */
  readonly reading?: { when(input: I): boolean; readonly contract: ReadContract<I, O> }
  readonly cards?: { success?(input: I, output: O): Success }
}

export type Failures = Readonly<Record<string, FailureSpec>>

/** Any contract, for everything that treats tools alike. */
export type Contract = ReadContract | WriteContract

/** Cards that a tool's author builds by hand. */
export type { Card, CardBlock, CardChange, CardValue }
