// A call may name a tool of a server that is still starting, or of one that is first asked what the tool is by now. Before
// it waits it is counted, and its caller must be allowed to use that server. Its row is written when the wait is over,
// because only the tool's contract says which of its arguments are secrets; until then nothing has been sent.
import type { Failure } from '../../errors/failure.ts'
import { ownFault } from '../answers/own-fault.ts'
import { missingOf } from '../authorize/missing-permissions.ts'
import { applyPlanName, readPlanTool } from '../apply/apply-plan.ts'
import { callContext, type CallContext } from '../call-context.ts'
import type { CallArrival, CallRequest, Engine } from '../engine.ts'
import { countersOf, overLimit } from './limits.ts'

/**
 * Goes on with the call once its tool is known: read again by its door where it had to be waited for, with a refusal where
 * that was in vain. The wait is part of the call, so a server that closes waits for both.
 */
export function withKnownTool<T>(
  engine: Engine,
  request: CallRequest,
  proceed: (request: CallRequest) => Promise<T>,
): Promise<T> {
  const call = callContext(engine, request)
  const arrival = arrivalOf(call)
  if (arrival === undefined) return proceed(request)
  const whole = afterWait(call, arrival).then(proceed)
  engine.running?.(whole)
  return whole
}

async function afterWait(call: CallContext, arrival: CallArrival): Promise<CallRequest> {
  const { engine, request } = call
  const { arrival: _, ...rest } = request
  const waited = { ...rest, since: engine.now(), counted: countersOf(call) }
  try {
    const refusal = await refusalOf(call, arrival)
    return refusal === undefined ? { ...waited, ...arrival.reread() } : { ...waited, refusal }
  } catch (error) {
    return { ...waited, refusal: ownFault(engine, error, request.tool) }
  }
}

function arrivalOf({ engine, request }: CallContext): CallArrival | undefined {
  if (request.arrival !== undefined) return request.arrival
  if (request.refusal !== undefined) return undefined
  const tool = request.tool === applyPlanName ? (readPlanTool(request.args) ?? applyPlanName) : request.tool
  const arrival = engine.catalog.arrivalOf?.(tool)
  if (arrival === undefined) return undefined
  return { ...arrival, wait: (_, signal) => arrival.wait(tool, signal), reread: () => currentFound(engine, request) }
}

/** The tool that its door had found already, as it is by now. */
function currentFound({ catalog }: Engine, { found, tool }: CallRequest): Pick<CallRequest, 'found'> {
  const now = found === undefined ? undefined : catalog.find(tool)
  return now === undefined ? {} : { found: now }
}

async function refusalOf(call: CallContext, arrival: CallArrival): Promise<Failure | undefined> {
  const { engine, request } = call
  const tooMany = await overLimit(call, countersOf(call))
  if (tooMany !== undefined) return tooMany
  const missing = missingOf(engine, request.caller, arrival.permissions)
  if (missing.length > 0) return { kind: 'not-permitted', tool: request.tool, missing }
  return arrival.wait(request.tool, request.signal)
}
