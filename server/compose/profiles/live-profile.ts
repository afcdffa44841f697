// A profile against the server that it is of: the server is started, asked which tools it has, and ended. None of them is
// called.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config/file.ts'
import type { Referents } from '../../config/references.ts'
import { parseYamlText } from '../../config/yaml-text.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { shownViews } from '../../gateway/passthrough/views.ts'
import { checkAgainst, type ProfileProblem } from '../../gateway/profiles/check-against.ts'
import { matchByOrigin } from '../../gateway/profiles/match-profile.ts'
import type { Profile } from '../../gateway/profiles/profile.schema.ts'
import { readsOf } from '../../gateway/profiles/read-profile.ts'
import { recordTested } from '../../gateway/profiles/record-tested.ts'
import { skeletonOf, type MetServer } from '../../gateway/profiles/skeleton.ts'
import { profileFit, programsOf } from '../../gateway/profiles/tool-profile.ts'
import { possibleAssessments } from '../../gateway/rating/assess.ts'
import { clientFor } from '../../gateway/upstream/connection/downstream-client.ts'
import { defaultLifecycle, type LifecycleOptions } from '../../gateway/upstream/connection/lifecycle-options.ts'
import { createPool } from '../../gateway/upstream/pool.ts'
import { hidingOf } from '../../gateway/upstream/settings/configured-values.ts'
import { originOf } from '../../gateway/upstream/settings/started-from.ts'
import type { ConfigFailure, ServerConfig } from '../../gateway/upstream/settings/upstream-config.ts'
import { operatorText } from '../../gateway/upstream/upstream.ts'
import { composeOptionsOf } from '../settings/config.ts'
import { serversOf, wrapConfig } from '../settings/gateway-files.ts'
import { serverLogins, whyNoLogin } from '../gateway/logins.ts'
import { isPostgresAddress, openRecords } from '../records/open-records.ts'
import { operatorOptions, operatorVariables } from '../settings/operator-options.ts'
import { packageVersion } from '../package-files.ts'
import { profileSchemaAddress } from './profile-schema-json.ts'

/** A server that may be started, under the name that messages give it. */
export interface NamedServer {
  readonly name: string
  readonly server: ServerConfig
}

/** Those that are enabled in the settings; their profiles need not be there yet. */
function serversIn(
  { text }: Pick<Config, 'text'>,
  known: Referents,
): Result<{ readonly servers: readonly NamedServer[]; readonly folder: string }, ConfigFailure> {
  if (text?.value['mcpServers'] === undefined) return ok({ servers: [], folder: '.' })
  const read = serversOf(text, known)
  if (!read.ok) return read
  const { config, folder } = read.value
  return ok({ servers: Object.entries(config.servers).map(([name, server]) => ({ name, server })), folder })
}

/** One word that is the name of a server in the settings is that server; anything else is a command line. */
export async function serverOf(
  words: readonly string[],
  settings: Config,
  known: Referents,
): Promise<Result<NamedServer, ConfigFailure>> {
  const [command, ...args] = words
  if (command === undefined)
    return fail({
      message: 'There is no server to start.',
      next: 'Name one of the settings file, or write its command after two dashes: -- npx -y notes-mcp',
    })
  const servers = serversIn(settings, known)
  if (!servers.ok) return servers
  const named = args.length > 0 ? undefined : servers.value.servers.find(({ name }) => name === command)
  if (named !== undefined) return ok(named)
  const config = await wrapConfig({ command, args, env: known.variables, profile: false })
  if (!config.ok) return config
  const [entry] = Object.entries(config.value.servers)
  return ok({ name: entry?.[0] ?? command, server: entry?.[1] as ServerConfig })
}

/** The one server of the settings that this profile is of: it is named there, or recognised by what it matches. */
export function serverWith(
  file: string,
  profile: Profile,
  settings: Config,
  known: Referents,
): Result<NamedServer, ConfigFailure> {
  const read = serversIn(settings, known)
  if (!read.ok) return read
  const { servers, folder } = read.value
  const isIts = ({ server }: NamedServer): boolean =>
    typeof server.profile === 'string'
      ? resolve(folder, server.profile) === resolve(file) || server.profile === profile.name
      : server.profile !== false && matchByOrigin(server, [profile]) !== undefined
  const [found, ...more] = servers.filter(isIts)
  if (found !== undefined && more.length === 0) return ok(found)
  return fail({
    message:
      found === undefined
        ? `No server of the settings file has the profile ${file}.`
        : `${[found, ...more].map(({ name }) => name).join(' and ')} have the profile ${file}.`,
    next: 'Write the command of the server after two dashes: -- npx -y notes-mcp',
  })
}

