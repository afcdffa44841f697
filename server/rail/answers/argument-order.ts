// Every call that is written for a person or an agent has its arguments in one order: that of the tool's schema.
import type { Tool } from '../../tools/catalog.ts'

/** A call's own arguments in the order of its schema, as an Apply message writes them. */
export function orderedArguments(tool: Tool, input: unknown): [string, unknown][] {
  const values = input as Record<string, unknown>
  // A schema of somebody else's may allow keys that it does not name; they are part of the call all the same.
  const others = Object.keys(values).filter((name) => !tool.parameters.includes(name))
  return [...tool.parameters, ...others]
    .filter((name) => values[name] !== undefined)
    .map((name) => [name, values[name]])
}
