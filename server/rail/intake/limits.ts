// Rate limits of a principal, counted before the arguments of a call are looked at, because an agent in a loop calls a
// hundred times a minute. A call that operators have approved is not counted.
import type { Failure } from '../../errors/failure.ts'
import { applyPlanName } from '../apply/apply-plan.ts'
import { visible, type CallContext } from '../call-context.ts'
import type { Counter } from '../engine.ts'

/** The counters of a call. Of a tool that is not known yet, a gateway's call tool says what it may become. */
export function countersOf({ named, request: { tool, declared, refusal } }: CallContext): readonly Counter[] {
  // What is refused already changes nothing, whatever it declares; nor does a forbidden tool, which is counted like none.
  const said = named === undefined && refusal === undefined ? declared?.operation : undefined
  const operation = visible(named)?.contract.operation ?? said ?? 'read'
  return tool !== applyPlanName && operation === 'read' ? ['calls'] : ['calls', 'writes']
}

/** Counts a call, once by each of these counters; a failure where its principal has called too often. */
export async function overLimit(
  { engine, request }: CallContext,
  counters: readonly Counter[],
): Promise<Extract<Failure, { kind: 'too-many-calls' }> | undefined> {
  if (engine.limits === undefined || request.source === 'approval') return undefined
  for (const counter of counters) {
    if (request.counted?.includes(counter) === true) continue
    const reached = await engine.limits.take(request.caller.principal, counter)
    if (reached !== undefined) return { kind: 'too-many-calls', tool: request.tool, ...reached }
  }
  return undefined
}
