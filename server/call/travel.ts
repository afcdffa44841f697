// The life of a call on one screen: find the tool, parse, check permission, ask the gate, then preview or run.
import { guidanceFor } from '../errors/table.ts'
import { decide, type Facts, type Verdict } from '../policy/decide.ts'
import { proofBrought } from '../policy/proof.ts'
import type { Tool } from '../tools/catalog.ts'
import type { Contract, Risk, WriteContract } from '../tools/contract.ts'
import { riskAtMost, riskOf } from '../tools/define-tool.ts'
import { applyPlan } from './apply.ts'
import { applyPlanName, readApplyPlan } from './apply-plan.ts'
import { failureAnswer, guidanceText } from './answers.ts'
import { requestApproval, waitingAnswer } from './approve.ts'
import type { Approval } from './approvals.ts'
import { callDifferences, deadReason, findOwnPlan, isDead } from './named-plan.ts'
import { graceUntil } from './grace.ts'
import type { Plan } from './ledger.ts'
import { nearest } from './nearest.ts'
import type { Answer } from './outcome.ts'
import { parseCall, type ParsedCall } from './parse.ts'
import { previewCall } from './preview.ts'
import { runRead } from './read.ts'
import type { CallRequest, Road } from './request.ts'
import { refusedPlan, settledAnswer, withFreshPreview } from './settled.ts'

/** Everything that is known of a write once it has been parsed. */
interface Write {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly parsed: ParsedCall
}

/** Takes a call to its outcome. Throws only when our own ground gives way. */
export async function travel(road: Road, request: CallRequest): Promise<Answer> {
  if (request.tool === applyPlanName) return travelByReference(road, request)
  const tool = request.found ?? road.catalog.find(request.tool)
  if (tool === undefined || riskAtMost(tool.contract.risk) === 'forbidden')
    return request.refusal === undefined
      ? unknownTool(road, request)
      : failureAnswer(road, undefined, request.refusal, { outcome: 'refused' })
  if (request.refusal !== undefined) return failureAnswer(road, tool, request.refusal, { outcome: 'refused' })
  const mayLackRationale = graceUntil(road, request.source) !== undefined
  const parsed = parseCall(tool, request.args, road.settings.maxArgumentBytes, mayLackRationale)
  if (!parsed.ok) return failureAnswer(road, tool, parsed.failure, { outcome: 'refused' })
  const denied = checkPermissions(road, request, tool)
  if (denied !== undefined) return denied
  const { contract } = tool
  if (contract.operation !== 'read') return travelWrite(road, request, { tool, contract, parsed: parsed.value })
  const verdict = await gate(road, request, tool, parsed.value.input, { intent: 'apply', proof: 'none' })
  if (verdict.kind === 'deny') return unknownTool(road, request)
  return stamp(await runRead(road, request, tool, contract, parsed.value), verdict)
}

async function travelWrite(road: Road, request: CallRequest, write: Write): Promise<Answer> {
  const { tool, contract, parsed } = write
  if (parsed.intent === 'apply' && parsed.ticket !== undefined) return applyNamed(road, request, write, parsed.ticket)
  const verdict = await gate(road, request, tool, parsed.input, { intent: parsed.intent, proof: 'none' })
  switch (verdict.kind) {
    case 'deny':
      return denied(road, request, tool, verdict)
    case 'approve':
      return stamp(await approveOrPreview(road, request, write, verdict.risk), verdict)
    case 'preview':
      return stamp(await previewCall(road, request, tool, contract, parsed, { notices: whyPreview(parsed) }), verdict)
    case 'allow':
      return stamp(await runWithoutPerson(road, request, write), verdict)
    default:
      return verdict satisfies never
  }
}

type Gated = Verdict & { readonly risk: Risk; readonly reason?: string }

/** Gathers the facts of a call and asks the gate. */
async function gate(
  road: Road,
  request: CallRequest,
  tool: Tool,
  input: unknown,
  asked: Pick<Facts, 'intent' | 'proof'> & { readonly approved?: boolean },
): Promise<Gated> {
  const { contract } = tool
  const { tenant } = request.caller.principal
  const write = contract.operation === 'read' ? undefined : contract
  const freeze = write === undefined ? undefined : await road.switches?.frozen(tenant)
  const risk = ratedRisk(road, tenant, contract, tool.wireName, input)
  const verdict = decide({
    operation: contract.operation,
    risk,
    autonomous: write?.autonomous === true,
    dryRunRequired: write?.dryRunRequired === true,
    stepUp: write !== undefined && needsStepUp(write, input),
    required: road.settings.proof,
    cards: request.caller.cards,
    approved: false,
    hostConfirms: road.settings.confirmation === 'host',
    autoApproveHigh: road.settings.autoApproveHigh.includes(tenant),
    frozen: freeze !== undefined,
    ...asked,
  })
  return { ...verdict, risk, ...(freeze === undefined ? {} : { reason: freeze.reason }) }
}

