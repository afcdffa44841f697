// An apply that names its plan: whose it is, whether the call is the one that was confirmed, whether the proof suffices.
// What runs after that is what was stored.
import type { Risk } from '../../model/risk.ts'
import { proofBrought, type Proof } from '../../policy/proof.ts'
import type { Plan } from '../../model/plan-store.ts'
import { keepWaiting, withMembers } from '../bundles/bundle-call.ts'
import type { ApplyStep } from '../bundles/bundle-steps.ts'
import { failureAnswer } from '../answers/answers.ts'
import { applyPlan } from './apply.ts'
import type { Approval } from '../../model/approvals.ts'
import { requestApproval, waitingAnswer } from '../authorize/request-approval.ts'
import { noteAutoApproved } from '../authorize/auto-approve.ts'
import { denied, gate, withVerdict, type GateVerdict } from '../authorize/gate.ts'
import { applyGranted } from './run-under-grant.ts'
import { callDifferences, findOwnPlan, whyUnusable } from '../intake/named-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import { plannedCall, type PlannedCall, type Proven, type WriteCall } from '../call-context.ts'
import { cardWords } from '../../cards/card-words.ts'
import { languageOf } from '../language.ts'
import { refusedPlan, planAnswer, withFreshPreview } from '../answers/plan-answers.ts'

/** An apply that names its plan: by ticket, by id, or by the approval that rests on it. */
export async function applyNamed(call: WriteCall, ticket: string): Promise<Answer> {
  const found = await findOwnPlan(call, ticket)
  if (found.kind === 'refused') return refusedPlan(call, found.reason)
  const { plan } = found
  const fields = callDifferences(plan, call)
  if (fields.length === 0) return applyFound(plannedCall(call, plan), found)
  // Where the plan cannot be applied at all, that is the more useful answer than how the arguments differ.
  const unusable = whyUnusable(plan)
  if (unusable !== undefined) return refusedPlan({ ...call, plan }, unusable, { planId: plan.id })
  const { mismatch, mismatchNext } = cardWords(languageOf(call))
  const notice = { title: mismatch, text: mismatchNext }
  return withFreshPreview(call, plan, { kind: 'mismatch', tool: call.tool.wireName, fields }, { notices: [notice] })
}

/** The last stretch, for a plan that is named, owned by the caller and equal to the call. */
export async function applyFound(call: PlannedCall, proof: Proven): Promise<Answer> {
  const known = await withMembers(call, applyStep)
  if ('outcome' in known) return withApproval(known, proof)
  return keepWaiting(known, withApproval(await applyProven(known, proof), proof))
}

/** A step of a bundle that was confirmed: what the bundle had to bring, it has brought. */
export const applyStep: ApplyStep = (call) => applyProven(call, { credential: 'bundle' })

const withApproval = (answer: Answer, { approval }: Proven): Answer =>
  approval === undefined ? answer : { ...answer, approvalId: approval.id }

async function applyProven(named: PlannedCall, proof: Proven, ungranted = false): Promise<Answer> {
  const call = { ...named, proof }
  const { plan } = call
  const { approval } = proof
  if (plan.state !== 'open' && approval === undefined) return planAnswer(call)
  if (approval !== undefined && approval.state !== 'approved')
    return { ...undecided(call, approval), verdict: `approve:${approval.state}`, risk: approval.risk }
  const brought = broughtBy(proof, plan)
  const verdict = await gate(call, { proof: brought, approved: approval !== undefined, ungranted })
  const { cover } = verdict
  if (verdict.kind === 'deny') return denied(call, verdict)
  if (verdict.kind !== 'allow') return withVerdict(await proofMissing(call, verdict), verdict)
  // What an approver agreed to is not what is there now: somebody must look again.
  if (plan.state === 'stale' && approval !== undefined) return withVerdict(await askAgain(call, verdict.risk), verdict)
  if (cover !== undefined) return applyGranted(call, { ...verdict, cover }, () => applyProven(call, proof, true))
  await noteAutoApproved(call, verdict)
  const told = proof.credential === 'bundle' ? ({ ...verdict, rule: 'bundle' } as const) : verdict
  return applyPlan(call, (answer) => withApproval(withVerdict(answer, told), proof))
}

/** Asks for a new approval of a call whose state is another than was approved. */
export async function askAgain(call: WriteCall, risk: Risk): Promise<Answer> {
  const renewed = await call.renew?.(call)
  if (renewed?.kind === 'answer') return renewed.answer
  const again = renewed?.call ?? call
  return keepWaiting(again, await requestApproval(again, risk))
}

function broughtBy({ credential }: Proven, { click }: Plan): Proof {
  if (credential === 'approval') return 'none'
  return credential === 'bundle' ? 'recorded' : proofBrought(credential, click)
}

function undecided(call: PlannedCall, approval: Approval): Answer {
  if (approval.state === 'pending') return waitingAnswer(call, approval)
  return refusedPlan(call, approval.state === 'rejected' ? 'rejected' : 'expired', {
    planId: call.plan.id,
    detail: approval.reason,
  })
}

async function proofMissing(call: PlannedCall, verdict: GateVerdict): Promise<Answer> {
  const { engine, tool, plan } = call
  if (engine.approvals !== undefined && verdict.kind === 'approve') return requestApproval(call, verdict.risk, plan)
  const { needed, brought } = verdict.kind === 'approve' ? verdict : { needed: 'ticket', brought: 'none' }
  const failure = { kind: 'proof-missing', tool: tool.wireName, needed, brought } as const
  return failureAnswer(call, failure, { outcome: 'refused', planId: plan.id })
}
