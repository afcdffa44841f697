// Every call says why it is made, and so does every message that a card sends. One rule for both: a message that says it
// in other measures than its tool takes could never be applied.
import type { Argument } from '../../confirm/message.ts'
import { glimpse } from '../../errors/glimpse.ts'
import type { FieldError } from '../../errors/guidance.ts'

/** In characters. The reason of an intent, which stands in for a missing rationale, may be longer than one. */
export const rationaleLimits = { shortest: 10, longest: 500, longestReason: 1000 } as const

/** What is wrong with this rationale, if anything. `longest` is in characters. */
export function rationaleError(
  name: string,
  given: unknown,
  longest: number = rationaleLimits.longest,
): FieldError | undefined {
  const { shortest } = rationaleLimits
  if (typeof given === 'string' && given.length <= longest && given.trim().length >= shortest) return undefined
  return {
    pointer: `/${name}`,
    received: glimpse(given),
    allowed: `one sentence of ${shortest} to ${longest} characters that says why this call is made`,
  }
}

/** A rationale as a message writes it: not at all where the call came without one. */
export const rationaleArgument = (name: string, rationale: string): Argument[] =>
  rationale === '' ? [] : [[name, rationale]]