/** The contract's risk of this input, as the operator rates it. What is forbidden stays forbidden. */
function ratedRisk(road: Road, tenant: string, contract: Contract, wireName: string, input: unknown): Risk {
  const declared = riskOf(contract.risk, input)
  return declared === 'forbidden' ? declared : (road.settings.riskOf?.(tenant, wireName, declared) ?? declared)
}

function needsStepUp(contract: WriteContract, input: unknown): boolean {
  const rule = contract.stepUp ?? 'never'
  return typeof rule === 'string' ? rule === 'always' : rule.when(input)
}

const stamp = (answer: Answer, verdict: Gated): Answer => ({
  ...answer,
  verdict: `${verdict.kind}:${verdict.rule}`,
  risk: verdict.risk,
})

function denied(road: Road, request: CallRequest, tool: Tool, verdict: Gated): Answer {
  if (verdict.rule !== 'frozen') return unknownTool(road, request)
  const failure = { kind: 'frozen', tool: tool.wireName, reason: verdict.reason ?? '' } as const
  return stamp(failureAnswer(road, tool, failure, { outcome: 'refused' }), verdict)
}

/** A forbidden tool and one that does not exist are answered by the same words. */
function unknownTool(road: Road, request: CallRequest): Answer {
  const names = road.catalog.tools.map((tool) => tool.wireName)
  const guidance = guidanceFor({ kind: 'unknown-tool', tool: request.tool, near: nearest(request.tool, names) })
  return { outcome: 'refused', tool: request.tool, guidance, text: guidanceText(guidance) }
}

function checkPermissions(road: Road, request: CallRequest, tool: Tool): Answer | undefined {
  const missing = road.missingPermissions(request.caller.principal, tool.contract.permissions ?? [])
  if (missing.length === 0) return undefined
  const failure = { kind: 'not-permitted', tool: tool.wireName, missing } as const
  return { ...failureAnswer(road, tool, failure, { outcome: 'refused' }), missing }
}

function whyPreview({ intent, ticket }: ParsedCall): readonly { readonly title: string; readonly text: string }[] {
  if (intent === 'apply')
    return [{ title: 'Not done yet: a person must confirm it first.', text: 'This is the preview.' }]
  if (ticket === undefined) return []
  return [{ title: 'This is a new preview.', text: 'The call named a ticket but did not say preview=False.' }]
}

/** A server without approvals can still show what would happen; its preview says that it cannot be applied from here. */
async function approveOrPreview(road: Road, request: CallRequest, write: Write, risk: Risk): Promise<Answer> {
  const { tool, contract, parsed } = write
  if (road.approvals === undefined) return previewCall(road, request, tool, contract, parsed)
  return requestApproval(road, request, { ...write, risk, stepUp: needsStepUp(contract, parsed.input) })
}

/** An apply that names its plan: by ticket, by id, or by the approval that rests on it. */
async function applyNamed(road: Road, request: CallRequest, write: Write, ticket: string): Promise<Answer> {
  const { tool, contract, parsed } = write
  const found = await findOwnPlan(road, request, ticket)
  if (found.kind === 'refused') return refusedPlan(road, tool, found.reason)
  const { plan } = found
  const fields = callDifferences(plan, tool, parsed)
  if (fields.length === 0) return applyFound(road, request, { tool, contract, plan }, found)
  // Where the confirmed arguments are not these, a dead plan is the more useful answer than its differences.
  if (isDead(plan)) return refusedPlan(road, tool, deadReason(plan), { planId: plan.id })
  return withFreshPreview(road, request, tool, contract, { kind: 'mismatch', tool: tool.wireName, fields }, plan, {
    title: 'Not applied: this is not the call that was confirmed.',
    text: 'Nothing ran. This is a preview of the call as it came.',
  })
}

interface Named {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly plan: Plan
}

/**
 * The last stretch, for a plan that is named, owned by the caller and equal to the call. What runs from here on is what
 * was stored: the message has done its duty by naming it.
 */
async function applyFound(
  road: Road,
  request: CallRequest,
  named: Named,
  proof: { readonly credential: 'plan' | 'ticket' | 'approval'; readonly approval?: Approval | undefined },
): Promise<Answer> {
  const { tool, contract, plan } = named
  const { approval } = proof
  const stored = contract.input.safeParse(JSON.parse(plan.args))
  if (!stored.success) throw new Error(`The stored arguments of ${plan.id} do not parse.`, { cause: stored.error })
  const confirmed = { ...named, input: stored.data }
  if (plan.state !== 'open' && approval === undefined) return settledAnswer(road, request, confirmed)
  if (approval !== undefined && approval.state !== 'approved') return undecided(road, request, named, approval)
  const brought = proof.credential === 'approval' ? 'none' : proofBrought(proof.credential, plan.click)
  const verdict = await gate(road, request, tool, stored.data, {
    intent: 'apply',
    proof: brought,
    approved: approval !== undefined,
  })
  if (verdict.kind === 'deny') return denied(road, request, tool, verdict)
  if (verdict.kind !== 'allow') return stamp(await proofMissing(road, request, confirmed, verdict), verdict)
  if (plan.state === 'stale' && approval !== undefined)
    return stamp(await askAgain(road, request, confirmed, verdict.risk), verdict)
  return stamp(await applyPlan(road, request, confirmed), verdict)
}

