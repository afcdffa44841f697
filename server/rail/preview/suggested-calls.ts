// Checks the calls that a tool suggests or offers as Undo against the tool that they name, before anyone sees them. What
// that tool would refuse is left out and reported to the operator.
import type { ErrorGuidance } from '../../errors/guidance.ts'
import type { Tool } from '../../tools/catalog.ts'
import { missingOf } from '../authorize/missing-permissions.ts'
import { parseArguments } from '../intake/parse.ts'
import { visible } from '../call-context.ts'
import type { Caller, Engine } from '../engine.ts'

/** The tool of a call that could be made as it stands, or nothing, with a report of why. */
export function callable(
  engine: Engine,
  where: string,
  call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
): Tool | undefined {
  const tool = visible(engine.catalog.find(call.tool))
  const problem = (): string | undefined => {
    if (tool === undefined) return 'there is no such tool'
    const parsed = parseArguments(tool, call.arguments, engine.settings.maxArgumentBytes)
    if (parsed.ok) return undefined
    const { failure } = parsed
    return failure.kind === 'invalid-arguments'
      ? failure.fields.map(({ pointer, allowed }) => `${pointer}: allowed is ${allowed}`).join('; ')
      : failure.kind
  }
  const found = problem()
  if (found === undefined) return tool
  engine.report(new Error(`It offers a call of ${call.tool} that cannot be made: ${found}.`), where)
  return undefined
}

/** Whether this caller could make the call as it stands, and it would only read; where not, that is nobody's mistake. */
export function wouldRead(
  engine: Engine,
  caller: Pick<Caller, 'principal' | 'permissions'>,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
): boolean {
  const { contract } = tool
  if (visible(tool) === undefined || missingOf(engine, caller, contract.permissions ?? []).length > 0) return false
  const parsed = parseArguments(tool, args, engine.settings.maxArgumentBytes)
  return parsed.ok && (contract.operation === 'read' || contract.reading?.when(parsed.value.input) === true)
}

/** Whether the tool takes these arguments as they are. */
export const fits = (engine: Engine, tool: Tool, args: Readonly<Record<string, unknown>>): boolean =>
  parseArguments(tool, args, engine.settings.maxArgumentBytes).ok

/** Guidance without the calls that could not be made. */
export const onlyCallable = (engine: Engine, of: string, guidance: ErrorGuidance): ErrorGuidance => ({
  ...guidance,
  fix: guidance.fix.filter(
    (fix) => fix.kind !== 'call_tool' || callable(engine, `${of} ${guidance.error_type}`, fix) !== undefined,
  ),
})
