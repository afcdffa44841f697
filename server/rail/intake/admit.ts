// Who may make a call is settled before its arguments are looked at: whoever has called too often or lacks a permission
// gets no work done with them, and is not told what the tool takes. The arguments may then make a read of the call, and
// only what is left as a write is counted as one.
import { ownFault } from '../answers/own-fault.ts'
import { notPermitted } from '../authorize/gate.ts'
import type { CallRequest, Engine } from '../engine.ts'
import { asReading } from './as-reading.ts'
import { countersOf, overLimit } from './limits.ts'

/** The call as it is recorded and dispatched, with a refusal where it is not admitted. Never throws. */
export async function admit(engine: Engine, request: CallRequest): Promise<CallRequest> {
  try {
    const refusal = (await overLimit(engine, request, ['calls'])) ?? notPermitted(engine, request)
    if (refusal !== undefined) return { ...request, refusal }
    const admitted = asReading(engine, { ...request, counted: ['calls', ...(request.counted ?? [])] })
    const tooMany = await overLimit(engine, admitted, countersOf(engine, admitted))
    return tooMany === undefined ? admitted : { ...admitted, refusal: tooMany }
  } catch (error) {
    return { ...request, refusal: ownFault(engine, error, request.tool) }
  }
}
