// A rule under a misspelt name protects nothing, and nobody sees that it does not: the tool it was meant for runs as if
// there were no rule. So each key that fits no tool is named, wherever a server's tools are known.
import type { ToolOverride } from './config.schema.ts'
import { nearest } from '../errors/nearest.ts'
import { matches } from './tool-rules.ts'
import type { Upstream } from './upstream.ts'

/** A key of a server's `tools` that none of its tools fits. */
export interface IdleRule {
  readonly server: string
  readonly key: string
  readonly message: string
  /** The nearest right spelling, where there is one. */
  readonly next: string
}

/** The keys that fit none of these names, in the order of the file. */
export function idleRules(
  server: string,
  rules: Readonly<Record<string, ToolOverride>>,
  tools: readonly string[],
): readonly IdleRule[] {
  return Object.keys(rules)
    .filter((key) => !tools.some((tool) => matches(key, tool)))
    .map((key) => {
      const [near] = nearest(key, spellings(key, tools))
      return {
        server,
        key,
        message: `mcpServers.${server}.tools has a rule for "${key}", and no tool of ${server} ${key.includes('*') ? 'fits that' : 'is called that'}.`,
        next: near === undefined ? noSpelling(server, tools) : `Did you mean "${near}"?`,
      }
    })
}

/** What may have been meant: a tool's name, or for a pattern how a tool's name begins and the rest of the pattern. */
function spellings(key: string, tools: readonly string[]): Iterable<string> {
  const front = key.indexOf('*')
  if (front === -1) return tools
  return new Set(
    tools
      .map((tool) => [tool, tool.slice(0, front) + key.slice(front)] as const)
      .filter(([tool, pattern]) => matches(pattern, tool))
      .map(([, pattern]) => pattern),
  )
}

/** How many names a message lists. */
const listed = 10

const noSpelling = (server: string, tools: readonly string[]): string =>
  tools.length === 0
    ? `${server} has no tools.`
    : `Its tools are ${tools.slice(0, listed).join(', ')}${tools.length > listed ? ` and ${tools.length - listed} more` : ''}.`

/** Those of all servers whose tools have been read. One that was never up has none that could be missed. */
export const idleRulesOf = (upstreams: readonly Upstream[]): readonly IdleRule[] =>
  upstreams.flatMap((upstream) =>
    upstream.identity() === undefined
      ? []
      : idleRules(
          upstream.name,
          upstream.config.tools,
          upstream.tools().tools.map(({ name }) => name),
        ),
  )
