// Every call that is written for a person or an agent has its arguments in one order: that of the tool's schema.
import type { Argument } from '../../confirm/message.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Spelling } from '../engine.ts'

/** A call's own arguments in the order of its schema, as an Apply message writes them. */
export function orderedArguments(tool: Tool, input: unknown): [string, unknown][] {
  const values = input as Record<string, unknown>
  // A schema of somebody else's may allow keys that it does not name; they are part of the call all the same.
  const others = Object.keys(values).filter((name) => !tool.parameters.includes(name))
  return [...tool.parameters, ...others]
    .filter((name) => values[name] !== undefined)
    .map((name) => [name, values[name]])
}

/** A call's own arguments as its door has them written. */
export const argumentsAtDoor = ({ around }: Pick<Spelling, 'around'>, own: readonly Argument[]): Argument[] =>
  around.map(([name, value]) => [name, value === null ? JSON.stringify(Object.fromEntries(own)) : value])
