// The contract of a tool: what it promises, and what the gate and the rail work from at run time (risk, permissions, failures,
// preview). A contract that leaves something out does not compile, and one that contradicts itself does not start
// (`define-tool.ts`). docs/DESIGN.md, section 3.
// Longer than 300 lines, because every member has the sentence that the reference of the API is made of.
import type { Answered } from '../errors/explain/stated.ts'
import type { PlanTransaction } from '../model/plan-store.ts'
import type { Principal } from '../model/principal.ts'
import type { Conclusion } from '../model/finding.ts'
import type { Risk } from '../model/risk.ts'
import type { Revisable } from './card-edits.ts'
import type { CardList, Followed } from './card-reads.ts'
import type { Schema } from './schemas/json-schema.ts'
import type { CardContext, OfferedCall, Preview, Reconciled, Success } from './shown-on-cards.ts'
import type { ToolLog } from './tool-log.ts'
import type { ToolSchema } from './schemas/tool-schema.ts'

export type { CardContext, OfferedCall, Preview, Reconciled, Success } from './shown-on-cards.ts'

/** Risk that depends on the input: `of` may lower it below `atMost`, never raise it above. */
export interface RiskRule<I> {
  /** The highest risk that a call can have: the one that is listed. */
  readonly atMost: Risk
  /** The risk of the call with this input. */
  of(input: I): Risk
}

/** The effect that a declared failure leaves behind. Only with `none` the outcome is `failed`. */
export type FailureEffect = 'none' | 'partial' | 'unknown'

/** A way in which a tool can fail. */
export interface FailureSpec {
  /** What the failure leaves behind. */
  readonly effect: FailureEffect
  /** One sentence: what to do next. */
  readonly guidance: string
  /**
   * What a person reads of it on a card in each of the tool's languages: what has happened, in one sentence. In English they
   * read the message of `ctx.fail`, which in another language is a quotation.
   */
  readonly says?: Readonly<Record<string, string>>
  /** Whether the same call may be sent again: `no` when absent. */
  readonly retryable?: 'no' | 'after_change' | 'after_wait'
  /** With `after_wait`: when. */
  readonly retryAfterSeconds?: number
  /** The upstream itself reports the failure: where `effect` is `unknown`, only what it left behind is not known. */
  readonly reported?: true
  /** A rule outside the tool refused the call before anything ran: the outcome is `refused`, not `failed`. */
  readonly refused?: true
}

/** Something that a call changes. */
export interface SideEffect {
  /** What changes, as a sentence. */
  readonly what: string
  /** What happens when the same call runs again. */
  readonly onRepeat: string
}

/** A failure that the tool expected, as a value. `code` is one of the contract's `failures`. */
export interface ToolFailed {
  /** What tells it from a result. */
  readonly kind: 'tool-failed'
  /** One of the codes in `failures`. */
  readonly code: string
  /** What was wrong, with which value. */
  readonly message: string
  /** The wrong arguments, as JSON Pointers. */
  readonly fields?: readonly { readonly pointer: string; readonly received: unknown; readonly allowed: string }[]
  /** A call that helps: wire name and arguments. */
  readonly suggest?: {
    readonly tool: string
    readonly arguments: Readonly<Record<string, unknown>>
    readonly why: string
  }
  /** What another service answered, where the failure is its: the guidance says what that means. */
  readonly answered?: Answered
}

/** The state has changed since the preview: the write's precondition did not hold, and nothing was written. */
export interface ToolStale {
  /** What tells it from a result. */
  readonly kind: 'tool-stale'
}

/** A request as it came in, with its credentials: nothing of it belongs into a result. Its body has been read. */
export interface RequestContext {
  /** Its headers, with the credentials. */
  readonly headers: Headers
  /** Its address. */
  readonly url: string
  /** Its method. */
  readonly method: string
  /** The name that the MCP client gives itself, or a REST caller: a label, no more. */
  readonly client: string
}

