// Who may make a call is settled before its arguments are looked at: whoever has called too often or lacks a permission
// gets no work done with them, and is not told what the tool takes. The arguments may then make a read of the call, and
// only what is left as a write is counted as one.
import type { Failure } from '../../errors/failure.ts'
import { ownFault } from '../answers/own-fault.ts'
import { notPermitted, withoutForbidden } from '../authorize/gate.ts'
import { visible, type CallContext } from '../call-context.ts'
import { reclassifyAsRead } from './reclassify-as-read.ts'
import { countersOf, overLimit } from './limits.ts'

/** The call as it is recorded and dispatched, with a refusal where it is not admitted. Never throws. */
export async function admit(asked: CallContext): Promise<CallContext> {
  const call = withoutForbidden(asked)
  const { engine, request } = call
  // Of a tool that is unknown to the caller nothing is said.
  const tool = request.refusal?.kind === 'unknown-tool' ? undefined : visible(call.named)
  let admitted = call
  try {
    const refusal = (await overLimit(call, ['calls'])) ?? (tool && notPermitted({ ...call, tool }))
    if (refusal !== undefined) return refused(call, refusal)
    const counted = { ...call, request: { ...request, counted: ['calls', ...(request.counted ?? [])] } as const }
    await call.named?.contract.prepare?.()
    admitted = { ...reclassifyAsRead(counted), argumentsRead: request.refusal === undefined }
    const tooMany = await overLimit(admitted, countersOf(admitted))
    return tooMany === undefined ? admitted : refused(admitted, tooMany)
  } catch (error) {
    return refused(admitted, ownFault(engine, error, request.tool))
  }
}

const refused = (call: CallContext, refusal: Failure): CallContext => ({
  ...call,
  request: { ...call.request, refusal },
})
