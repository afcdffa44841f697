// An agent in a loop calls a hundred times a minute and means nothing by it. What its operators let one caller do is
// counted before the call is looked at; a call that they have approved is theirs, and is not counted.
import type { Failure } from '../../errors/failure.ts'
import type { Tool } from '../../tools/catalog.ts'
import { applyPlanName } from '../apply/apply-plan.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** As what a call counts. Of a tool that is not known yet, a gateway's door says what it may become. */
export function countedAs({ tool: name, declared }: CallRequest, tool: Tool | undefined): 'read' | 'write' {
  if (name === applyPlanName) return 'write'
  if (tool !== undefined) return tool.contract.operation === 'read' ? 'read' : 'write'
  return declared === undefined || declared.intent.operation_type === 'read' ? 'read' : 'write'
}

/**
 * Counts the call, unless that was done while its tool was not known; a failure where its principal has called too often.
 */
export async function checkLimits(
  engine: Engine,
  request: CallRequest,
  tool: Tool | undefined,
): Promise<Extract<Failure, { kind: 'too-many-calls' }> | undefined> {
  if (engine.limits === undefined || request.source === 'approval') return undefined
  const kind = countedAs(request, tool)
  // What has counted as a read and is a write counts as one as well.
  if (request.counted === kind || request.counted === 'write') return undefined
  const reached = await engine.limits.take(request.caller.principal, kind)
  return reached === undefined ? undefined : { kind: 'too-many-calls', tool: request.tool, ...reached }
}
