// The reference form of a confirmation: `apply_plan` names the plan, and what runs is what was stored. It is gated as the
// tool of its plan and never takes less than a ticket; what is wrong with it is answered in the words of that tool, or
// in its own where there is no such tool.
import type { Failure } from '../../errors/failure.ts'
import { isWriteTool } from '../../tools/catalog.ts'
import { failureAnswer, failureCard } from '../answers/answers.ts'
import { applyFound } from './apply-named.ts'
import { applyPlanName, applyPlanTitle, readApplyPlan, readPlanTool } from './apply-plan.ts'
import { isOwnFault } from '../answers/own-fault.ts'
import { checkPermissions, unknownFailure } from '../authorize/gate.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import { rationaleError, rationaleLimits } from '../intake/rationale.ts'
import { plannedCall, visible, type CallContext } from '../call-context.ts'
import { refusedPlan } from '../answers/plan-answers.ts'
import { languageOf } from '../language.ts'

/** `apply_plan`: runs exactly the stored plan. */
export async function applyByReference(context: CallContext): Promise<Answer> {
  const { engine, request } = context
  const toolless = toollessIn(context)
  if (request.refusal !== undefined) return toolless(request.refusal)
  const read = readApplyPlan(request.args, engine.settings.maxArgumentBytes)
  if (!read.ok) return toolless(read.failure)
  const { tool: name, rationale, ticket } = read.value
  const tool = visible(engine.catalog.find(name))
  if (tool === undefined || !isWriteTool(tool)) return toolless(unknownFailure(context, name))
  // A plan that came through a gateway's door may have the reason of its intent as its rationale.
  const longest = tool.contract.wire === undefined ? rationaleLimits.longest : rationaleLimits.longestReason
  const wrong = rationale === undefined ? undefined : rationaleError('rationale', rationale, longest)
  if (wrong !== undefined) return toolless({ kind: 'invalid-arguments', tool: applyPlanName, fields: [wrong] })
  const call = { ...context, tool }
  const missing = checkPermissions(call)
  if (missing !== undefined) return missing
  const found = await findOwnPlan(call, ticket)
  if (found.kind === 'refused') return refusedPlan(call, found.reason)
  const { plan } = found
  if (plan.tool !== tool.wireName || plan.definition !== tool.definition) return refusedPlan(call, 'unknown')
  if (found.credential === 'plan') return refusedPlan({ ...call, plan }, 'reference', { planId: plan.id })
  // A plan that was made without a reason is confirmed without one.
  const absent = rationale === undefined && plan.rationale !== '' ? rationaleError('rationale', undefined) : undefined
  if (absent !== undefined) return toolless({ kind: 'invalid-arguments', tool: applyPlanName, fields: [absent] })
  await tool.contract.prepare?.()
  return applyFound(plannedCall(call, plan), found)
}

/**
 * No contract answers here, but `apply_plan` promises what every write promises: the envelope, and a card, in the language of the
 * tool that is named.
 */
function toollessIn({ engine, request }: CallContext): (failure: Failure) => Answer {
  const tool = visible(engine.catalog.find(readPlanTool(request.args) ?? ''))
  const language = tool === undefined ? 'en' : languageOf({ engine, request, tool })
  const title = language === 'en' ? applyPlanTitle : applyPlanName
  const named = { wireName: applyPlanName, title, language, failures: {} }
  return (failure) => {
    const answer = failureAnswer({ engine }, failure, { outcome: isOwnFault(failure) ? 'failed' : 'refused' })
    if (answer.guidance === undefined) return answer
    const card = failureCard(engine, named, failure, answer.guidance, { outcome: 'refused' })
    return { ...answer, envelope: true, card }
  }
}
