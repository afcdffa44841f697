// What a program creates: tools, where they are kept and who calls them, and the doors through which that is reached.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { McpServer as ModernMcpServer } from '@modelcontextprotocol/server'
import { showInvisible } from './cards/invisible-characters.ts'
import type { CardTheme } from './cards/theme.ts'
import { instructionsFor } from './rail/answers/agent-instructions.ts'
import type { EngineSettings } from './rail/engine.ts'
import { readSettings } from './rail/engine-settings.ts'
import type { ActivityUpkeep } from './compose/records/activity.ts'
import type { Composed } from './compose/compose.ts'
import { noteServer } from './compose/opened-servers.ts'
import { readConfig, type Config, type Override } from './config/file.ts'
import { themeSaid } from './config/theme.ts'
import { mountedDoor, type Fetch } from './http/mounted-door.ts'
import type { Served } from './http/serve.ts'
import { identifyBy, type PrincipalOf } from './mcp/identity.ts'
import {
  readOffer,
  type Offer,
  type OfferedPrompt,
  type OfferedResource,
  type OfferedResourceTemplate,
} from './mcp/offer.ts'
import { localPrincipal } from './mcp/local-principal.ts'
import { createCatalog } from './tools/catalog.ts'
import type { Contract } from './tools/contract.ts'
import { readMiddleware, type Middleware } from './tools/middleware.ts'
import { surroundings } from './model/surroundings.ts'
import type { Principal } from './model/principal.ts'
import type { Toolset } from './toolsets/toolset.ts'

/** What a server is made of. Each may be left out. */
export interface CountersignOptions {
  /** Its tools, of `defineTool`, `defineWrite` and `defineRead`. */
  readonly tools?: readonly Contract[]
  /** Tools that keep something in the server's database, and what they have at the web door. */
  readonly toolsets?: readonly Toolset[]
  /** Texts and bytes at addresses of your own, which agents and people read: `notes://plan`, or all of `notes://{name}`. */
  readonly resources?: readonly (OfferedResource | OfferedResourceTemplate)[]
  /** What a person may choose in their host to begin with. */
  readonly prompts?: readonly OfferedPrompt[]
  /** What surrounds each function of a tool, the first one outermost: it sees the call, and may refuse it before it begins. */
  readonly middleware?: readonly Middleware[]
  /** Settings file; `COUNTERSIGN_CONFIG` when absent, and none where that is absent too. What is said here goes first. */
  readonly config?: string
  /** Database file or `:memory:`. `COUNTERSIGN_DB`, or a file in the user's data directory, when absent. */
  readonly store?: string
  /** Seals plans and results; `COUNTERSIGN_SECRET`, or a key file beside the database, when absent. */
  readonly secret?: string
  /**
   * A file to which the heads of the activity log are appended (COUNTERSIGN_ANCHOR), and what may stay of the log
   * (COUNTERSIGN_ACTIVITY_DAYS, _ROWS, _BYTES; everything when absent).
   */
  readonly activity?: ActivityUpkeep
  /** Name of the server, on every card. */
  readonly name?: string
  /** The look of its cards: a colour, corners, a logo. */
  readonly theme?: CardTheme
  /** Texts by name; served as `mcp://<name>/cheatsheet`. */
  readonly cheatsheets?: Readonly<Record<string, string>>
  /** This host keeps app-only tools from its model: a click in the card then counts as recorded. */
  readonly trustedHost?: boolean
  /** Who is at the other end of stdio, or of an attached server that is served over no HTTP. */
  readonly principal?: Principal
  /**
   * Who sends an HTTP request; `undefined` refuses it. Of an answer only `tenant`, `subject` and `claims` are taken. Everyone who
   * reaches `.http()` on the loopback is one person when absent; a server that you attach to needs it for HTTP, and gets
   * the transport's `authInfo` and session id beside the request (its headers and address; the body has been read).
   */
  readonly principalOf?: PrincipalOf
  /** Which of these permissions a principal lacks; none when absent. */
  readonly missingPermissions?: (principal: Principal, permissions: readonly string[]) => readonly string[]
  /** How calls are decided and run, where that is not as by default. */
  readonly settings?: Partial<EngineSettings>
  /** `grace`: calls over REST may leave out the rationale, for two weeks from the first start with it. */
  readonly rationale?: 'required' | 'grace'
  /** For `fetch`. */
  readonly fetch?: FetchOptions
}

