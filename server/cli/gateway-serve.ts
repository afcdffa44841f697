// `gateway` and `wrap` differ in what they stand in front of and in nothing else: the same doors, the same database, the
// same words at the start. stdio is what hosts use; `--http` opens a web door, with the playground on it.
import { compose, databaseFile, playgroundAssets, type Composed } from '../compose.ts'
import type { GatewayConfig } from '../compose-gateway-files.ts'
import { readEnvironment } from '../config.ts'
import { openAdminToken } from '../http/admin-token.ts'
import { roomsOf } from '../http/rooms.ts'
import { openWebDoor } from '../http/web-door.ts'
import { createHttpDoor } from '../mcp/http-door.ts'
import { localPrincipal } from '../mcp/local-principal.ts'
import { serveStdio } from '../mcp/stdio-door.ts'
import { say } from './say.ts'

/** Options that every command in front of other people's servers has. */
export interface GatewayDoorOptions {
  readonly http?: number
  readonly db?: string
  readonly trustedHost?: true
  readonly as: string
}

/** Exit codes of this terminal: the tool or the server failed; refused, or a command line that cannot be used. */
export const exit = { ok: 0, failed: 1, refused: 2 } as const

/** Says what is wrong in one line. */
export function trouble(
  failure: { readonly message: string; readonly next: string },
  code: number = exit.failed,
): number {
  say.error(failure.message, failure.next)
  return code
}

/** Every enabled server has to say it: behind one connection nobody can tell them apart. */
export const isTrusted = (config: GatewayConfig, options: Pick<GatewayDoorOptions, 'trustedHost'>): boolean => {
  const servers = Object.values(config.servers)
  return options.trustedHost === true || (servers.length > 0 && servers.every((server) => server.trusted_host))
}

/** Opens the database and starts the servers of this configuration, or says why not and answers the exit code. */
export async function openGateway(
  config: GatewayConfig,
  mode: 'gateway' | 'wrap',
  options: { readonly db?: string | undefined; readonly name?: string; readonly patienceMs?: number },
): Promise<Composed | number> {
  const env = readEnvironment(process.env)
  if (!env.ok) return trouble(env.failure)
  const composed = await compose({
    file: databaseFile(options.db ?? env.value.db),
    secret: env.value.secret,
    activity: env.value.activity,
    name: options.name ?? 'Countersign',
    gateway: { config, mode, patienceMs: options.patienceMs },
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
  const composed = await openGateway(config, mode, { db: options.db, name })
  if (typeof composed === 'number') return composed
  try {
    sayUpstreams(composed)
    return options.http === undefined
      ? await serveChild(composed, options.as, isTrusted(config, options), ends)
      : await serveWeb(composed, options.http, isTrusted(config, options), ends)
  } finally {
    await composed.close()
  }
}

async function serveChild(composed: Composed, as: string, trusted: boolean, ends: Promise<void>): Promise<number> {
  await Promise.race([serveStdio(composed.parts, { principal: localPrincipal(as), trusted }), ends])
  return exit.ok
}

async function serveWeb(composed: Composed, port: number, trusted: boolean, ends: Promise<void>): Promise<number> {
  const { parts, sessionKey, store, runApproved } = composed
  const env = readEnvironment(process.env)
  if (!env.ok) return trouble(env.failure)
  const admin = await openAdminToken(store.file, env.value.adminToken)
  if (!admin.ok) return trouble(admin.failure)
  const principalOf = () => localPrincipal('http')
  const door = createHttpDoor(parts, { sessionKey, principalOf })
  const web = await openWebDoor({
    mcp: (request, info) => door(request, { trusted: info.trusted || trusted }),
    port,
    playground: { assets: playgroundAssets() },
    ...roomsOf({ road: parts.road, store, runApproved, adminToken: admin.value.value, principalOf }),
    onUnexpected: (error) => void parts.road.report(error, 'http'),
  })
  if (!web.ok) return trouble(web.failure)
  composed.openedAt(web.value.url)
  say.line()
  say.line(`  Playground   ${web.value.playgroundUrl}`)
  say.line(`  MCP          ${web.value.mcpUrl}`)
  say.line(`  Database     ${store.file}`)
  say.line(`  Admin token  ${admin.value.place}`)
  say.line()
  say.line('  Press Ctrl+C to stop.')
  await ends
  await web.value.close()
  return exit.ok
}

/** One line for each server: what an operator looks for first when a tool is missing. */
function sayUpstreams({ gateway }: Composed): void {
  for (const upstream of gateway?.pool.upstreams ?? []) {
    const { kind, reason } = upstream.state()
    const { tools, problems } = upstream.tools()
    const held = gateway?.tools().filter((tool) => tool.upstream === upstream && tool.held !== undefined).length ?? 0
    const state = kind === 'ready' ? `${tools.length} tools` : reason === undefined ? kind : `${kind}: ${reason}`
    say.line(`countersign: ${upstream.name}: ${state}`)
    for (const problem of problems.slice(0, 5)) say.line(`countersign: ${upstream.name}: left out ${problem}`)
    if (held > 0)
      say.line(
        `countersign: ${upstream.name}: ${held} changed since they were accepted; see \`countersign tools review\``,
      )
  }
}

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
