// What a gateway is configured with lies in files of other people's making: its own, the hosts' and the cheatsheets. Here
// they are opened, and nowhere else; what is wrong with one is said with its name and the next step.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config/file.ts'
import type { Referents } from '../../config/references.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { remoteServerSchema, stdioServerSchema } from '../../gateway/upstream/settings/upstream-config.schema.ts'
import {
  readGatewayConfig,
  type ConfigFailure,
  type GatewayConfig,
  type ServerConfig,
} from '../../gateway/upstream/settings/upstream-config.ts'
import { definitionDiff } from '../../gateway/upstream/definitions/definition-diff.ts'
import type { DefinitionChange } from '../../operators/contract-views.ts'
import { shownAddress } from '../../gateway/upstream/settings/configured-secrets.ts'
import { nameFrom, originOf } from '../../gateway/upstream/settings/started-from.ts'
import type { KnownServer } from '../../gateway/profiles/tool-profile.ts'
import type { Store } from '../../store/store.ts'
import { profileFor, sheetOf } from '../profiles/profiles.ts'

export type { ConfigFailure, GatewayConfig } from '../../gateway/upstream/settings/upstream-config.ts'
export type { UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
export { operatorText } from '../../gateway/upstream/upstream.ts'
export { riskWordsOf } from '../../gateway/contract/tool-words.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The servers that a settings file stands in front of. Paths in it are relative to its folder. */
export async function gatewayOf(
  { text }: Pick<Config, 'text'>,
  known: Referents,
): Promise<Result<GatewayConfig, ConfigFailure>> {
  if (text === undefined)
    return fail({
      message: 'There is no settings file, so there are no servers to stand in front of.',
      next: 'Name it with --config, or make one from the hosts on this machine with `countersign import`.',
    })
  const read = serversOf(text, known)
  if (!read.ok) return read
  const { config, folder } = read.value
  const servers = Object.entries(config.servers).map(([name, server]): [string, ServerConfig] => [
    name,
    server.cheatsheet === undefined ? server : { ...server, cheatsheet: resolve(folder, server.cheatsheet) },
  ])
  return withProfiles({ ...config, servers: Object.fromEntries(servers) }, folder)
}

/** The servers that are enabled in a settings file, as they stand there, and the folder to which its paths are relative. */
export function serversOf(
  text: NonNullable<Config['text']>,
  known: Referents,
): Result<{ readonly config: GatewayConfig; readonly folder: string }, ConfigFailure> {
  const read = readGatewayConfig(text, known)
  return read.ok ? ok({ config: read.value, folder: dirname(resolve(text.file)) }) : read
}

/** With what is known of each server, and its cheatsheet. Paths of profiles are relative to `folder`. */
async function withProfiles(config: GatewayConfig, folder: string): Promise<Result<GatewayConfig, ConfigFailure>> {
  const profiles: Record<string, KnownServer> = {}
  const servers: Record<string, ServerConfig> = {}
  for (const [name, server] of Object.entries(config.servers)) {
    const known = await profileFor(server, folder)
    if (!known.ok) return fail({ ...known.failure, message: `mcpServers.${name}.profile: ${known.failure.message}` })
    if (known.value !== undefined) profiles[name] = known.value
    const complete = withSheet(server, known.value)
    if (!complete.ok) return complete
    servers[name] = complete.value
  }
  return ok({ ...config, servers, profiles })
}

/** With the cheatsheet of its profile, where it has none of its own. */
function withSheet(server: ServerConfig, known: KnownServer | undefined): Result<ServerConfig, ConfigFailure> {
  const shipped = known === undefined ? ok(undefined) : sheetOf(known.profile)
  if (!shipped.ok) return shipped
  const cheatsheet = server.cheatsheet ?? shipped.value
  return ok(cheatsheet === undefined ? server : { ...server, cheatsheet })
}

export interface WrapOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The host's environment for us is meant for the server behind us. */
  readonly env: Variables
  /** As what the server is known; from the command when absent. */
  readonly name?: string | undefined
  readonly confirmation?: 'rail' | 'host' | undefined
  readonly rationale?: 'required' | 'optional' | undefined
  readonly cheatsheet?: string | undefined
  readonly profile?: string | false | undefined
}