/** Where `fetch` is reached; the same as settings: `http.public_url`, `http.allowed_hosts`, `http.allowed_origins`. */
export type FetchOptions = Pick<HttpOptions, 'publicUrl' | 'allowedHosts' | 'allowedOrigins'>

/** Where a web door listens, and who reaches it. */
export interface HttpOptions {
  /** 3323 when absent; 0 takes any free port. */
  readonly port?: number
  /** 127.0.0.1 when absent. */
  readonly host?: string
  /** Host names to answer to, beside the loopback and `publicUrl`. */
  readonly allowedHosts?: readonly string[]
  /** Origins of other pages that may call `/mcp`. */
  readonly allowedOrigins?: readonly string[]
  /** Where people and agents reach the server, if not where it listens: `https://host[:port]`. */
  readonly publicUrl?: string
  /** Opens the playground at `/playground` too. */
  readonly playground?: boolean
}

/** A server of confirmed tools, whose doors are opened by its functions. */
export interface Countersign {
  /** What an agent should be told; `stdio` and `http` send it, a server that you attach to should. */
  readonly instructions: string
  /** Serves one client on stdin and stdout, until it closes the connection. */
  stdio(): Promise<void>
  /**
   * Serves Streamable HTTP at `/mcp`, the same tools at `/api/v1/tools`, and the operators' API at `/api/v1` for who has
   * the admin token: `COUNTERSIGN_ADMIN_TOKEN`, or what lies at `adminTokenPlace`. Where neither `principalOf` nor
   * `access.mode` says who calls, callers bring the secret at the end of `mcpUrl`: this start's own, or
   * `COUNTERSIGN_ACCESS_SECRET`.
   */
  http(options?: HttpOptions): Promise<Served>
  /**
   * Answers a request for MCP (Streamable HTTP), at whatever path your own web server or platform has mounted it; it needs no
   * `this`, listens nowhere, and opens the database with the first request. `principalOf` or `access` must say who calls,
   * and `publicUrl` or `allowedHosts` under which host names clients reach it, where that is not the loopback. It always answers:
   * what keeps it from starting is told to the client as far as that may know it, and to stderr.
   */
  readonly fetch: Fetch
  /**
   * Adds the tools to an McpServer that you already have, before it is connected. What that cannot do is listed at
   * `attachTo` in `server/mcp/attach.ts`: unknown tools, instructions and a `__proto__` argument stay with your server.
   * Without `principalOf` your server's `connect` throws a CountersignError for a transport that serves HTTP.
   * @throws {CountersignError} when your server has a tool or resource of the same name; nothing is added then.
   */
  attach(server: McpServer | ModernMcpServer): Promise<void>
  /** Closes the database, and `fetch` with it. Other doors must be closed first. */
  close(): Promise<void>
}

/** Something outside is not as it must be: the message says what, `next` what to do. */
export class CountersignError extends Error {
  /** What to do. */
  readonly next: string
  constructor(message: string, next: string) {
    super(`${message} ${next}`)
    this.name = 'CountersignError'
    this.next = next
  }
}

/**
 * A server of confirmed tools. Contracts are checked at once; the database opens with the first door.
 * @throws {ContractError} when a contract is incomplete or two have one name.
 * @throws {CountersignError} when a setting cannot be used.
 */
