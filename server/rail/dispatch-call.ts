// The life of an admitted call on one screen: find the tool, parse, ask the gate, then preview or run.
import type { Risk } from '../model/risk.ts'
import { riskAtMost } from '../tools/define-tool.ts'
import { applyPlan } from './apply/apply.ts'
import { applyFound, applyNamed, askAgain, type Write } from './apply/apply-named.ts'
import type { Cover } from './authorize/grant-cover.ts'
import { runGranted } from './apply/run-under-grant.ts'
import { applyPlanName } from './apply/apply-plan.ts'
import type { Failure } from '../errors/failure.ts'
import { failureAnswer } from './answers/answers.ts'
import { isOwnFault } from './answers/own-fault.ts'
import { requestApproval } from './authorize/request-approval.ts'
import type { Approval } from '../model/approvals.ts'
import { applyByReference } from './apply/apply-by-reference.ts'
import { checkPermissions, denied, gate, needsStepUp, stamp, unknownTool } from './authorize/gate.ts'
import { graceUntil } from './intake/grace.ts'
import type { Answer } from './answers/outcome.ts'
import { parseCall, type ParsedCall } from './intake/parse.ts'
import { previewCall } from './preview/preview.ts'
import { runRead } from './preview/read.ts'
import type { CallRequest, Engine } from './engine.ts'
import { refusedPlan } from './answers/plan-answers.ts'

/** Takes a call to its outcome. Throws only when our own ground gives way. */
export async function dispatchCall(engine: Engine, request: CallRequest): Promise<Answer> {
  const tool = request.found ?? engine.catalog.find(request.tool)
  const known = tool === undefined || riskAtMost(tool.contract.risk) === 'forbidden' ? undefined : tool
  const refuse = (failure: Failure): Answer =>
    failureAnswer(engine, known, failure, { outcome: isOwnFault(failure) ? 'failed' : 'refused' })
  if (request.refusal !== undefined) return refuse(request.refusal)
  if (request.tool === applyPlanName) return applyByReference(engine, request)
  if (known === undefined) return unknownTool(engine, request)
  const mayLackRationale = graceUntil(engine, request.source) !== undefined
  const parsed = parseCall(known, request.args, engine.settings.maxArgumentBytes, mayLackRationale)
  if (!parsed.ok) return refuse(parsed.failure)
  const { contract } = known
  if (contract.operation !== 'read')
    return dispatchWrite(engine, request, { tool: known, contract, parsed: parsed.value })
  const verdict = await gate(engine, request, known, parsed.value.input, { intent: 'apply', proof: 'none' })
  if (verdict.kind === 'deny') return unknownTool(engine, request)
  return stamp(await runRead(engine, request, known, contract, parsed.value), verdict)
}

async function dispatchWrite(engine: Engine, request: CallRequest, write: Write, ungranted?: true): Promise<Answer> {
  const { tool, contract, parsed } = write
  if (parsed.intent === 'apply' && parsed.ticket !== undefined) return applyNamed(engine, request, write, parsed.ticket)
  const verdict = await gate(engine, request, tool, parsed.input, {
    intent: parsed.intent,
    proof: 'none',
    ...(ungranted === undefined ? {} : { ungranted }),
  })
  const { cover } = verdict
  switch (verdict.kind) {
    case 'deny':
      return denied(engine, request, tool, verdict)
    case 'approve':
      return stamp(await approveOrPreview(engine, request, write, verdict.risk), verdict)
    case 'preview':
      return stamp(
        await previewCall(engine, request, tool, contract, parsed, { notices: whyPreview(parsed, cover), cover }),
        verdict,
      )
    case 'allow':
      if (cover === undefined) return stamp(await runWithoutPerson(engine, request, write), verdict)
      return runGranted(engine, request, write, { ...verdict, cover }, () =>
        dispatchWrite(engine, request, write, true),
      )
    default:
      return verdict satisfies never
  }
}

function whyPreview(
  { intent, ticket }: ParsedCall,
  cover: Cover | undefined,
): readonly { readonly title: string; readonly text: string }[] {
  if (intent === 'apply' && cover !== undefined)
    return [{ title: 'Not done yet: it is previewed before it is done.', text: 'This is the preview.' }]
  if (intent === 'apply')
    return [{ title: 'Not done yet: a person must confirm it first.', text: 'This is the preview.' }]
  if (ticket === undefined) return []
  return [{ title: 'This is a new preview.', text: 'The call named a ticket but did not say preview=False.' }]
}

/** A server without approvals can still show what would happen; its preview says that it cannot be applied from here. */
async function approveOrPreview(engine: Engine, request: CallRequest, write: Write, risk: Risk): Promise<Answer> {
  const { tool, contract, parsed } = write
  if (engine.approvals === undefined) return previewCall(engine, request, tool, contract, parsed)
  return requestApproval(engine, request, { ...write, risk, stepUp: needsStepUp(engine, contract, parsed.input) })
}

/** Autonomous calls take the same steps as confirmed ones: a plan, a claim, a record; only nobody was asked. */
async function runWithoutPerson(engine: Engine, request: CallRequest, write: Write): Promise<Answer> {
  const { tool, contract, parsed } = write
  const previewed = await previewCall(engine, request, tool, contract, parsed, { alone: true })
  if (previewed.planId === undefined) return previewed
  const plan = await engine.plans.find({ by: 'id', id: previewed.planId })
  if (plan === undefined) return refusedPlan(engine, tool, 'unknown')
  return applyPlan(engine, request, { tool, contract, plan, input: parsed.input })
}

/**
 * Runs an approved call in the process that serves its tool. `undefined` where this process does not.
 * Permission, risk and basis are checked again; a moved basis asks for a new approval.
 */
export async function dispatchApproved(
  engine: Engine,
  request: CallRequest,
  approval: Approval,
): Promise<Answer | undefined> {
  const tool = engine.catalog.find(approval.tool)
  if (tool === undefined || tool.contract.operation === 'read') return undefined
  const plan = await engine.plans.find({ by: 'id', id: approval.planId })
  if (plan === undefined || plan.definition !== tool.definition) return refusedPlan(engine, tool, 'unknown')
  const missing = checkPermissions(engine, request, tool)
  if (missing !== undefined) return missing
  const named = { tool, contract: tool.contract, plan }
  const answer = await applyFound(engine, request, named, { credential: 'approval', approval })
  if (answer.outcome !== 'stale') return answer
  const stored = tool.contract.input.parse(JSON.parse(plan.args))
  await askAgain(engine, request, { ...named, input: stored }, approval.risk)
  return answer
}
