// Every call says why it is made, and so does every message that a card sends. One rule for both: a message that says it
// in other measures than its tool takes could never be applied.
import type { Argument } from '../../confirm/message.ts'
import { glimpse } from '../../errors/glimpse.ts'
import type { FieldError } from '../../errors/guidance.ts'
import type { Tool } from '../../tools/catalog.ts'

/** Our own tools take a sentence; in front of somebody else's the reason of an intent may stand for it. */
const longest = ({ contract }: Tool): number => (contract.wire === undefined ? 500 : longestRationale)

/** What the most generous tool takes, in characters. */
export const longestRationale = 1000
export const shortestRationale = 10

/** What is wrong with this rationale, if anything. */
export function rationaleError(tool: Tool, name: string, given: unknown): FieldError | undefined {
  const fits = typeof given === 'string' && given.length <= longest(tool) && given.trim().length >= shortestRationale
  if (fits) return undefined
  return {
    pointer: `/${name}`,
    received: glimpse(given),
    allowed: `one sentence of ${shortestRationale} to ${longest(tool)} characters that says why this call is made`,
  }
}

/** A rationale as a message writes it: not at all where the call came without one. */
export const rationaleArgument = (name: string, rationale: string): Argument[] =>
  rationale === '' ? [] : [[name, rationale]]
