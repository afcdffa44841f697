// Gathers the facts of a call, asks the pure rule of the gate (`policy/decide.ts`) and answers calls that it denies.
import { principalOf } from '../told-of-caller.ts'
import type { Failure } from '../../errors/failure.ts'
import { decide, type Facts, type Verdict } from '../../policy/decide.ts'
import { approvalNeeds } from '../../policy/may-approve.ts'
import { withTicket, type ProofTable } from '../../policy/proof.ts'
import { isWriteTool } from '../../tools/catalog.ts'
import { isBundleTool } from '../bundles/bundle-contract.ts'
import type { Risk } from '../../model/risk.ts'
import { riskAtMost, riskOf, riskRank, runsAlone } from '../../tools/define-tool.ts'
import { failureAnswer } from '../answers/answers.ts'
import { nearest } from '../../errors/nearest.ts'
import { autoApproves } from './auto-approve.ts'
import { lapseText } from './grant-giver.ts'
import { lapsedSentence } from '../answers/grant-answers.ts'
import { findCover, type Cover, type Lapsed } from './grant-cover.ts'
import type { Answer } from '../answers/outcome.ts'
import { missingOf } from './missing-permissions.ts'
import { rowEvent } from '../record/activity-row.ts'
import type { CallContext, ParsedCall, ToolCall, WriteCall } from '../call-context.ts'
import type { Engine } from '../engine.ts'

/** A verdict with what it was given for. */
export type GateVerdict = Verdict & {
  readonly risk: Risk
  readonly reason?: string
  /** The grant that it rests on. */
  readonly cover?: Cover
  /** A grant that would have covered the call, were its giver's right still what it was. */
  readonly lapsed?: Lapsed
}

/** What a call brings beside its arguments. */
interface ProvenFacts extends Partial<Pick<Facts, 'proof' | 'approved'>> {
  /** No grant is looked for: the one that covered it does not. */
  readonly ungranted?: boolean
}

/** Gathers the facts of a call and asks the gate. */
export async function gate(call: ParsedCall, { ungranted, ...brought }: ProvenFacts = {}): Promise<GateVerdict> {
  const { engine, request, tool, input } = call
  const { settings } = engine
  const { tenant } = request.caller.principal
  const write = isWriteTool(tool) ? tool.contract : undefined
  const freeze = write === undefined ? undefined : await engine.switches?.frozen(tenant)
  const risk = ratedRisk(call)
  const facts: Facts = {
    operation: tool.contract.operation,
    risk,
    intent: call.intent,
    autonomous: write !== undefined && runsAlone(write, input) && request.unprompted !== true,
    dryRunRequired: write?.dryRunRequired === true,
    stepUp: await needsStepUp(call),
    people: needsPeople(call, risk),
    required: requiredProof(call),
    proof: 'none',
    cards: request.caller.cards,
    approved: false,
    hostConfirms: hostConfirms(call),
    autoApproveHigh: autoApproves(settings, tenant) && request.unprompted !== true,
    granted: false,
    frozen: freeze !== undefined,
    ...brought,
  }
  const verdict = decide(facts)
  const under = decide({ ...facts, granted: true })
  // Nobody looks for a grant that would change nothing.
  // Whoever gave a grant thought of single calls.
  if (ungranted !== true && !isBundleTool(tool) && (under.kind !== verdict.kind || under.rule !== verdict.rule)) {
    const found = await findCover(call, risk)
    if (found.kind === 'covered') return { ...under, risk, cover: found.cover }
    // A call that runs anyway is not told about a grant that lapsed.
    if (found.kind === 'lapsed' && verdict.kind !== 'allow') {
      await noteLapsed(call, found.lapsed)
      return { ...verdict, risk, lapsed: found.lapsed }
    }
  }
  return { ...verdict, risk, ...(freeze === undefined ? {} : { reason: freeze.reason }) }
}

/** Which proof a call needs, by its risk. A bundle names plans, whose arguments nobody repeats: its own id proves nothing. */
export const requiredProof = ({ engine: { settings }, request, tool }: ToolCall): ProofTable =>
  request.unprompted === true || isBundleTool(tool) ? withTicket(settings.proof) : settings.proof

/**
 * Whether the host's own prompt before this call is its confirmation, unless it is critical. A terminal has no host, and of a bundle
 * the prompt shows ids.
 */
export const hostConfirms = ({ engine: { settings }, request, tool }: ToolCall): boolean =>
  settings.confirmation === 'host' && request.unprompted !== true && request.source !== 'cli' && !isBundleTool(tool)

