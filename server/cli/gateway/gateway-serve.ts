// `gateway` and `wrap` differ in what they stand in front of and in nothing else: the same doors, the same database, the
// same words at the start. stdio is what hosts use; `--http` opens a web door, with the playground on it.
import { composeOptionsOf, type Config } from '../../compose/settings/config.ts'
import { operatorOptions, operatorVariables } from '../../compose/settings/operator-options.ts'
import type { GatewaySetup } from '../../compose/gateway/from-store.ts'
import { compose, type Composed } from '../../compose/compose.ts'
import { warnOfIdleRules } from '../../compose/settings/check-tool-rules.ts'
import { gatewayOf, operatorText, type GatewayConfig } from '../../compose/settings/gateway-files.ts'
import { variablesFor } from '../../compose/settings/secrets.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { settingsOf, type ConfigOptions } from '../config-options.ts'
import { serveChildUntil, serveWebUntil, signalled } from '../web/serve-here.ts'
import { exit, trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'
import { putOffGrowth } from '../young-generation.ts'

/** Options that every command in front of other people's servers has. */
export interface GatewayDoorOptions extends ConfigOptions {
  /** `true`: the port of the settings. */
  readonly http?: number | true
  readonly trustedHost?: true
  readonly as: string
}

/** The settings and the gateway that they describe; the exit code where one of them cannot be used. */
export async function gatewayIn(
  options: ConfigOptions,
  code: number = exit.failed,
): Promise<{ readonly settings: Config; readonly config: GatewayConfig } | number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure, code)
  const variables = await variablesFor(settings.value, surroundings().env)
  const config = await gatewayOf(settings.value, variables)
  return config.ok ? { settings: settings.value, config: config.value } : trouble(config.failure, code)
}

/** `countersign gateway`: many servers behind four tools. Serves until the client leaves. Answers the exit code. */
export async function gateway(options: GatewayDoorOptions): Promise<number> {
  const found = await gatewayIn(options)
  return typeof found === 'number' ? found : await serveGateway(found.config, 'gateway', options)
}

/** Every enabled server has to say it: behind one connection nobody can tell them apart. */
export const isTrusted = (config: GatewayConfig, options: Pick<GatewayDoorOptions, 'trustedHost'>): boolean => {
  const servers = Object.values(config.servers)
  return options.trustedHost === true || (servers.length > 0 && servers.every((server) => server.trusted_host))
}

/** What `doctor` takes in place of the database: nothing of its start is kept. */
const keepsNothing = { file: ':memory:', activity: undefined, webhooks: [], rationale: 'required' } as const

type LogLevel = Config['server']['log']['level']

/** The level of a command that prints by itself what the log has below `least`; who asks for more gets it. */
const quieter = (level: LogLevel, least: 'warn' | 'error'): { readonly logLevel?: LogLevel } =>
  level === 'info' || (level === 'warn' && least === 'error') ? { logLevel: least } : {}

/** Opens the database and starts the servers of this configuration, or says why not and answers the exit code. */
export async function openGateway(
  config: GatewayConfig,
  mode: 'gateway' | 'wrap',
  options: ConfigOptions & {
    readonly name?: string
    readonly patienceMs?: number
    readonly waitsForClient?: boolean
    /** The command says itself what became of its one call, so the log leaves out what it has at `info`. */
    readonly saysOutcome?: true
    /** Only looks: works on a database in memory, with these definitions as the pinned ones, and with these logins. */
    readonly looks?: Required<Pick<GatewaySetup, 'pins'>> & Pick<GatewaySetup, 'logins'>
  },
): Promise<Composed | number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const { server } = settings.value
  const composed = await compose({
    ...composeOptionsOf(server),
    operatorOptions: operatorOptions(settings.value),
    operatorVariables: operatorVariables(settings.value),
    ...(options.looks === undefined ? {} : { ...keepsNothing, ...quieter(server.log.level, 'error') }),
    ...(options.saysOutcome === true ? quieter(server.log.level, 'warn') : {}),
    name: server.name ?? options.name ?? 'Countersign',
    gateway: { config, mode, patienceMs: options.patienceMs, waitsForClient: options.waitsForClient, ...options.looks },
  })
  return composed.ok ? composed.value : trouble(composed.failure)
}

/** Serves until the client leaves or the process is told to end. Answers the exit code. */
export async function serveGateway(
  config: GatewayConfig,
  mode: 'gateway' | 'wrap',
  options: GatewayDoorOptions,
): Promise<number> {
  const ends = signalled()
  const names = Object.keys(config.servers)
  if (names.length === 0)
    return trouble({ message: 'There is no server to stand in front of.', next: 'Enable or add one in `mcpServers`.' })
  const name = mode === 'wrap' ? `Countersign: ${names[0] ?? ''}` : 'Countersign'
  const waitsForClient = options.http === undefined
  const composed = await openGateway(config, mode, { ...options, name, waitsForClient })
  if (typeof composed === 'number') return composed
  // A server that comes up; one whose list changes every minute would keep calls slow for good.
  const up = new Set<unknown>()
  composed.gateway?.pool.listen((server, event) => {
    if (event.kind !== 'tools' || up.has(server)) return
    up.add(server)
    putOffGrowth()
  })
  try {
    const settings = settingsOf(options)
    if (settings.ok) warnOfIdleRules(settings.value.server, composed)
    if (!waitsForClient) sayUpstreams(composed)
    return waitsForClient
      ? await serveChild(composed, options.as, isTrusted(config, options), ends)
      : await serveHttp(composed, options, isTrusted(config, options), ends)
  } finally {
    await composed.close()
  }
}

async function serveChild(composed: Composed, as: string, trusted: boolean, ends: Promise<void>): Promise<number> {
  const onOpen = (): void => sayUpstreams(composed)
  await serveChildUntil(ends, composed, { principal: localPrincipal(as), trusted, onOpen })
  return exit.ok
}

async function serveHttp(
  served: Composed,
  { http, ...options }: GatewayDoorOptions,
  trusted: boolean,
  ends: Promise<void>,
): Promise<number> {
  const settings = settingsOf(typeof http === 'number' ? { ...options, port: http } : options)
  if (!settings.ok) return trouble(settings.failure)
  return serveWebUntil(ends, settings.value.server, {
    served,
    trusted,
    operatorOptions: operatorOptions(settings.value),
  })
}

/** One line for each server: what an operator looks for first when a tool is missing. */
function sayUpstreams({ gateway, telemetry: { log } }: Composed): void {
  for (const upstream of gateway?.pool.upstreams ?? []) {
    const now = upstream.state()
    const { kind } = now
    const { tools, problems } = upstream.tools()
    const held = gateway?.tools().filter((tool) => tool.upstream === upstream && tool.held !== undefined).length ?? 0
    const state =
      kind === 'ready' ? `${tools.length} tools` : now.reason === undefined ? kind : `${kind}: ${operatorText(now)}`
    log[kind === 'ready' || kind === 'idle' ? 'info' : 'warn'](`${upstream.name}: ${state}`)
    for (const problem of problems.slice(0, 5)) log.warn(`${upstream.name}: left out ${problem}`)
    if (held > 0)
      log.warn(`${upstream.name}: ${held} changed since they were accepted; see \`countersign tools review\``)
  }
}
