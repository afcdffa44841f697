// A store that can be read and not written (its disk is full) can still say what has happened. Whoever repeats the call of
// a plan that was applied hears so; everything else needs a row first, and does not happen.
import { riskAtMost } from '../../tools/define-tool.ts'
import { applyNamed } from './apply-named.ts'
import { applyPlanName, readApplyPlan } from './apply-plan.ts'
import { applyByReference } from './apply-by-reference.ts'
import { checkPermissions } from '../authorize/gate.ts'
import { callDifferences, findOwnPlan } from '../intake/named-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import { parseCall } from '../intake/parse.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** The recorded result of the plan that this call names, where it was applied. Reads only, and never runs a tool. */
export async function replayOf(engine: Engine, request: CallRequest): Promise<Answer | undefined> {
  if (request.refusal !== undefined) return undefined
  if (request.tool === applyPlanName) {
    const read = readApplyPlan(request.args, engine.settings.maxArgumentBytes)
    return read.ok && (await wasApplied(engine, request, read.value.ticket)) !== undefined
      ? applyByReference(engine, request)
      : undefined
  }
  const tool = request.found ?? engine.catalog.find(request.tool)
  if (tool === undefined || tool.contract.operation === 'read' || riskAtMost(tool.contract.risk) === 'forbidden')
    return undefined
  const parsed = parseCall(tool, request.args, engine.settings.maxArgumentBytes, true)
  if (!parsed.ok || parsed.value.intent !== 'apply' || parsed.value.ticket === undefined) return undefined
  if (checkPermissions(engine, request, tool) !== undefined) return undefined
  const plan = await wasApplied(engine, request, parsed.value.ticket)
  if (plan === undefined || callDifferences(plan, tool, parsed.value).length > 0) return undefined
  return applyNamed(engine, request, { tool, contract: tool.contract, parsed: parsed.value }, parsed.value.ticket)
}

/** An applied plan stays applied: what is answered of it from here on starts nothing. */
async function wasApplied(engine: Engine, request: CallRequest, ticket: string) {
  const found = await findOwnPlan(engine, request, ticket)
  return found.kind === 'found' && found.plan.state === 'applied' ? found.plan : undefined
}
