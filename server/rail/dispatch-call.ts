// What happens to an admitted call: its tool is found, its arguments are parsed, the gate is asked, and then the call is
// previewed, applied, read or left to an approval.
import type { Risk } from '../model/risk.ts'
import { isWriteTool } from '../tools/catalog.ts'
import { applyPlan } from './apply/apply.ts'
import { applyFound, applyNamed, applyStep, askAgain } from './apply/apply-named.ts'
import { asStored, keepWaiting, renewWith, servesSteps } from './bundles/bundle-call.ts'
import { isBundleTool } from './bundles/bundle-contract.ts'
import type { Cover } from './authorize/grant-cover.ts'
import { runGranted } from './apply/run-under-grant.ts'
import { applyPlanName } from './apply/apply-plan.ts'
import type { Failure } from '../errors/failure.ts'
import { failureAnswer } from './answers/answers.ts'
import { isOwnFault } from './answers/own-fault.ts'
import { requestApproval } from './authorize/request-approval.ts'
import type { Approval } from '../model/approvals.ts'
import { applyByReference } from './apply/apply-by-reference.ts'
import { noteAutoApproved } from './authorize/auto-approve.ts'
import { checkPermissions, denied, gate, withVerdict, unknownTool, type GateVerdict } from './authorize/gate.ts'
import { graceUntil } from './intake/rationale-grace.ts'
import type { Answer } from './answers/outcome.ts'
import { readArguments } from './intake/read-arguments.ts'
import { openPlanForRun, previewCall } from './preview/preview.ts'
import { runRead } from './read.ts'
import { plannedCall, currentTool, parsedCall, visible, type CallContext, type WriteCall } from './call-context.ts'
import { refusedPlan } from './answers/plan-answers.ts'
import { cardWords } from '../cards/card-words.ts'
import { languageOf } from './language.ts'

/** Takes a call to its outcome. Throws only where the server itself fails: its store, or a bug. */
export async function dispatchCall(context: CallContext): Promise<Answer> {
  const { engine, request } = context
  const tool = visible(currentTool(context))
  const refuse = (failure: Failure): Answer =>
    failureAnswer({ engine, tool, request }, failure, { outcome: isOwnFault(failure) ? 'failed' : 'refused' })
  if (request.tool === applyPlanName) return applyByReference(context)
  if (request.refusal !== undefined) return refuse(request.refusal)
  if (tool === undefined) return unknownTool(context)
  const parsed = readArguments({ ...context, tool }, request.args, {
    mayLackRationale: graceUntil(engine, request.source) !== undefined,
    reason: request.declared?.intent.reason,
    report: engine.report,
  })
  if (!parsed.ok) return refuse(parsed.failure)
  if (isWriteTool(tool)) {
    const call = parsedCall({ ...context, tool }, parsed.value)
    return isBundleTool(tool) ? dispatchBundle(call) : dispatchWrite(call)
  }
  const call = parsedCall({ ...context, tool }, parsed.value)
  const verdict = await gate(call)
  return verdict.kind === 'deny' ? unknownTool(call) : withVerdict(await runRead(call), verdict)
}

/** A bundle is previewed from what its plans are now; one that names its own plan is looked up by that. */
async function dispatchBundle(call: WriteCall): Promise<Answer> {
  const verdict = await gate(call)
  if (verdict.kind === 'deny') return denied(call, verdict)
  const renew = renewWith(applyStep)
  if (call.intent === 'apply' && call.ticket !== undefined) return dispatchWrite({ ...(await asStored(call)), renew })
  const opened = await renew(call)
  return opened.kind === 'answer' ? opened.answer : keepWaiting(opened.call, await dispatchWrite(opened.call))
}

async function dispatchWrite(call: WriteCall, ungranted = false): Promise<Answer> {
  const { intent, ticket } = call
  if (intent === 'apply' && ticket !== undefined) return applyNamed(call, ticket)
  const verdict = await gate(call, { ungranted })
  const { cover } = verdict
  switch (verdict.kind) {
    case 'deny':
      return denied(call, verdict)
    case 'approve':
      return withVerdict(await approveOrPreview(call, verdict.risk), verdict)
    case 'preview':
      return withVerdict(await previewCall(call, { notices: whyPreview(call, cover), cover }), verdict)
    case 'allow':
      if (cover === undefined) {
        await noteAutoApproved(call, verdict)
        return runWithoutPerson(call, verdict)
      }
      return runGranted(call, { ...verdict, cover }, () => dispatchWrite(call, true))
    default:
      return verdict satisfies never
  }
}

function whyPreview(
  call: WriteCall,
  cover: Cover | undefined,
): readonly { readonly title: string; readonly text: string }[] {
  const { intent, ticket } = call
  const { previewFirst, confirmFirst, isPreview, newPreview, stillPreview } = cardWords(languageOf(call))
  if (intent === 'apply') return [{ title: cover === undefined ? confirmFirst : previewFirst, text: isPreview }]
  return ticket === undefined ? [] : [{ title: newPreview, text: stillPreview }]
}

/** A server without approvals can still show what would happen; its preview says that it cannot be applied from here. */
const approveOrPreview = (call: WriteCall, risk: Risk): Promise<Answer> =>
  call.engine.approvals === undefined ? previewCall(call) : requestApproval(call, risk)

/** Autonomous calls take the same steps as confirmed ones: a plan, a claim, a record; only nobody was asked. */
async function runWithoutPerson(call: WriteCall, verdict: GateVerdict): Promise<Answer> {
  const opened = await openPlanForRun(call)
  return opened.kind === 'answer'
    ? withVerdict(opened.answer, verdict)
    : applyPlan(opened.call, (answer) => withVerdict(answer, verdict))
}

/**
 * Runs an approved call in the process that serves its tool. `undefined` where this process does not.
 * Permission, risk and basis are checked again; a moved basis asks for a new approval.
 */
export async function dispatchApproved(context: CallContext, approval: Approval): Promise<Answer | undefined> {
  const { engine } = context
  const tool = currentTool(context)
  if (tool === undefined || !isWriteTool(tool)) return undefined
  // What was decided on is in English, and a bundle rests on what its steps show.
  const call = { ...context, tool, request: { ...context.request, language: 'en' } }
  const plan = await engine.plans.find({ by: 'id', id: approval.planId })
  if (plan === undefined || plan.definition !== tool.definition) return refusedPlan(call, 'unknown')
  const missing = checkPermissions(call)
  if (missing !== undefined) return missing
  await tool.contract.prepare?.()
  const planned = plannedCall(call, plan)
  if (isBundleTool(tool) && !(await servesSteps(planned))) return undefined
  const answer = await applyFound(planned, { credential: 'approval', approval })
  if (answer.outcome === 'stale')
    await askAgain(isBundleTool(tool) ? { ...planned, renew: renewWith(applyStep) } : planned, approval.risk)
  return answer
}
