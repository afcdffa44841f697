// A profile to begin with, from what a server lists: each tool as the general rules rate it, with their reasons, so that
// whoever writes it sees what to look at. Words of the server stand in it as quoted values and on lines of comment, and can
// end neither.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { atLeast } from '../rating/evidence.ts'
import type { Assessed } from '../rating/rating.ts'
import { possibleAssessments } from '../rating/assess.ts'
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import { nameFrom, type StartedFrom } from '../upstream/settings/started-from.ts'
import { shapeDigest } from './definition-shape.ts'
import { humanLabel } from '../../tools/human-label.ts'

/** A server as it was met. */
export interface MetServer {
  readonly origin: StartedFrom
  /** How it introduced itself. */
  readonly identity: { readonly name: string; readonly title?: string | undefined; readonly version: string }
  readonly tools: readonly ToolDefinition[]
}

/** The text of a profile. `schema`: where editors find its JSON Schema. */
export function skeletonOf({ origin, identity, tools }: MetServer, schema: string): string {
  const match = [
    ...(['npm', 'pypi', 'image', 'host'] as const).map((kind) => [kind, origin[kind]] as const),
    // A file of that name may be any server's; it says something only where nothing else does.
    ['command', Object.keys(origin).some((key) => key !== 'command') ? undefined : origin.command],
    ['server', identity.name],
  ] as const
  const version = identity.version.slice(0, 80) || 'unknown'
  return `${[
    `# yaml-language-server: $schema=${schema}`,
    '# Tools as the general rules rate them, each with their reasons. Correct what is wrong, put what a person should read into',
    '# words, and say which reads show what a call would change; `countersign profile test` holds it to the server.',
    'profile: 1',
    `name: ${profileName(origin, identity.name)}`,
    `title: ${scalar((identity.title ?? identity.name).slice(0, 200) || 'Server')}`,
    'match:',
    ...match.flatMap(([kind, name]) =>
      name === undefined || name === '' ? [] : [`  ${kind}: [${scalar(name.slice(0, 200))}]`],
    ),
    'tools:',
    ...tools.flatMap(toolLines),
    ...(tools.length === 0 ? ['  {}'] : []),
    'tested:',
    `  - version: ${scalar(version)}`,
    `    definitions:${tools.length === 0 ? ' {}' : ''}`,
    ...tools.map((tool) => `      ${scalar(tool.name)}: '${shapeDigest(tool)}'`),
  ].join('\n')}\n`
}

const profileName = (origin: StartedFrom, own: string): string => {
  const known = Object.keys(origin).length === 0 ? own : nameFrom(origin)
  const name = known
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
  return name === '' ? 'server' : name
}

function toolLines(tool: ToolDefinition): readonly string[] {
  const [worst, ...others] = possibleAssessments({ tool, variant: 'call_tool_read', server: { tools: {} } })
  const why = comment(worst.reasons.join(' '))
  if (isRead(worst)) return [`  ${scalar(tool.name)}: read # ${why}`]
  const { risk, operation } = worst
  const properties = tool.inputSchema['properties']
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const words = humanLabel(tool.name)
    .replace(/[{}[\]]/g, '')
    .trim()
  return [
    `  # ${why}`,
    ...(names.length === 0 ? [] : [`  # Its arguments: ${comment(names.join(', '))}`]),
    ...(others.some(isRead) ? ['  # Some arguments make it a read: say which under `when`.'] : []),
    `  ${scalar(tool.name)}:`,
    `    operation: ${risk === 'low' ? operation : atLeast(operation, 'write')}`,
    `    risk: ${risk}`,
    ...(words === '' ? [] : [`    title: ${scalar(words.slice(0, 200))}`]),
  ]
}

const isRead = ({ risk, operation }: Assessed): boolean => risk === 'low' && operation === 'read'

const comment = (text: string): string => showInvisible(text).slice(0, 1000)

/** What no version of YAML takes for anything but this text. */
const scalar = (text: string): string =>
  /^[A-Za-z][\w/.-]*(?: [A-Za-z]\w*)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text)
