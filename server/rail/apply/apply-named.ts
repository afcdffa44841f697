// An apply that names its plan: whose it is, whether the call is the one that was confirmed, whether the proof suffices.
// What runs after that is what was stored.
import { proofBrought } from '../../policy/proof.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { WriteContract } from '../../tools/contract.ts'
import type { Risk } from '../../model/risk.ts'
import { failureAnswer } from '../answers/answers.ts'
import { applyPlan } from './apply.ts'
import type { Approval } from '../../model/approvals.ts'
import { requestApproval, waitingAnswer } from '../authorize/request-approval.ts'
import { denied, gate, needsStepUp, stamp, type Gated } from '../authorize/gate.ts'
import { applyGranted } from './run-under-grant.ts'
import type { Plan } from '../../model/plan-store.ts'
import { callDifferences, deadReason, findOwnPlan, isDead } from '../intake/named-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import type { ParsedCall } from '../intake/parse.ts'
import type { CallRequest, Engine } from '../engine.ts'
import { refusedPlan, planAnswer, withFreshPreview } from '../answers/plan-answers.ts'

/** Everything that is known of a write once it has been parsed. */
export interface Write {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly parsed: ParsedCall
}

/** An apply that names its plan: by ticket, by id, or by the approval that rests on it. */
export async function applyNamed(engine: Engine, request: CallRequest, write: Write, ticket: string): Promise<Answer> {
  const { tool, contract, parsed } = write
  const found = await findOwnPlan(engine, request, ticket)
  if (found.kind === 'refused') return refusedPlan(engine, tool, found.reason)
  const { plan } = found
  const fields = callDifferences(plan, tool, parsed)
  if (fields.length === 0) return applyFound(engine, request, { tool, contract, plan }, found)
  // Where the confirmed arguments are not these, a dead plan is the more useful answer than its differences.
  if (isDead(plan)) return refusedPlan(engine, tool, deadReason(plan), { planId: plan.id })
  return withFreshPreview(engine, request, tool, contract, { kind: 'mismatch', tool: tool.wireName, fields }, plan, {
    title: 'Not applied: this is not the call that was confirmed.',
    text: 'Nothing ran. This is a preview of the call as it came.',
  })
}

export interface Named {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly plan: Plan
}

/**
 * The last stretch, for a plan that is named, owned by the caller and equal to the call. What runs from here on is what
 * was stored: the message has done its duty by naming it.
 */
export async function applyFound(engine: Engine, request: CallRequest, named: Named, proof: Proven): Promise<Answer> {
  const answer = await applyProven(engine, request, named, proof)
  return proof.approval === undefined ? answer : { ...answer, approvalId: proof.approval.id }
}

interface Proven {
  readonly credential: 'plan' | 'ticket' | 'approval'
  readonly approval?: Approval | undefined
}

async function applyProven(
  engine: Engine,
  request: CallRequest,
  named: Named,
  proof: Proven,
  ungranted?: true,
): Promise<Answer> {
  const { tool, contract, plan } = named
  const { approval } = proof
  const stored = contract.input.safeParse(JSON.parse(plan.args))
  if (!stored.success) throw new Error(`The stored arguments of ${plan.id} do not parse.`, { cause: stored.error })
  const confirmed = { ...named, input: stored.data }
  if (plan.state !== 'open' && approval === undefined) return planAnswer(engine, request, confirmed)
  if (approval !== undefined && approval.state !== 'approved')
    return { ...undecided(engine, request, named, approval), verdict: `approve:${approval.state}`, risk: approval.risk }
  const brought = proof.credential === 'approval' ? 'none' : proofBrought(proof.credential, plan.click)
  const verdict = await gate(engine, request, tool, stored.data, {
    intent: 'apply',
    proof: brought,
    approved: approval !== undefined,
    ...(ungranted === undefined ? {} : { ungranted }),
  })
  const { cover } = verdict
  if (verdict.kind === 'deny') return denied(engine, request, tool, verdict)
  if (verdict.kind !== 'allow') return stamp(await proofMissing(engine, request, confirmed, verdict), verdict)
  if (plan.state === 'stale' && approval !== undefined)
    return stamp(await askAgain(engine, request, confirmed, verdict.risk), verdict)
  if (cover !== undefined)
    return applyGranted(engine, request, confirmed, { ...verdict, cover }, () =>
      applyProven(engine, request, named, proof, true),
    )
  return stamp(await applyPlan(engine, request, confirmed), verdict)
}

function undecided(engine: Engine, request: CallRequest, { tool, contract, plan }: Named, approval: Approval): Answer {
  if (approval.state === 'pending') return waitingAnswer(engine, request, tool, contract, approval)
  return refusedPlan(engine, tool, approval.state === 'rejected' ? 'rejected' : 'expired', {
    planId: plan.id,
    detail: approval.reason,
  })
}

async function proofMissing(
  engine: Engine,
  request: CallRequest,
  confirmed: Named & { readonly input: unknown },
  verdict: Gated,
): Promise<Answer> {
  const { tool, contract, plan } = confirmed
  if (engine.approvals === undefined || verdict.kind !== 'approve') {
    const { needed, brought } = verdict.kind === 'approve' ? verdict : { needed: 'ticket', brought: 'none' }
    const failure = { kind: 'proof-missing', tool: tool.wireName, needed, brought } as const
    return failureAnswer(engine, tool, failure, { outcome: 'refused', planId: plan.id })
  }
  const parsed = storedCall(confirmed)
  const stepUp = needsStepUp(engine, contract, confirmed.input)
  return requestApproval(engine, request, { tool, contract, parsed, risk: verdict.risk, stepUp, plan })
}

/** What an approver agreed to is not what is there now: somebody must look again. */
export const askAgain = (
  engine: Engine,
  request: CallRequest,
  confirmed: Named & { readonly input: unknown },
  risk: Risk,
): Promise<Answer> =>
  requestApproval(engine, request, {
    ...confirmed,
    plan: undefined,
    parsed: storedCall(confirmed),
    risk,
    stepUp: needsStepUp(engine, confirmed.contract, confirmed.input),
  })

const storedCall = ({ plan, input }: { readonly plan: Plan; readonly input: unknown }): ParsedCall => ({
  input,
  canonical: plan.args,
  rationale: plan.rationale,
  intent: 'apply',
  ticket: undefined,
})