/** The second argument of every function of a contract. */
export interface ToolContext<Code extends string = string> {
  /** Who calls, with what the program or their verified token says of them, where this very call came with it. */
  readonly principal: Principal
  /** The HTTP request that brought the call; `undefined` over stdio, and where a call runs after it was approved. */
  readonly request: RequestContext | undefined
  /** The agent's claim why it calls; empty where the caller gave none. */
  readonly rationale: string
  /** Epoch milliseconds. */
  now(): number
  /**
   * Once aborted in a `run`, others may conclude that it is over and had no effect: change nothing after that. In a read or
   * a preview: nobody waits for the answer any more.
   */
  readonly signal: AbortSignal
  /** The answer of a call that cannot be done: one of the failures of the contract. */
  fail(code: Code, message: string, more?: Pick<ToolFailed, 'fields' | 'suggest' | 'answered'>): ToolFailed
  /** Says how far it has got: to a caller that asked for it (MCP `notifications/progress`), and to the card of a running call. */
  progress(step: { readonly progress: number; readonly total?: number; readonly message?: string }): void
  /** The request's own `_meta`, without what belongs to the protocol or to us. */
  readonly meta: Readonly<Record<string, unknown>>
  /** Which of the tool's `languages` this call's card speaks; `en` where it names none. */
  readonly language: string
  /** What the reader asks for, as tags of BCP 47 ("pt-BR"), most wanted first: for dates and numbers. */
  readonly locales: readonly string[]
  /** The server's log. */
  readonly log: ToolLog
  /** What answers to this caller may say beside their results, as the operator decided. */
  readonly guidance: { readonly errors: boolean; readonly budget: boolean }
  /** Says how work ended that is a result of this call whatever came of it: a program that was run, say. For operators. */
  conclude(how: Conclusion): void
  /** Adds an event of the tool's own to this call's row in the activity log: one per message sent, say. */
  audit(event: string, data?: Readonly<Record<string, unknown>>): Promise<void>
}

/** The second argument of `run` and `apply`. */
export interface RunContext<Code extends string = string> extends ToolContext<Code> {
  /**
   * The id of the confirmed plan. A tool that writes it in the same transaction as its effect can tell in `reconcile`
   * whether the effect happened.
   */
  readonly idempotencyKey: string
  /** What `basis` answered at the preview; the write must hold it as its precondition. `undefined` without a basis. */
  readonly basis: string | undefined
  /**
   * Aborted once the caller has cancelled the call (a client of MCP 2026-07-28 does so over HTTP by closing its request, or by
   * losing its connection), or a person has on its card, where the contract is `cancellable`: what has
   * not begun need not begin. What has begun goes on.
   */
  readonly cancelled: AbortSignal
  /**
   * The transaction in which the plan ends; only for a contract that is `transactional`. What is written by
   * another way is not part of it; on SQLite it hangs until the run is over.
   */
  readonly transaction?: PlanTransaction
  /** The answer of a `run` whose precondition did not hold, and which wrote nothing. */
  stale(): ToolStale
}