/** The contract's risk of this input, as the operator rates it. What is forbidden stays forbidden. */
export function ratedRisk({ engine, request, tool, input }: ToolCall & Pick<ParsedCall, 'input'>): Risk {
  const { contract, wireName } = tool
  const declared = ruleOr(engine, `${wireName} risk`, riskAtMost(contract.risk), () => riskOf(contract.risk, input))
  if (declared === 'forbidden') return declared
  const rated = engine.settings.riskOf?.(request.caller.principal.tenant, wireName, declared) ?? declared
  // A bundle is what its steps are, of which each has been rated by itself.
  return isBundleTool(tool) && riskRank(rated) < riskRank(declared) ? declared : rated
}

/** Whether whoever agrees to this call must give a second factor. */
export async function needsStepUp({ engine, request, tool, input }: ParsedCall): Promise<boolean> {
  const { contract } = tool
  const rule = contract.operation === 'read' ? 'never' : (contract.stepUp ?? 'never')
  if (typeof rule === 'string') return rule === 'always'
  try {
    return await rule.when(input, principalOf({ principal: request.caller.principal }))
  } catch (error) {
    engine.report(error, `${contract.name} step-up`)
    return true
  }
}

/** Whether an operator's rule leaves this call to several people, or to another than who asks. */
export function needsPeople({ engine, tool }: Pick<ToolCall, 'engine' | 'tool'>, risk: Risk): boolean {
  const { approvers, fourEyes } = approvalNeeds(engine.settings.approvals, tool.wireName, risk)
  return approvers > 1 || fourEyes
}

/** What a rule of a contract says of a call; `strictest` where it throws. */
function ruleOr<T>({ report }: Pick<Engine, 'report'>, where: string, strictest: T, rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    report(error, where)
    return strictest
  }
}

/** Operators read the whole reason with the call; the agent is told less. */
const noteLapsed = (call: CallContext, { grant, lapse }: Lapsed): Promise<void> =>
  rowEvent(call, 'grant.lapsed', { grant: grant.id, why: lapseText(lapse, grant) })

/** Writes down what the gate said, and tells the agent of a grant that does not count any more. */
export const withVerdict = (answer: Answer, verdict: GateVerdict): Answer => ({
  ...answer,
  ...(verdict.lapsed === undefined ? {} : { text: `${answer.text}\n\n${lapsedSentence(verdict.lapsed.grant)}` }),
  verdict: `${verdict.kind}:${verdict.rule}${verdict.rule === 'grant' ? `:${verdict.cover?.grant.id ?? ''}` : ''}`,
  risk: verdict.risk,
})

export function denied(call: WriteCall, verdict: GateVerdict): Answer {
  if (verdict.rule !== 'frozen') return unknownTool(call)
  const failure = { kind: 'frozen', tool: call.tool.wireName, reason: verdict.reason ?? '' } as const
  return withVerdict(failureAnswer(call, failure, { outcome: 'refused' }), verdict)
}

/** A forbidden tool and one that does not exist are answered by the same words, with a card or without. */
export function unknownTool(call: CallContext): Answer {
  const { tool, drawn } = call.request
  const request = drawn === 'door' ? { drawn } : undefined
  return failureAnswer({ engine: call.engine, request }, unknownFailure(call, tool), { outcome: 'refused' })
}

export function unknownFailure(call: CallContext, name: string): Failure {
  const { catalog } = call.engine
  const maybe = catalog.suggestNames?.(name) ?? { near: [] }
  const listed = catalog.tools.map((tool) => tool.wireName)
  const known = maybe.leftOut === undefined ? [...maybe.near, ...nearest(name, listed)] : []
  const near = known.filter((each) => !isForbiddenHere(call, each)).slice(0, 3)
  return { kind: 'unknown-tool', tool: name, ...maybe, near }
}

/** Whether the operator forbids a tool to this tenant, whatever its arguments are. */
const isForbiddenHere = ({ engine, request: { caller } }: CallContext, tool: string): boolean =>
  ruleOr(
    engine,
    `${tool} risk`,
    true,
    () => engine.settings.riskOf?.(caller.principal.tenant, tool, 'low') === 'forbidden',
  )

/** The call without what its door took for meant, where that is forbidden to this tenant: a door knows no tenants. */
export function withoutForbidden(call: CallContext): CallContext {
  const { refusal, meant, ...request } = call.request
  if (refusal?.kind !== 'unknown-tool') return call
  const near = refusal.near.filter((tool) => !isForbiddenHere(call, tool))
  const isMeant = meant !== undefined && !isForbiddenHere(call, meant.tool.wireName)
  return { ...call, request: { ...request, refusal: { ...refusal, near }, ...(isMeant ? { meant } : {}) } }
}

/** Why the caller may not use the tool. */
export function notPermitted({ engine, request, tool }: ToolCall): Failure | undefined {
  const missing = missingOf(engine, request.caller, tool.contract.permissions ?? [])
  return missing.length === 0 ? undefined : { kind: 'not-permitted', tool: tool.wireName, missing }
}

export function checkPermissions(call: ToolCall): Answer | undefined {
  const failure = notPermitted(call)
  return failure && failureAnswer(call, failure, { outcome: 'refused' })
}