function undecided(road: Road, request: CallRequest, { tool, contract, plan }: Named, approval: Approval): Answer {
  if (approval.state === 'pending') return waitingAnswer(road, request, tool, contract, approval)
  return refusedPlan(road, tool, approval.state === 'rejected' ? 'rejected' : 'expired', {
    planId: plan.id,
    detail: approval.reason,
  })
}

async function proofMissing(
  road: Road,
  request: CallRequest,
  confirmed: Named & { readonly input: unknown },
  verdict: Gated,
): Promise<Answer> {
  const { tool, contract, plan } = confirmed
  if (road.approvals === undefined || verdict.kind !== 'approve') {
    const { needed, brought } = verdict.kind === 'approve' ? verdict : { needed: 'ticket', brought: 'none' }
    const failure = { kind: 'proof-missing', tool: tool.wireName, needed, brought } as const
    return failureAnswer(road, tool, failure, { outcome: 'refused', planId: plan.id })
  }
  const parsed = storedCall(confirmed)
  const stepUp = needsStepUp(contract, confirmed.input)
  return requestApproval(road, request, { tool, contract, parsed, risk: verdict.risk, stepUp, plan })
}

/** What an approver agreed to is not what is there now: somebody must look again. */
const askAgain = (
  road: Road,
  request: CallRequest,
  confirmed: Named & { readonly input: unknown },
  risk: Risk,
): Promise<Answer> =>
  requestApproval(road, request, {
    ...confirmed,
    plan: undefined,
    parsed: storedCall(confirmed),
    risk,
    stepUp: needsStepUp(confirmed.contract, confirmed.input),
  })

const storedCall = ({ plan, input }: { readonly plan: Plan; readonly input: unknown }): ParsedCall => ({
  input,
  canonical: plan.args,
  rationale: plan.rationale,
  intent: 'apply',
  ticket: undefined,
})

/** Autonomous calls take the same steps as confirmed ones: a plan, a claim, a record; only nobody was asked. */
async function runWithoutPerson(road: Road, request: CallRequest, write: Write): Promise<Answer> {
  const { tool, contract, parsed } = write
  const previewed = await previewCall(road, request, tool, contract, parsed)
  if (previewed.planId === undefined) return previewed
  const plan = await road.ledger.find({ by: 'id', id: previewed.planId })
  if (plan === undefined) return refusedPlan(road, tool, 'unknown')
  return applyPlan(road, request, { tool, contract, plan, input: parsed.input })
}

/** `apply_plan`: the reference form. It runs exactly the stored plan, gated as its inner tool, never without a ticket. */
async function travelByReference(road: Road, request: CallRequest): Promise<Answer> {
  const read = readApplyPlan(request.args)
  if (!read.ok) {
    const guidance = guidanceFor(read.failure)
    return { outcome: 'refused', tool: request.tool, guidance, text: guidanceText(guidance) }
  }
  const tool = road.catalog.find(read.value.tool)
  if (tool === undefined || tool.contract.operation === 'read' || riskAtMost(tool.contract.risk) === 'forbidden')
    return unknownTool(road, { ...request, tool: read.value.tool })
  const missing = checkPermissions(road, request, tool)
  if (missing !== undefined) return missing
  const found = await findOwnPlan(road, request, read.value.ticket)
  if (found.kind === 'refused') return refusedPlan(road, tool, found.reason)
  const { plan } = found
  if (found.credential === 'plan' || plan.tool !== tool.wireName || plan.definition !== tool.definition)
    return refusedPlan(road, tool, 'unknown')
  return applyFound(road, request, { tool, contract: tool.contract, plan }, found)
}

/**
 * Runs an approved call in the process that serves its tool. `undefined` where this process does not.
 * Permission, risk and basis are checked again; a moved basis asks for a new approval.
 */
export async function travelApproved(
  road: Road,
  request: CallRequest,
  approval: Approval,
): Promise<Answer | undefined> {
  const tool = road.catalog.find(approval.tool)
  if (tool === undefined || tool.contract.operation === 'read') return undefined
  const plan = await road.ledger.find({ by: 'id', id: approval.planId })
  if (plan === undefined || plan.definition !== tool.definition) return refusedPlan(road, tool, 'unknown')
  const missing = checkPermissions(road, request, tool)
  if (missing !== undefined) return missing
  const named = { tool, contract: tool.contract, plan }
  const answer = await applyFound(road, request, named, { credential: 'approval', approval })
  if (answer.outcome !== 'stale') return answer
  const stored = tool.contract.input.parse(JSON.parse(plan.args))
  await askAgain(road, request, { ...named, input: stored }, approval.risk)
  return answer
}
