// An agent in a loop calls a hundred times a minute and means nothing by it. What its operators let one caller do is
// counted before the call is looked at; a call that they have approved is theirs, and is not counted.
import type { Tool } from '../../tools/catalog.ts'
import { riskAtMost } from '../../tools/define-tool.ts'
import { failureAnswer } from '../answers/answers.ts'
import { applyPlanName } from '../apply/apply-plan.ts'
import type { Answer } from '../answers/outcome.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** Counts the call; an answer where its principal has called too often. */
export async function checkLimits(
  engine: Engine,
  request: CallRequest,
  tool: Tool | undefined,
): Promise<Answer | undefined> {
  if (engine.limits === undefined || request.source === 'approval') return undefined
  const writes = request.tool === applyPlanName || (tool !== undefined && tool.contract.operation !== 'read')
  const reached = await engine.limits.take(request.caller.principal, writes ? 'write' : 'read')
  if (reached === undefined) return undefined
  const visible = tool !== undefined && riskAtMost(tool.contract.risk) !== 'forbidden' ? tool : undefined
  const failure = { kind: 'too-many-calls', tool: request.tool, ...reached } as const
  return failureAnswer(engine, visible, failure, { outcome: 'refused' })
}
