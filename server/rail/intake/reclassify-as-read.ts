// Turns a call of a tool that reads or writes by its arguments into a read where it only reads. This happens once its
// caller may make it and before it is recorded, so the limit of writes, record, gate and answers treat it as a read.
import { needsPeople, ratedRisk } from '../authorize/gate.ts'
import { plainArguments } from './parse.ts'
import { noteGiven } from '../record/marked-values.ts'
import type { CallContext } from '../call-context.ts'
import { parseWith } from '../../tools/schemas/tool-schema.ts'

/** The call as it is dispatched: of the tool's read where it only reads, otherwise as it came. */
export function reclassifyAsRead(call: CallContext): CallContext {
  const { engine, request, named } = call
  if (named?.reading === undefined || request.refusal !== undefined) return call
  const { contract, reading, reserved } = named
  const rule = contract.operation === 'read' ? undefined : contract.reading
  const plain = plainArguments(request.args, engine.settings.maxArgumentBytes)
  if (rule === undefined || !plain.ok) return call
  const { [reserved.preview]: preview, ...args } = plain.value
  const { [reserved.rationale]: _, [reserved.ticket]: ticket, ...own } = args
  // Whoever wants to see it first, or names a plan, is answered as for any other call of the tool.
  if ((preview !== undefined && preview !== false) || ticket !== undefined) return call
  noteGiven({ ...call, tool: named }, own)
  try {
    const parsed = parseWith(contract.input, 'input', own)
    if (!parsed.success || !rule.when(parsed.data)) return call
  } catch (error) {
    engine.report(error, `${named.wireName} reading`)
    return call
  }
  // An operator's rule about this tool is also about what only reads.
  const risk = ratedRisk({ ...call, tool: reading, input: own })
  if (risk !== 'low' || needsPeople({ engine, tool: reading }, risk)) return call
  return { ...call, named: reading, request: { ...request, args: preview === undefined ? request.args : args } }
}
