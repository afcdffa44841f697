// The call of a step that takes a value which is not there yet: with stand-ins that its schema takes, words where a text may stand,
// else numbers.
import type { Failure } from '../../errors/failure.ts'
import { toPointer } from '../../errors/pointer.ts'
import { ok, type Result } from '../../errors/result.ts'
import type { Tool } from '../../tools/catalog.ts'
import { parseArguments, type ParsedArguments } from '../intake/parse.ts'
import { placesOf, standIn, withValues, type Reference, type StandIn } from './references.ts'

interface Filled {
  readonly parsed: ParsedArguments
  readonly standIns: readonly StandIn[]
}

/** Parses arguments with stand-ins in the places of these references. */
export function parseWithStandIns(
  tool: Tool,
  args: unknown,
  references: readonly Reference[],
  how: { readonly maxBytes: number; readonly mayLackRationale: boolean },
): Result<Filled, Failure> {
  const attempt = (isNumber: (reference: Reference) => boolean): Result<Filled, Failure> => {
    const standIns = references.map((each, at) => standIn(each, at, isNumber(each) ? 'number' : 'text'))
    const filled = withValues(
      args,
      standIns.map(({ reference, value }) => [reference, value]),
    )
    const parsed = parseArguments(tool, filled, how.maxBytes, { mayLackRationale: how.mayLackRationale })
    return parsed.ok ? ok({ parsed: parsed.value, standIns }) : parsed
  }
  const inWords = attempt(() => false)
  if (inWords.ok || inWords.failure.kind !== 'invalid-arguments') return inWords
  const places = placesOf(references)
  const refused = new Set(inWords.failure.fields.map(({ pointer }) => pointer))
  const withNumbers = attempt(({ path }) => refused.has(toPointer(path)) && places.has(toPointer(path)))
  return withNumbers.ok ? withNumbers : inWords
}