/** The address of a remote server, where a command line is one and nothing else. */
export function addressOf(commandLine: readonly string[]): string | undefined {
  const [word = '', ...more] = commandLine
  return more.length === 0 && /^https?:\/\//i.test(word) && URL.canParse(word) ? word : undefined
}

/** The configuration of a single server that is started with this command, or lies at this address. */
export async function wrapConfig({
  command,
  args,
  env,
  name,
  confirmation,
  rationale,
  cheatsheet,
  profile,
}: WrapOptions): Promise<Result<GatewayConfig, ConfigFailure>> {
  const passed = Object.entries(env).flatMap(([key, value]) =>
    // Ours, and the secrets of other servers, which are no variables of the environment.
    value === undefined || /^(?:COUNTERSIGN_|secret:)/.test(key) ? [] : [[key, value] as const],
  )
  const commandLine = [command, ...args]
  const url = addressOf(commandLine)
  const common = { rationale, profile, ...(cheatsheet === undefined ? {} : { cheatsheet: resolve(cheatsheet) }) }
  const server =
    url === undefined
      ? stdioServerSchema.parse({ command, args: [...args], env: Object.fromEntries(passed), ...common })
      : remoteServerSchema.parse({ url, ...common })
  const found = await profileFor(server, process.cwd())
  if (!found.ok) return found
  const complete = withSheet(server, found.value)
  if (!complete.ok) return complete
  const known = name ?? found.value?.profile.name ?? nameFrom(originOf(server))
  const config: GatewayConfig = {
    confirmation: confirmation ?? 'rail',
    intent: { shape: 'nested', strict_server_validation: true },
    servers: { [known]: complete.value },
    // Two servers that were never named may both be an `index.mjs`; they must not hold each other's tools back.
    ...(name === undefined ? { pinKeys: { [known]: `${known}#${shortHash(commandLine)}` } } : {}),
    ...(url === undefined
      ? {}
      : { loginWords: { [known]: [addressWord(url), ...(name === undefined ? [] : ['--name', name])] } }),
    disabled: [],
    profiles: found.value === undefined ? {} : { [known]: found.value },
  }
  return ok(config)
}

/** As it stands in a command that agents read, too: whole, or not at all. */
const addressWord = (url: string): string => (shownAddress(url) === new URL(url).href ? url : 'ADDRESS')

const shortHash = (commandLine: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(commandLine)).digest('hex').slice(0, 8)

/** The cheatsheets of the servers that have one. */
export async function serverCheatsheets(
  config: Pick<GatewayConfig, 'servers'>,
): Promise<Result<Readonly<Record<string, string>>, ConfigFailure>> {
  const sheets: Record<string, string> = {}
  for (const [name, { cheatsheet }] of Object.entries(config.servers)) {
    if (cheatsheet === undefined) continue
    const text = await readText(cheatsheet)
    if (!text.ok)
      return fail({
        message: `The cheatsheet of ${name}, ${cheatsheet}, cannot be read (${text.failure}).`,
        next: 'Correct the path in the gateway file, or take it out.',
      })
    sheets[name] = text.value
  }
  return ok(sheets)
}

/** Every definition on this database that waits for an operator. */
export const waitingChanges = async ({ pins }: Pick<Store, 'pins'>): Promise<readonly DefinitionChange[]> =>
  (await pins.waiting()).flatMap(({ server, tool, definition, held }) =>
    held === undefined
      ? []
      : [
          {
            name: `${server}:${tool}`,
            server,
            tool,
            digest: held.digest,
            diff: definitionDiff(JSON.parse(definition), JSON.parse(held.definition)),
          },
        ],
  )

async function readText(file: string): Promise<Result<string, string>> {
  try {
    return ok(await readFile(file, 'utf8'))
  } catch (error) {
    return fail((error as NodeJS.ErrnoException).code ?? String(error))
  }
}
