// What the operator's file says of one tool: under its name, and under patterns in which `*` stands for any text. Each
// setting comes from the most specific key that has it, so that a pattern can say what holds for most.
import type { ToolOverride } from '../upstream/settings/upstream-config.schema.ts'

type Rules = Readonly<Record<string, ToolOverride>>

/** Everything that applies to a tool; nothing where no key does. */
export function rulesFor(rules: Rules, tool: string): ToolOverride | undefined {
  const keys = Object.keys(rules)
    .filter((key) => matches(key, tool))
    .toSorted(bySpecificity)
  return keys.length === 0 ? undefined : Object.assign({}, ...keys.toReversed().map((key) => rules[key]))
}

/** Settings of a server that keep tools from agents. */
export interface ToolLists {
  readonly enabled_tools?: readonly string[] | undefined
  readonly disabled_tools?: readonly string[] | undefined
}

/** Which of the two lists leaves a tool out; nothing where it is offered. */
export function leftOutBy({ enabled_tools: only, disabled_tools: not = [] }: ToolLists, tool: string) {
  const isIn = (list: readonly string[]): boolean => list.some((entry) => matches(entry, tool))
  if (isIn(not)) return 'disabled_tools'
  return only === undefined || isIn(only) ? undefined : 'enabled_tools'
}

/** Whether a key is this name, or a pattern that it fits. Linear in both. */
export function matches(key: string, tool: string): boolean {
  const [first = '', ...rest] = key.split('*')
  const last = rest.pop()
  if (last === undefined) return key === tool
  if (!tool.startsWith(first) || !tool.endsWith(last) || tool.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = tool.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= tool.length - last.length
}

/** A name before patterns; then the longest text before the first `*`, then the most text, then the alphabet. */
function bySpecificity(a: string, b: string): number {
  const pattern = (key: string): number => (key.includes('*') ? 1 : 0)
  const front = (key: string): number => key.indexOf('*')
  const letters = (key: string): number => key.replaceAll('*', '').length
  return pattern(a) - pattern(b) || front(b) - front(a) || letters(b) - letters(a) || (a < b ? -1 : a === b ? 0 : 1)
}