export function createCountersign(options: CountersignOptions): Countersign {
  createCatalog(options.tools ?? [])
  const settings = readSettings(options.settings)
  if (!settings.ok) throw new CountersignError(settings.failure.message, settings.failure.next)
  const offer = readOffer(options.resources, options.prompts)
  if (!offer.ok) throw new CountersignError(offer.failure.message, offer.failure.next)
  const middleware = readMiddleware(options.middleware)
  if (!middleware.ok) throw new CountersignError(middleware.failure.message, middleware.failure.next)
  if (options.fetch !== undefined || options.theme !== undefined) settingsOf(options, options.fetch)
  let opened: Promise<Composed> | undefined
  const open = (): Promise<Composed> =>
    (opened ??= openParts(options, offer.value).catch((error: unknown) => {
      // A database that was away may be back when the next door opens.
      opened = undefined
      throw error
    }))
  const identifyWith = ({ parts }: Composed) =>
    options.principalOf === undefined ? {} : { identify: identifyBy(options.principalOf, parts.engine.report) }
  const mounted = mountedDoor(
    async () => {
      const served = await open()
      const { createMount } = await import('./http/mount.ts')
      return createMount({
        config: settingsOf(options, options.fetch).server,
        served,
        trusted,
        principal: options.principal ?? localPrincipal('http'),
        ...identifyWith(served),
      })
    },
    (message) => void surroundings().stderr.write(`countersign: ${showInvisible(message)}\n`),
  )
  const stdioPrincipal = options.principal ?? localPrincipal()
  const trusted = options.trustedHost === true
  const isOpen = (): boolean => opened !== undefined
  const server: Countersign = {
    instructions: instructionsFor(options.settings?.confirmation),
    stdio: async () => {
      const { parts, telemetry } = await open()
      const onTrouble = (message: string): void => telemetry.log.warn(message)
      const { serveStdio } = await import('./mcp/stdio-door.ts')
      await serveStdio(parts, { principal: stdioPrincipal, trusted, onTrouble })
    },
    http: async (http = {}) => {
      const served = await open()
      const config = settingsOf(options, http).server
      const [{ serveWeb }, { documentationAssets, playgroundAssets }] = await Promise.all([
        import('./http/serve.ts'),
        import('./compose/package-files.ts'),
      ])
      const web = await serveWeb({
        config,
        served,
        trusted,
        principal: options.principal ?? localPrincipal('http'),
        ...identifyWith(served),
        ...(config.http.playground === true ? { playground: { assets: playgroundAssets() } } : {}),
        documentation: { assets: documentationAssets() },
      })
      if (!web.ok) throw new CountersignError(web.failure.message, web.failure.next)
      return web.value
    },
    fetch: mounted.fetch,
    attach: async (server) => {
      const { parts } = await open()
      // It needs the SDK's `McpServer`, which no other door does.
      const { attachTo } = await import('./mcp/attach.ts')
      const attached = attachTo(server as McpServer, parts, {
        principal: stdioPrincipal,
        principalOf: options.principalOf,
        trusted,
        refuse: (message, next) => new CountersignError(message, next),
      })
      if (!attached.ok) throw new CountersignError(attached.failure.message, attached.failure.next)
    },
    close: async () => {
      mounted.close()
      // What never opened has nothing to close, and its failure has been told to whoever opened it.
      await (await opened?.catch(() => undefined))?.close()
    },
  }
  return noteServer(server, { open, isOpen, principal: stdioPrincipal, trusted: options.trustedHost })
}

/** The settings in force: what the program says, over the environment, over the file. */
function settingsOf(options: CountersignOptions, http: HttpOptions = {}): Config {
  const theme = themeSaid(options.theme)
  if (!theme.ok) throw new CountersignError(theme.failure.message, theme.failure.next)
  const said: readonly Override[] = [
    { path: ['db'], value: options.store, source: 'The option store' },
    { path: ['secret'], value: options.secret, source: 'The option secret' },
    { path: ['name'], value: options.name, source: 'The option name' },
    { path: ['rationale'], value: options.rationale, source: 'The option rationale' },
    ...theme.value,
    { path: ['http', 'port'], value: http.port, source: 'The option port' },
    { path: ['http', 'host'], value: http.host, source: 'The option host' },
    { path: ['http', 'allowed_hosts'], value: http.allowedHosts, source: 'The option allowedHosts' },
    { path: ['http', 'allowed_origins'], value: http.allowedOrigins, source: 'The option allowedOrigins' },
    { path: ['http', 'public_url'], value: http.publicUrl, source: 'The option publicUrl' },
    { path: ['http', 'playground'], value: http.playground, source: 'The option playground' },
  ]
  const given = said.filter(({ value }) => value !== undefined)
  const config = readConfig(options.config, surroundings().env, given)
  if (!config.ok) throw new CountersignError(config.failure.message, config.failure.next)
  return config.value
}

async function openParts(options: CountersignOptions, offer: Offer): Promise<Composed> {
  const settings = settingsOf(options)
  // What answers calls is most of the code, which a program that only declares tools does without; each door loads its own.
  const { openServer } = await import('./open-server.ts')
  const composed = await openServer(options, settings, offer)
  if (!composed.ok) throw new CountersignError(composed.failure.message, composed.failure.next)
  return composed.value
}
