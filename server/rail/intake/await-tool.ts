// A call may name a tool of a server that is still starting. It waits for it under the rules of any other call: it is
// counted and its caller may use that server, before the server is started for it. Its row is written when the wait is
// over, because only the tool's contract says which of its arguments are secrets; until then nothing has been sent.
import type { Failure } from '../../errors/failure.ts'
import { ownFault } from '../answers/own-fault.ts'
import { missingOf } from '../authorize/gate.ts'
import type { CallArrival, CallRequest, Engine } from '../engine.ts'
import { checkLimits, countedAs } from './limits.ts'

/**
 * The call as it goes on: read again by its door where its tool had to be waited for, with a refusal where that was in
 * vain. Never throws.
 */
export async function awaitTool(engine: Engine, request: CallRequest): Promise<CallRequest> {
  const arrival = arrivalOf(engine, request)
  if (arrival === undefined) return request
  const { arrival: _, ...rest } = request
  const counted = { ...rest, counted: countedAs(request, undefined) }
  try {
    const refusal = await refusalOf(engine, request, arrival)
    return refusal === undefined ? { ...counted, ...arrival.reread() } : { ...counted, refusal }
  } catch (error) {
    return { ...counted, refusal: ownFault(engine, error, request.tool) }
  }
}

function arrivalOf(engine: Engine, request: CallRequest): CallArrival | undefined {
  if (request.arrival !== undefined) return request.arrival
  if (request.found !== undefined || request.refusal !== undefined) return undefined
  if (engine.catalog.find(request.tool) !== undefined) return undefined
  const arrival = engine.catalog.arrivalOf?.(request.tool)
  return arrival === undefined ? undefined : { ...arrival, reread: () => ({}) }
}

async function refusalOf(engine: Engine, request: CallRequest, arrival: CallArrival): Promise<Failure | undefined> {
  const tooMany = await checkLimits(engine, request, undefined)
  if (tooMany !== undefined) return tooMany
  const missing = missingOf(engine, request.caller, arrival.permissions)
  if (missing.length > 0) return { kind: 'not-permitted', tool: request.tool, missing }
  return arrival.wait(request.tool, request.signal)
}
