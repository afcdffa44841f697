// Around the pure gate: gathering its facts, and the answers of those who do not come through.
import type { Failure } from '../../errors/failure.ts'
import { guidanceFor } from '../../errors/table.ts'
import { decide, type Facts, type Verdict } from '../../policy/decide.ts'
import { approvalNeeds } from '../../policy/may-approve.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Contract, WriteContract } from '../../tools/contract.ts'
import type { Risk } from '../../model/risk.ts'
import { riskAtMost, riskOf, runsAlone } from '../../tools/define-tool.ts'
import { failureAnswer, guidanceText } from '../answers/answers.ts'
import { nearest } from '../../errors/nearest.ts'
import { lapseText } from './grant-giver.ts'
import { lapsedSentence } from '../answers/grant-answers.ts'
import { coverFor, type Cover, type Lapsed } from './grant-cover.ts'
import type { Answer } from '../answers/outcome.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** A verdict with what it was given for. */
export type Gated = Verdict & {
  readonly risk: Risk
  readonly reason?: string
  /** The standing permission that it rests on. */
  readonly cover?: Cover
  /** A standing permission that would have covered the call, were its giver's right still what it was. */
  readonly lapsed?: Lapsed
}

/** Gathers the facts of a call and asks the gate. */
export async function gate(
  engine: Engine,
  request: CallRequest,
  tool: Tool,
  input: unknown,
  asked: Pick<Facts, 'intent' | 'proof'> & { readonly approved?: boolean; readonly ungranted?: true },
): Promise<Gated> {
  const { contract } = tool
  const { tenant } = request.caller.principal
  const write = contract.operation === 'read' ? undefined : contract
  const freeze = write === undefined ? undefined : await engine.switches?.frozen(tenant)
  const risk = ratedRisk(engine, tenant, contract, tool.wireName, input)
  const { ungranted, ...said } = asked
  const facts: Facts = {
    operation: contract.operation,
    risk,
    autonomous: write !== undefined && runsAlone(write, input),
    dryRunRequired: write?.dryRunRequired === true,
    stepUp: write !== undefined && needsStepUp(engine, write, input),
    people: needsPeople(engine, tool.wireName, risk),
    required: engine.settings.proof,
    cards: request.caller.cards,
    approved: false,
    hostConfirms: engine.settings.confirmation === 'host',
    autoApproveHigh: autoApproves(engine, tenant),
    granted: false,
    frozen: freeze !== undefined,
    ...said,
  }
  const verdict = decide(facts)
  const under = decide({ ...facts, granted: true })
  // Nobody looks for a standing permission that would change nothing.
  if (ungranted !== true && (under.kind !== verdict.kind || under.rule !== verdict.rule)) {
    const found = await coverFor(engine, request, tool, input, risk)
    if (found.kind === 'covered') return { ...under, risk, cover: found.cover }
    // What runs anyway needs no reason.
    if (found.kind === 'lapsed' && verdict.kind !== 'allow') {
      await noteLapsed(engine, request, found.lapsed)
      return { ...verdict, risk, lapsed: found.lapsed }
    }
  }
  return { ...verdict, risk, ...(freeze === undefined ? {} : { reason: freeze.reason }) }
}

const autoApproves = ({ settings: { autoApproveHigh } }: Engine, tenant: string): boolean =>
  typeof autoApproveHigh === 'function' ? autoApproveHigh(tenant) : autoApproveHigh.includes(tenant)

/** The contract's risk of this input, as the operator rates it. What is forbidden stays forbidden. */
export function ratedRisk(engine: Engine, tenant: string, contract: Contract, wireName: string, input: unknown): Risk {
  const declared = cautious(engine, `${wireName} risk`, riskAtMost(contract.risk), () => riskOf(contract.risk, input))
  return declared === 'forbidden' ? declared : (engine.settings.riskOf?.(tenant, wireName, declared) ?? declared)
}