/** The fields of both reads and writes. `contract.schema.ts` has a schema for each, which the compiler checks. */
export interface Common<I = unknown, O = unknown, F extends Failures = Failures> {
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
  /** The output is a whole MCP tool result, which is sent to the client unchanged. */
  readonly passes?: true
  /** The upstream says that the tool destroys nothing; where it says nothing, hosts are told that it may. */
  readonly sparing?: boolean
  /** It only reads: what asks does so because of what it answers, or of where it looks. Hosts are told that it only reads. */
  readonly onlyAnswers?: true
  /** What else the upstream lists for the tool, for clients that know that server. */
  readonly listed?: {
    readonly meta?: Readonly<Record<string, unknown>>
    readonly icons?: readonly Readonly<Record<string, unknown>>[]
    readonly execution?: Readonly<Record<string, unknown>>
  }
  /**
   * For a contract in front of somebody else's tool: loads what tells from a call's arguments what it does, before they are
   * looked at. Throws nothing: what cannot be told is rated as the worst that it may be.
   */
  prepare?(): Promise<void>
  /**
   * For a contract in front of somebody else's tool: what an answer of it says that reports an error and is handed on as it
   * is. Nothing for every other answer.
   */
  reported?(output: O, input: I): Promise<Answered | undefined>
  /** What the upstream says of its structured content, and whether one is as it says. */
  readonly promises?: { readonly schema: Schema; holds(structured: unknown): boolean }
  /** The rationale may be left out: reads of low risk at a server for which the operator relaxes it, and tools of views. */
  readonly rationale?: 'optional'
  /** Arguments and results that the activity log must not contain, as JSON Pointers in which `*` is any one key or index. */
  readonly secrets?: { readonly arguments?: readonly string[]; readonly result?: readonly string[] }
  /** What people call the tool: "Close an issue". */
  readonly title: string
  /** What it does, for the model. */
  readonly description: string
  /** A group of the catalogue: "orders", "mail". The part of the name before the dot when absent. */
  readonly category?: string
  /** How much a call may do. */
  readonly risk: Risk | RiskRule<I>
  /** Names of what the caller must be allowed; none when absent. */
  readonly permissions?: readonly string[]
  /** Every way in which it can fail, by code. */
  readonly failures: F
  /** True for tools that reach beyond this server (mail, payment, another service): MCP's `openWorldHint`. */
  readonly external?: boolean
  /** Name of the cheatsheet to read first. */
  readonly cheatsheet?: string
  /**
   * Languages that its cards can be written in, as subtags of BCP 47 ("de"); the first one where its reader wants none of them.
   * English alone when absent. What stands on a card around the tool's own words speaks the same language.
   */
  readonly languages?: readonly string[]
  /** Name of the row's event in the activity log; the contract's name when absent. */
  readonly auditEvent?: string
  /** What calls may consume, in which unit, and how much of it a call has consumed. */
  readonly budget?: { readonly unit: string; readonly limit: number; consumed(input: I, output: O): number }
  /** Of Zod, of another library that can write it as JSON Schema, or a JSON Schema. */
  readonly output: ToolSchema<O>
}

/** The codes of failures. */
type Code<F> = Extract<keyof F, string>

/** A tool that changes nothing. */
export interface ReadContract<I = unknown, O = unknown, F extends Failures = Failures> extends Common<I, O, F> {
  /** It reads. */
  readonly operation: 'read'
  /** What it takes. */
  readonly input: ToolSchema<I>
  /** Answers. */
  run(input: I, ctx: ToolContext<Code<F>>): Promise<O | ToolFailed> | O | ToolFailed
  /** A card for the result; without it a read has none. */
  readonly cards?: { result?(input: I, output: O, ctx: CardContext): Success }
}

