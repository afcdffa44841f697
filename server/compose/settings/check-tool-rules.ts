// Names of tools in the settings against the tools there are. `config check` asks before a restart: nothing is started, so
// what counts is what the database has seen of each server, and what it cannot say is said as well, because silence would
// read as "all is well". A server that runs knows its tools, and so does `doctor`.
import { homedir } from 'node:os'
import type { Composed } from '../compose.ts'
import type { Config } from '../../config/file.ts'
import { namedTools } from './tool-names.ts'
import type { ServerConfig } from '../../config/config.schema.ts'
import type { GatewayConfig } from '../../gateway/upstream/settings/upstream-config.ts'
import { idleNames, idleRules, namesTools, pathText, type IdleRule } from '../../gateway/rules/idle-rules.ts'
import { qualifiedName } from '../../gateway/upstream/qualified-name.ts'
import { dataFile, seenTools, type SeenTools } from '../../store/store.ts'
import { reservedTools } from '../../tools/names.ts'
import { surroundings } from '../../model/surroundings.ts'

/** Where a rule stands in its file: "file:line:column". */
export function placeOfRule({ text }: Pick<Config, 'text'>, { path }: Pick<IdleRule, 'path'>): string {
  if (text === undefined) return 'There is no settings file'
  const { line, column } = typeof path.at(-1) === 'number' ? text.placeOf(path) : text.keyPlaceOf(path)
  return `${text.file}:${line}:${column}`
}

export interface CheckedRules {
  /** A rule for no tool, each. */
  readonly problems: readonly { readonly message: string; readonly next: string }[]
  /** Rules that nobody could check, a sentence each. */
  readonly unchecked: readonly string[]
}

const ask = '`countersign doctor` asks the server itself.'

/** Checks all names of tools against what the database has seen of the servers. Reads only; makes no database. */
export async function checkRules(config: Config, { servers }: GatewayConfig): Promise<CheckedRules> {
  const ruled = Object.entries(servers).filter(([, server]) => namesTools(server))
  const named = namedTools(config.server)
  if (ruled.length === 0 && named.length === 0) return { problems: [], unchecked: [] }
  const found = await seenTools(config.server.db ?? dataFile(surroundings().env, process.platform, homedir()))
  const seen: SeenTools = found.ok ? found.value : new Map()
  const unseen = Object.keys(servers).filter((name) => !seen.has(name))
  const why = found.ok ? 'this database has not seen its tools yet.' : found.failure.message
  const problem = (rule: IdleRule, of: string) => ({
    message: `${placeOfRule(config, rule)}: ${rule.message}`,
    next: `${rule.next} (As this database has seen ${of}; ${ask})`,
  })
  const idle = idleNames(named, calledNames(seen, Object.keys(servers)))
  return {
    problems: [
      ...ruled.flatMap(([name, server]) =>
        idleRules(name, server, seen.get(name) ?? []).flatMap((rule) => (seen.has(name) ? [problem(rule, name)] : [])),
      ),
      ...(unseen.length > 0 ? [] : idle.map((rule) => problem(rule, Object.keys(servers).join(', ')))),
    ],
    unchecked: [
      ...ruled.flatMap(([name]) =>
        seen.has(name) ? [] : [`The rules for tools of ${name} were not checked: ${why} ${ask}`],
      ),
      ...(unseen.length === 0
        ? []
        : idle.map(
            ({ path, name }) =>
              `${pathText(path)} "${name}" was not checked against ${unseen.join(', ')}: ${why} ${ask}`,
          )),
    ],
  }
}

/** What agents call, as far as it was seen. One server alone may be wrapped: its tools have their own names then. */
const calledNames = (seen: SeenTools, servers: readonly string[]): readonly string[] => [
  ...reservedTools,
  'retrieve_tools',
  ...servers.flatMap((server) => (seen.get(server) ?? []).map((tool) => `${server}:${tool}`)),
  ...(servers.length === 1 ? (seen.get(servers[0] ?? '') ?? []) : []),
]

/** Names in the settings that fit no tool of a server that runs; none while one behind it has not said which it has. */
function idleSettings(
  settings: ServerConfig,
  { parts, gateway }: Pick<Composed, 'parts' | 'gateway'>,
): readonly IdleRule[] {
  if (gateway?.pool.upstreams.some((upstream) => upstream.identity() === undefined) === true) return []
  const behind = (gateway?.pool.upstreams ?? []).flatMap((upstream) =>
    upstream.tools().tools.map(({ name }) => qualifiedName(upstream.name, name)),
  )
  const called = [...parts.engine.catalog.tools, ...(parts.gatewayTools?.direct() ?? [])]
  return idleNames(namedTools(settings), [...behind, ...called.map(({ wireName }) => wireName)])
}

/** Every rule that fits no tool of a server that runs. */
export const idleHere = (
  settings: ServerConfig,
  composed: Pick<Composed, 'parts' | 'gateway'>,
): readonly IdleRule[] => [...(composed.gateway?.idleRules() ?? []), ...idleSettings(settings, composed)]

/** Warns of each rule that fits no tool, once: as soon as the tools have been read, and when they change. */
export function warnOfIdleRules(
  settings: ServerConfig,
  composed: Pick<Composed, 'parts' | 'gateway' | 'telemetry'>,
): void {
  const said = new Set<string>()
  const look = (): void => {
    for (const { path, message, next } of idleHere(settings, composed)) {
      if (!said.has(pathText(path))) composed.telemetry.log.warn(`${message} ${next}`)
      said.add(pathText(path))
    }
  }
  composed.gateway?.changes((what) => (what === 'tools' ? look() : undefined))
  look()
}
