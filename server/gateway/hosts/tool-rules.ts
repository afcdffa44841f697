// Some hosts say beside their servers which tools are off, by the names under which their models know them: `mcp__git__push`,
// `git_*`. The gateway says it in the entry of the server, by the tool's own name, so what stands before that is taken off.
import { matches } from '../rules/tool-overrides.ts'
import type { Limits } from './limits.ts'

/** What a host says of the tools that fit a name with `*` in it. */
export interface ToolRule {
  readonly name: string
  readonly isOff: boolean
}

/** The rules in a value of a host's file: a list has what is off, an object says it of each name. A later one wins. */
export function rulesIn(value: unknown): readonly ToolRule[] {
  if (value === 'deny') return [{ name: '*', isOff: true }]
  if (Array.isArray(value)) return value.flatMap((name) => (typeof name === 'string' ? [{ name, isOff: true }] : []))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, said]) => ({ name, isOff: isOff(said) }))
}

const isOff = (said: unknown): boolean =>
  said === false ||
  said === 'deny' ||
  (typeof said === 'object' && said !== null && 'default' in said && said.default === 'deny')

/** The limits of a server, and the rules that these cannot say. */
export interface RuledTools {
  readonly limits: Limits
  readonly lost: readonly string[]
}

/** What the rules say of one server's tools. Never offers what the host does not. */
export function listsOf(rules: readonly ToolRule[], prefix: string): RuledTools {
  let only: string[] | undefined
  let not: string[] = []
  const lost: string[] = []
  for (const { name, isOff: off } of rules) {
    const tools = toolsOf(name, prefix)
    if (tools === undefined) {
      if (off) lost.push(name)
    } else if (tools.includes('*')) [only, not] = [off ? [] : undefined, []]
    else if (off) not.push(...tools)
    else if (tools.length > 0) {
      only?.push(...tools)
      not = not.filter((each) => !tools.includes(each))
      if (not.some((each) => tools.some((tool) => tool.includes('*') || matches(each, tool)))) lost.push(name)
    }
  }
  const limits: Limits =
    only?.length === 0
      ? { enabled: false }
      : {
          ...(only === undefined ? {} : { enabled_tools: only }),
          ...(not.length === 0 ? {} : { disabled_tools: not }),
        }
  return { limits, lost }
}

/**
 * The patterns of tools' own names that together fit what the pattern fits with the prefix in front; `undefined` where
 * ours cannot say it.
 */
export function toolsOf(pattern: string, prefix: string): readonly string[] | undefined {
  // As Claude Code names a whole server.
  if (pattern.startsWith('mcp__') && prefix === `${pattern}__`) return ['*']
  return pattern.includes('?') ? undefined : tails(pattern.replaceAll(/\*+/g, '*'), prefix)
}

/** What is left of a pattern where the prefix has been read, each way of reading it. Linear in both. */
function tails(pattern: string, prefix: string): readonly string[] {
  let places = new Set([0])
  for (const letter of prefix) {
    const next = new Set<number>()
    for (const place of places) {
      // A star takes the letter and stays, or took its last one before.
      const isStar = pattern[place] === '*'
      if (isStar) next.add(place)
      const at = isStar ? place + 1 : place
      if (pattern[at] === letter) next.add(at + 1)
    }
    places = next
  }
  // What begins with a later star fits all that an earlier place fits.
  const lastStar = Math.max(...[...places].filter((place) => pattern[place] === '*'))
  return [...places]
    .filter((place) => place >= lastStar && place < pattern.length)
    .toSorted((a, b) => a - b)
    .map((place) => pattern.slice(place))
}