/** A tool that changes something, and asks first. */
export interface WriteContract<I = unknown, O = unknown, F extends Failures = Failures> extends Common<I, O, F> {
  /** `destructive`: it overwrites, deletes, or cannot be taken back. */
  readonly operation: 'write' | 'destructive'
  /** The thing as a noun phrase: "the sales order for ACME" reads "Cancel: do not apply the sales order …". */
  readonly noun: string
  /** What it takes. */
  readonly input: ToolSchema<I>
  /** Runs without a preview unless called with `preview=true`; medium risk and below only. `when` decides per call. */
  readonly autonomous?: boolean | { when(input: I): boolean }
  /** What a call changes. */
  readonly sideEffects: readonly SideEffect[]
  /** `natural`: a repeat changes nothing more. `plan`: the rail runs it once per plan. */
  readonly idempotency: 'natural' | 'plan'
  /**
   * `run` writes into the server's own database and changes nothing else: it does so through `ctx.transaction`, in one commit
   * with the ending of its plan. What it throws or refuses is taken back, and its outcome is known unless the database goes away in
   * that very moment. For what takes milliseconds: after five seconds it is taken back.
   */
  readonly transactional?: boolean
  /**
   * `run` takes notice of `ctx.cancelled`: once that is aborted it begins nothing more and says what it has done by then, as a
   * result or as a failure. The card then has a button for it while the call runs.
   */
  readonly cancellable?: true
  /** Never applied without a preview of the same call, whatever the settings say. */
  readonly dryRunRequired?: boolean
  /** For a contract in front of somebody else's tool: the argument with which its callers ask for a dry run. */
  readonly dryRun?: { readonly parameter: string; readonly value: unknown }
  /**
   * What the person does to confirm. Absent: the button, and where the preview names a `confirmPhrase`, that is typed
   * first. `click`: the button alone, whatever the preview names. `type-name`: something is always typed; a preview
   * that names no `confirmPhrase` is a mistake of the tool, and its call fails without a card.
   */
  readonly confirmation?: 'click' | 'type-name'
  /**
   * Whether the approver gives a second factor. A call that needs one is never confirmed by the card, only by an approval.
   * `when` may ask the state: how many a list means, say.
   */
  readonly stepUp?: 'never' | 'always' | { when(input: I, caller: Principal): boolean | Promise<boolean> }
  /** Reads the state and says what would change. Has no side effect. */
  preview(input: I, ctx: ToolContext<Code<F>>): Promise<Preview | ToolFailed> | Preview | ToolFailed
  /** Fingerprint of the state that the preview read. Required for high and critical. */
  basis?(input: I, ctx: ToolContext<Code<F>>): Promise<string | ToolFailed> | string | ToolFailed
  /** Makes the change. */
  run(input: I, ctx: RunContext<Code<F>>): Promise<O | ToolFailed | ToolStale> | O | ToolFailed | ToolStale
  /**
   * Finds out whether a run whose outcome is not known took effect. Reads only. `not-applied` is accepted once the owner of
   * the run has been silent for another lease, so `run` must change nothing after its `signal` is aborted.
   */
  reconcile?(
    input: I,
    ctx: ToolContext<Code<F>> & { readonly idempotencyKey: string },
  ): Promise<Reconciled<O>> | Reconciled<O>
  /**
   * What the person may change on the preview card: `true` for all texts, numbers, days, choices and switches and the members of
   * lists, or the places. A place that ends in `/*` lets members be left out. A changed call comes back as a new preview.
   */
  readonly revise?: true | readonly Revisable[]
  /** A call that undoes this one. */
  undo?(input: I, output: O, ctx: CardContext): OfferedCall | undefined
  /** A call for what this one left undone: steps that failed or were not run. */
  rest?(input: I, output: O, ctx: CardContext): OfferedCall | undefined
  /** The lists that `pages` blocks of the preview name; its card reads further pages of them while its plan is open. */
  readonly lists?: Readonly<Record<string, CardList<I>>>
  /**
   * For a call that begins what goes on after it: how that stands by now. The success card asks about every second, as long
   * as it is in sight, until it is `done`. Reads only.
   */
  follow?(input: I, output: O, ctx: ToolContext): Promise<Followed> | Followed
  /**
   * For a contract in front of somebody else's tool whose arguments decide what it does. A call of which `when` holds is a
   * call of that read in all: it runs unasked and in a freeze, fails in a read's words, and is recorded as one. `when` must
   * hold of no call that changes anything.
   */
  readonly reading?: { when(input: I): boolean; readonly contract: ReadContract<I, O> }
  /** What the card of a success shows; generic fields when absent. */
  readonly cards?: { success?(input: I, output: O, ctx: CardContext): Success }
}

/** The failures of a contract, by their codes. */
export type Failures = Readonly<Record<string, FailureSpec>>

/** Any contract, for everything that treats tools alike. */
export type Contract = ReadContract | WriteContract