/** Whether whoever agrees to this call must give a second factor. */
export function needsStepUp(engine: Engine, contract: WriteContract, input: unknown): boolean {
  const rule = contract.stepUp ?? 'never'
  if (typeof rule === 'string') return rule === 'always'
  return cautious(engine, `${contract.name} step-up`, true, () => rule.when(input))
}

/** Whether an operator's rule leaves this call to several people, or to another than who asks. */
export function needsPeople(engine: Engine, wireName: string, risk: Risk): boolean {
  const { approvers, fourEyes } = approvalNeeds(engine.settings.approvals, wireName, risk)
  return approvers > 1 || fourEyes
}

/** A rule of a contract that breaks off is no reason to be less careful. */
function cautious<T>(engine: Engine, where: string, careful: T, rule: () => T): T {
  try {
    return rule()
  } catch (error) {
    engine.report(error, where)
    return careful
  }
}

/** Operators read the whole reason with the call; the agent is told less. */
async function noteLapsed(engine: Engine, request: CallRequest, { grant, lapse }: Lapsed): Promise<void> {
  if (request.entry === undefined) return
  const data = JSON.stringify({ grant: grant.id, why: lapseText(lapse, grant) })
  await engine.journal?.event(request.entry, { name: 'grant.lapsed', data })
}

/** Writes down what the gate said, and tells the agent of a permission that does not count any more. */
export const stamp = (answer: Answer, verdict: Gated): Answer => ({
  ...answer,
  ...(verdict.lapsed === undefined ? {} : { text: `${answer.text}\n\n${lapsedSentence(verdict.lapsed.grant)}` }),
  verdict: `${verdict.kind}:${verdict.rule}${verdict.rule === 'grant' ? `:${verdict.cover?.grant.id ?? ''}` : ''}`,
  risk: verdict.risk,
})

export function denied(engine: Engine, request: CallRequest, tool: Tool, verdict: Gated): Answer {
  if (verdict.rule !== 'frozen') return unknownTool(engine, request)
  const failure = { kind: 'frozen', tool: tool.wireName, reason: verdict.reason ?? '' } as const
  return stamp(failureAnswer(engine, tool, failure, { outcome: 'refused' }), verdict)
}

/** A forbidden tool and one that does not exist are answered by the same words. */
export function unknownTool(engine: Engine, request: CallRequest): Answer {
  const guidance = guidanceFor(unknownFailure(engine, request.tool))
  return { outcome: 'refused', tool: request.tool, guidance, text: guidanceText(guidance) }
}

export const unknownFailure = (engine: Engine, name: string): Failure => ({
  kind: 'unknown-tool',
  tool: name,
  near: nearest(
    name,
    engine.catalog.tools.map((tool) => tool.wireName),
  ),
})

/** Which of these permissions the caller lacks: by the credential of this call, or by the engine's own rule. */
export function missingOf(
  engine: Pick<Engine, 'missingPermissions'>,
  { principal, permissions }: Pick<CallRequest['caller'], 'principal' | 'permissions'>,
  asked: readonly string[],
): readonly string[] {
  const refused = engine.missingPermissions(principal, asked)
  return asked.filter((one) => refused.includes(one) || (permissions !== 'all' && !permissions.includes(one)))
}

/** Why the caller may not use the tool. Of one that is unknown to them nothing is said. */
export function notPermitted(engine: Engine, request: CallRequest): Failure | undefined {
  const tool = request.found ?? engine.catalog.find(request.tool)
  if (tool === undefined || request.refusal?.kind === 'unknown-tool') return undefined
  if (riskAtMost(tool.contract.risk) === 'forbidden') return undefined
  const missing = missingOf(engine, request.caller, tool.contract.permissions ?? [])
  return missing.length === 0 ? undefined : { kind: 'not-permitted', tool: tool.wireName, missing }
}

export function checkPermissions(engine: Engine, request: CallRequest, tool: Tool): Answer | undefined {
  const missing = missingOf(engine, request.caller, tool.contract.permissions ?? [])
  if (missing.length === 0) return undefined
  const failure = { kind: 'not-permitted', tool: tool.wireName, missing } as const
  return failureAnswer(engine, tool, failure, { outcome: 'refused' })
}
