// Somebody else's tool may read or write by an argument. A call of it that only reads is a read from the first step on:
// what counts it, records it, runs it and words its failure sees the read, so nothing further on needs to know.
import { needsPeople, ratedRisk } from '../authorize/gate.ts'
import { plainArguments } from './parse.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** The call as it is dispatched: of the tool's read where it only reads, otherwise as it came. */
export function asReading(engine: Engine, request: CallRequest): CallRequest {
  const tool = request.found ?? engine.catalog.find(request.tool)
  if (tool?.reading === undefined || request.refusal !== undefined) return request
  const { contract, reading, reserved } = tool
  const rule = contract.operation === 'read' ? undefined : contract.reading
  const plain = plainArguments(request.args, engine.settings.maxArgumentBytes)
  if (rule === undefined || !plain.ok) return request
  const { [reserved.preview]: preview, ...args } = plain.value
  const { [reserved.rationale]: _, [reserved.ticket]: ticket, ...own } = args
  // Whoever wants to see it first, or names a plan, is answered as for any other call of the tool.
  if ((preview !== undefined && preview !== false) || ticket !== undefined) return request
  try {
    const parsed = contract.input.safeParse(own)
    if (!parsed.success || !rule.when(parsed.data)) return request
  } catch (error) {
    engine.report(error, `${tool.wireName} reading`)
    return request
  }
  // An operator's rule about this tool is also about what only reads.
  const risk = ratedRisk(engine, request.caller.principal.tenant, reading.contract, tool.wireName, own)
  if (risk !== 'low' || needsPeople(engine, tool.wireName, risk)) return request
  return { ...request, found: reading, args: preview === undefined ? request.args : args }
}