/** Starts a server, asks for its tools, and ends it. Where the gateway has a login at it, that is used. */
export async function meet(named: NamedServer, settings: Config): Promise<Result<MetServer, ConfigFailure>> {
  const { file, secret } = composeOptionsOf(settings.server)
  const mayBeLoggedIn = whyNoLogin(named.server) === undefined && (isPostgresAddress(file) || existsSync(file))
  const opened = mayBeLoggedIn ? await openRecords({ file, secret }) : undefined
  if (opened?.ok === false) return opened
  const commandOptions = { operatorOptions: operatorOptions(settings), operatorVariables: operatorVariables(settings) }
  try {
    return await meetWith(named, opened && serverLogins(opened.value, {}, commandOptions))
  } finally {
    await opened?.value.close()
  }
}

async function meetWith(
  { name, server }: NamedServer,
  login: LifecycleOptions['login'],
): Promise<Result<MetServer, ConfigFailure>> {
  const pool = createPool(
    { servers: { [name]: server } },
    {
      ...defaultLifecycle,
      version: packageVersion(),
      now: Date.now,
      ...(login === undefined ? {} : { login }),
      client: () => clientFor(name, undefined, { views: shownViews(name).shown }),
    },
  )
  try {
    await pool.startAll()
    const upstream = pool.find(name)
    const identity = upstream?.identity()
    if (upstream === undefined || identity === undefined) {
      const why = upstream === undefined ? '' : operatorText(upstream.state())
      return fail({
        message: `${name} does not answer: ${why}`,
        next: 'Correct its command, and what it needs to start.',
      })
    }
    // What it calls itself is written into a file that others read.
    const { text } = hidingOf(server)
    const { name: own, title, version } = identity
    const hidden = { name: text(own), title: title === undefined ? title : text(title), version: text(version) }
    return ok({ origin: originOf(server), identity: hidden, tools: upstream.tools().tools })
  } finally {
    await pool.close()
  }
}

/** A profile to begin with. */
export const skeleton = (met: MetServer): string => skeletonOf(met, profileSchemaAddress)

/** What does not fit, by its place in the file. */
interface PlacedProblem {
  /** `file:line:column`. */
  readonly place: string
  readonly message: string
  readonly next: string
}

export interface Tested {
  readonly problems: readonly PlacedProblem[]
  /** Tools that are defined otherwise than it was written for. */
  readonly changed: readonly PlacedProblem[]
  /** The text with the definitions of this version, where nothing else is wrong. */
  readonly recorded: string | undefined
}

/** Holds a profile, as its file has it, to the tools of its server. */
export function testProfile(
  { profile, source, file }: { readonly profile: Profile; readonly source: string; readonly file: string },
  { server }: NamedServer,
  { tools, identity }: MetServer,
): Tested {
  const text = parseYamlText(source, file)
  const placed = ({ path, message, next }: ProfileProblem): PlacedProblem => {
    const { line, column } = text.ok ? text.value.placeOf(path) : { line: 1, column: 1 }
    return { place: `${file}:${line}:${column}`, message, next }
  }
  const known = { profile, lowers: true, by: '' }
  const changed = profileFit(known, tools).changed.map((name) => ({
    path: ['tools', name],
    message: `${name} is defined otherwise than when the profile was written, so the general rules rate it.`,
    next: 'Look at what has changed; --record writes down that the profile fits.',
  }))
  const mayRead = (name: string): boolean => {
    const tool = tools.find((each) => each.name === name)
    const said = profile.tools[name]
    if (tool === undefined || said === undefined || programsOf(said).length > 0) return true
    const own = { ...said, server: profile.title, lowers: true }
    return possibleAssessments({ tool, variant: 'call_tool_read', server, profile: own }).some(
      ({ risk, operation }) => risk === 'low' && operation === 'read',
    )
  }
  const reads = Object.entries(profile.tools).flatMap(([name, tool]) =>
    readsOf(tool)
      .filter(({ call }) => !mayRead(call))
      .map(({ path, call }) => ({
        path: ['tools', name, ...path],
        message: `${call} is no read by the settings of this server, so it is not called before a person agreed.`,
        next: 'Change what the settings say of it, or read something else.',
      })),
  )
  const others = [...checkAgainst(profile, tools), ...reads]
  return {
    problems: others.map(placed),
    changed: changed.map(placed),
    recorded: others.length > 0 ? undefined : recordTested(source, identity.version || 'unknown', tools),
  }
}
