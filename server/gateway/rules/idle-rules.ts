// A rule under a misspelt name protects nothing, and nobody sees that it does not: the tool it was meant for runs as if
// there were no rule. So each name that fits no tool is named, wherever in the settings it stands and wherever the tools
// are known.
import type { ToolOverride } from '../upstream/settings/upstream-config.schema.ts'
import { nearest } from '../../errors/nearest.ts'
import { matches, type ToolLists } from './tool-overrides.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** A place of the settings that names a tool by its wire name. */
export interface NamedTool {
  readonly path: readonly (string | number)[]
  readonly name: string
  /** Whether `*` stands for any part of the name. */
  readonly pattern: boolean
}

/** A name or pattern in the settings that no tool fits. */
export interface IdleRule {
  /** Where it stands in the settings. */
  readonly path: readonly (string | number)[]
  readonly name: string
  readonly message: string
  /** The nearest right spelling, where there is one. */
  readonly next: string
}

/** Settings of a server that name its tools by their own names. */
export type ToolSettings = ToolLists & { readonly tools: Readonly<Record<string, ToolOverride>> }

/** Whether a server's settings name any tool. */
export const namesTools = ({ tools, enabled_tools: only = [], disabled_tools: not = [] }: ToolSettings): boolean =>
  Object.keys(tools).length + only.length + not.length > 0

/** The names and patterns that fit none of these tools. */
export const idleRules = (server: string, settings: ToolSettings, tools: readonly string[]): readonly IdleRule[] => {
  const places = [
    ...Object.keys(settings.tools).map((name) => ({ name, at: ['tools', name], said: 'has a rule for' })),
    ...(['enabled_tools', 'disabled_tools'] as const).flatMap((list) =>
      (settings[list] ?? []).map((name, index) => ({ name, at: [list, index], said: 'names' })),
    ),
  ]
  return places
    .filter(({ name }) => !tools.some((tool) => matches(name, tool)))
    .map(({ name, at, said }) => ({
      path: ['mcpServers', server, ...at],
      name,
      message: `mcpServers.${server}.${String(at[0])} ${said} "${name}", and no tool of ${server} ${fitting(name)}.`,
      next:
        spelling(name, tools) ?? (tools.length === 0 ? `${server} has no tools.` : `Its tools are ${listOf(tools)}.`),
    }))
}

/** The same of settings that name tools as agents call them, among all the tools that there are. */
export const idleNames = (named: readonly NamedTool[], tools: readonly string[]): readonly IdleRule[] =>
  named
    .filter(({ name, pattern }) => !tools.some((tool) => (pattern ? matches(name, tool) : name === tool)))
    .map(({ path, name, pattern }) => ({
      path,
      name,
      message: `${pathText(path.slice(0, -1))} names "${name}", and no tool ${fitting(name)}.`,
      next:
        !pattern && name.includes('*')
          ? 'Patterns do not count here: write the whole name of a tool.'
          : (spelling(name, tools) ?? (tools.length === 0 ? 'There are no tools.' : `The tools are ${listOf(tools)}.`)),
    }))

const fitting = (name: string): string => (name.includes('*') ? 'fits that' : 'is called that')

/** A path as it is written in messages: `policy.approvals[0].tools`. */
export const pathText = (path: IdleRule['path']): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')

const spelling = (name: string, tools: readonly string[]): string | undefined => {
  const [near] = nearest(name, spellings(name, tools))
  return near === undefined ? undefined : `Did you mean "${near}"?`
}

/** What may have been meant: a tool's name, or for a pattern how a tool's name begins and the rest of the pattern. */
function spellings(name: string, tools: readonly string[]): Iterable<string> {
  const front = name.indexOf('*')
  if (front === -1) return tools
  return new Set(
    tools
      .map((tool) => [tool, tool.slice(0, front) + name.slice(front)] as const)
      .filter(([tool, pattern]) => matches(pattern, tool))
      .map(([, pattern]) => pattern),
  )
}

/** How many names a message lists. */
const listed = 10

const listOf = (tools: readonly string[]): string =>
  `${tools.slice(0, listed).join(', ')}${tools.length > listed ? ` and ${tools.length - listed} more` : ''}`

/** Those of all servers whose tools have been read. One that was never up has none that could be missed. */
export const idleRulesOf = (upstreams: readonly Upstream[]): readonly IdleRule[] =>
  upstreams.flatMap((upstream) =>
    upstream.identity() === undefined
      ? []
      : idleRules(
          upstream.name,
          upstream.config,
          upstream.tools().tools.map(({ name }) => name),
        ),
  )
