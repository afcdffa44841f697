// A store that can be read and not written (its disk is full) can still say what has happened. Whoever repeats the call of
// a plan that was applied hears so; everything else needs a row first, and does not happen.
import { asStored } from '../bundles/bundle-call.ts'
import { isBundleTool } from '../bundles/bundle-contract.ts'
import { isWriteTool } from '../../tools/catalog.ts'
import { applyNamed } from './apply-named.ts'
import { applyPlanName, readApplyPlan } from './apply-plan.ts'
import { applyByReference } from './apply-by-reference.ts'
import { checkPermissions } from '../authorize/gate.ts'
import { callDifferences, findOwnPlan } from '../intake/named-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import { readArguments } from '../intake/read-arguments.ts'
import { parsedCall, visible, type CallContext } from '../call-context.ts'

/** The recorded result of the plan that this call names, where it was applied. Reads only, and never runs a tool. */
export async function replayOf(context: CallContext): Promise<Answer | undefined> {
  const { engine, request } = context
  if (request.refusal !== undefined) return undefined
  if (request.tool === applyPlanName) {
    const read = readApplyPlan(request.args, engine.settings.maxArgumentBytes)
    return read.ok && (await wasApplied(context, read.value.ticket)) !== undefined
      ? applyByReference(context)
      : undefined
  }
  const tool = visible(context.named)
  if (tool === undefined || !isWriteTool(tool)) return undefined
  const parsed = readArguments({ ...context, tool }, request.args, {
    mayLackRationale: true,
    reason: request.declared?.intent.reason,
  })
  if (!parsed.ok || parsed.value.intent !== 'apply' || parsed.value.ticket === undefined) return undefined
  const asked = parsedCall({ ...context, tool }, parsed.value)
  const call = isBundleTool(tool) ? await asStored(asked) : asked
  if (checkPermissions(call) !== undefined) return undefined
  const plan = await wasApplied(call, parsed.value.ticket)
  if (plan === undefined || callDifferences(plan, call).length > 0) return undefined
  return applyNamed(call, parsed.value.ticket)
}

/** An applied plan stays applied: what is answered of it from here on starts nothing. */
async function wasApplied(call: CallContext, ticket: string) {
  const found = await findOwnPlan(call, ticket)
  return found.kind === 'found' && found.plan.state === 'applied' ? found.plan : undefined
}
