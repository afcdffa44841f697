// What is known of a call, by how far it has come. A step takes the type that says what it needs to be known, so that its
// signature tells from which point of a call on it may run.
import type { Approval } from '../model/approvals.ts'
import type { Claim, Plan } from '../model/plan-store.ts'
import { isWriteTool, type Tool, type WriteTool } from '../tools/catalog.ts'
import { riskAtMost } from '../tools/define-tool.ts'
import type { Conclusion, Finding } from '../model/finding.ts'
import type { Answer } from './answers/outcome.ts'
import type { CallRequest, Engine } from './engine.ts'
import type { ParsedArguments } from './intake/parse.ts'
import { withoutMarked } from './record/loggable.ts'
import { hiderOf, noteMarked } from './record/marked-values.ts'
import { engineForCall, type SessionGuidance } from './guidance-half.ts'
import { parseWith } from '../tools/schemas/tool-schema.ts'

/**
 * What a call meets on its way that its answer does not say, for those who run the server. The step that meets it writes it
 * down here; one call has one.
 */
export interface Noticed {
  /** Values of arguments that contracts mark as secrets: nothing that is written down of the call has them (`hiderOf`). */
  readonly marked: Set<string>
  /** What an unexpected error said. */
  thrown?: string
  /** What another server said of an error that nothing explains. */
  said?: string
  /** What went wrong, once the answer is there; `null` where nothing did. */
  finding?: Finding | null
  /** How a program or a budget of the tool ended. */
  conclusion?: Conclusion
}

/** The row of a call in the activity log. */
export interface CallRow {
  readonly id: string
  /**
   * Once it is written. Opening and claiming a plan need not wait for it: the store writes them after it, and a claim not
   * without it. Whatever else lasts does.
   */
  readonly written: Promise<void>
  /** When the call began, in epoch milliseconds. */
  readonly started: number
  /** Set once the call has claimed a plan: from then on it may have taken effect. */
  hasClaimed?: true
  /** Set once somebody has undertaken to complete it. */
  isComplete?: true
}

/** A call as it arrives. */
export interface CallContext {
  readonly engine: Engine
  readonly request: CallRequest
  /** The tool of that name, forbidden ones included. The activity log knows it; what an agent may hear of is a `ToolCall`'s. */
  readonly named: Tool | undefined
  /** Its arguments have been looked at, so `named` is the read of a tool that reads or writes by them if it only reads. */
  readonly argumentsRead?: boolean
  /** Its row in the activity log, where it has one. */
  readonly row?: CallRow
  readonly noticed: Noticed
  /** Whose call it is, and what that session is told. */
  readonly about?: SessionGuidance
}

/** A call whose tool is found, and may be known to its caller. */
export interface ToolCall<T extends Tool = Tool> extends CallContext {
  readonly tool: T
}

/** A call whose arguments are sound. */
export interface ParsedCall<T extends Tool = Tool> extends ToolCall<T>, ParsedArguments {}

export interface WriteCall extends ParsedCall<WriteTool> {
  /** Makes the call anew from what it names, which may be otherwise by now, before it is previewed again. */
  readonly renew?: (call: WriteCall) => Promise<Renewed>
}

type Renewed =
  | { readonly kind: 'call'; readonly call: WriteCall }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** A write with the plan that it is about to run. Its arguments are those that the plan stored. */
export interface PlannedCall extends WriteCall {
  readonly plan: Plan
  /** What its success says first. */
  readonly notice?: { readonly title: string; readonly text?: string }
  /** By what it was applied; absent where nobody had to agree. */
  readonly proof?: Proven
}

/** What stands for a person's agreement. */
export interface Proven {
  readonly credential: 'plan' | 'ticket' | 'approval' | 'bundle'
  readonly approval?: Approval | undefined
}

/** A write whose plan this run has claimed. */
export interface ClaimedCall extends PlannedCall {
  /** Names the run. */
  readonly owner: string
  readonly isFresh?: Extract<Claim, { kind: 'claimed' }>['isFresh']
}

/**
 * Begins a call, as its session is answered. What it reports lacks its marked arguments, which an exception may repeat. `bundle`:
 * of which it is a step; what its row says of its steps lacks theirs.
 */
export function callContext(engine: Engine, request: CallRequest, bundle?: Pick<CallContext, 'noticed'>): CallContext {
  const noticed: Noticed = { marked: bundle?.noticed.marked ?? new Set() }
  const report: Engine['report'] = (error, where) => engine.report(withoutMarked(error, hiderOf({ noticed })), where)
  const { engine: own, ...about } = engineForCall(engine, request)
  return {
    engine: { ...own, report },
    ...about,
    request,
    named: request.found ?? engine.catalog.find(request.tool),
    noticed,
  }
}

/** A call with the arguments that were read for it. */
export function parsedCall<T extends Tool>(call: ToolCall<T>, parsed: ParsedArguments): ParsedCall<T> {
  const made = { ...call, ...parsed }
  noteMarked(made)
  return made
}

/**
 * The call's tool as the catalogue has it by now; `undefined` where it has left or is defined otherwise than when the call
 * was admitted and written down. A tool that is held back keeps its definition, and says itself that it is held.
 */
export function currentTool({ engine, request, named }: CallContext): Tool | undefined {
  const now = request.found ?? engine.catalog.find(request.tool)
  if (now === undefined || now.definition !== named?.definition) return undefined
  return named.contract.operation === 'read' && isWriteTool(now) ? now.reading : now
}

/** A tool as agents may know it: not at all where it is forbidden. */
export const visible = (tool: Tool | undefined): Tool | undefined =>
  tool === undefined || riskAtMost(tool.contract.risk) === 'forbidden' ? undefined : tool

/**
 * The call that a plan stored, whatever the message says.
 * @throws where its arguments do not parse any more.
 */
export function plannedCall(call: ToolCall<WriteTool>, plan: Plan): PlannedCall {
  const stored = parseWith(call.tool.contract.input, 'input', JSON.parse(plan.args))
  if (!stored.success) throw new Error(`The stored arguments of ${plan.id} do not parse.`, { cause: stored.error })
  const { args: canonical, rationale } = plan
  const parsed = {
    input: stored.data,
    canonical,
    rationale,
    intent: 'apply',
    ticket: undefined,
    dryRun: false,
  } as const
  return { ...call, ...parsedCall(call, parsed), plan }
}
