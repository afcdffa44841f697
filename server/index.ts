// The library's own door: what someone imports who writes a server with confirmed tools. It may reach for every floor,
// and nothing reaches for it.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { instructions } from './call/coaching.ts'
import type { RoadSettings } from './call/request.ts'
import { readSettings } from './call/settings.ts'
import type { ActivityUpkeep } from './compose-activity.ts'
import { compose, databaseFile, playgroundAssets, type Composed } from './compose.ts'
import { readEnvironment, type Environment } from './config.ts'
import { openAdminToken } from './http/admin-token.ts'
import { roomsOf } from './http/rooms.ts'
import { openWebDoor, type WebDoor } from './http/web-door.ts'
import { attachTo } from './mcp/attach.ts'
import { createHttpDoor } from './mcp/http-door.ts'
import { localPrincipal } from './mcp/local-principal.ts'
import { serveStdio } from './mcp/stdio-door.ts'
import { createCatalog } from './tools/catalog.ts'
import type { Contract, Principal } from './tools/contract.ts'

export { defineTool, ContractError } from './tools/define-tool.ts'
export { previewCard, successCard, errorCard, CardError } from './cards/builders.ts'
export { formatApply, formatCancel, formatPreview, parseApply, parseMessage } from './confirm/message.ts'
export type { Card, CardAction, CardBlock, CardChange, CardValue } from './cards/card.ts'
export type { Contract, Preview, Principal, ReadContract, Success, WriteContract } from './tools/contract.ts'
export type { Message, Parsed } from './confirm/message.ts'
export type { RoadSettings } from './call/request.ts'
export type { WebDoor } from './http/web-door.ts'

export interface CountersignOptions {
  readonly tools: readonly Contract[]
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
  /** Texts by name; served as `mcp://<name>/cheatsheet`. */
  readonly cheatsheets?: Readonly<Record<string, string>>
  /** This host keeps app-only tools from its model: a click in the card then counts as recorded. */
  readonly trustedHost?: boolean
  /** Who is at the other end of stdio, or of an attached server. */
  readonly principal?: Principal
  /** Who sends an HTTP request; `undefined` refuses it. Everyone on the loopback is one person when absent. */
  readonly principalOf?: (request: Request) => Promise<Principal | undefined> | Principal | undefined
  /** Which of these permissions a principal lacks; none when absent. */
  readonly missingPermissions?: (principal: Principal, permissions: readonly string[]) => readonly string[]
  readonly settings?: Partial<RoadSettings>
  /** `grace`: calls over REST may leave out the rationale, for two weeks from the first start with it. */
  readonly rationale?: 'required' | 'grace'
}

export interface HttpOptions {
  /** 3323 when absent; 0 takes any free port. */
  readonly port?: number
  /** 127.0.0.1 when absent. */
  readonly host?: string
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  /** Opens the playground at `/playground` too. */
  readonly playground?: boolean
}

export interface Countersign {
  /** What an agent should be told; `stdio` and `http` send it, a server that you attach to should. */
  readonly instructions: string
  /** Serves one client on stdin and stdout, until it closes the connection. */
  stdio(): Promise<void>
  /**
   * Serves Streamable HTTP at `/mcp`, the same tools at `/api/v1/tools`, and the operators' API at `/api/v1` for who has
   * the admin token: `COUNTERSIGN_ADMIN_TOKEN`, or what lies at `adminTokenPlace`.
   */
  http(options?: HttpOptions): Promise<WebDoor & { readonly adminTokenPlace: string }>
  /**
   * Adds the tools to an McpServer that you already have, before it is connected. What that cannot do is listed at
   * `attachTo` in `server/mcp/attach.ts`: unknown tools, instructions and a `__proto__` argument stay with your server.
   * @throws {CountersignError} when your server has a tool or resource of the same name; nothing is added then.
   */
  attach(server: McpServer): Promise<void>
  /** Closes the database. Doors must be closed first. */
  close(): Promise<void>
}

/** Something outside is not as it must be: the message says what, `next` what to do. */
export class CountersignError extends Error {
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
  createCatalog(options.tools)
  const settings = readSettings(options.settings)
  if (!settings.ok) throw new CountersignError(settings.failure.message, settings.failure.next)
  let opened: Promise<Composed> | undefined
  const open = (): Promise<Composed> => (opened ??= openParts(options))
  const stdioPrincipal = options.principal ?? localPrincipal()
  const trusted = options.trustedHost === true
  return {
    instructions,
    stdio: async () => {
      const { parts } = await open()
      await serveStdio(parts, { principal: stdioPrincipal, trusted })
    },
    http: async (http = {}) => {
      const { parts, sessionKey, store, runApproved, openedAt } = await open()
      const env = environment()
      const admin = await openAdminToken(store.file, env.adminToken)
      if (!admin.ok) throw new CountersignError(admin.failure.message, admin.failure.next)
      const principalOf = options.principalOf ?? (() => options.principal ?? localPrincipal('http'))
      const door = createHttpDoor(parts, { sessionKey, principalOf })
      const web = await openWebDoor({
        mcp: (request, info) => door(request, { trusted: info.trusted || trusted }),
        port: http.port ?? 3323,
        ...(http.host === undefined ? {} : { host: http.host }),
        ...(http.allowedHosts === undefined ? {} : { allowedHosts: http.allowedHosts }),
        ...(http.allowedOrigins === undefined ? {} : { allowedOrigins: http.allowedOrigins }),
        ...(http.playground === true ? { playground: { assets: playgroundAssets() } } : {}),
        ...roomsOf({ road: parts.road, store, runApproved, adminToken: admin.value.value, principalOf }),
        onUnexpected: (error) => void parts.road.report(error, 'http'),
      })
      if (!web.ok) throw new CountersignError(web.failure.message, web.failure.next)
      openedAt(web.value.url)
      return { ...web.value, adminTokenPlace: admin.value.place }
    },
    attach: async (server) => {
      const { parts } = await open()
      const attached = attachTo(server, parts, { principal: stdioPrincipal, trusted })
      if (!attached.ok) throw new CountersignError(attached.failure.message, attached.failure.next)
    },
    close: async () => {
      if (opened !== undefined) await (await opened).close()
    },
  }
}

function environment(): Environment {
  const env = readEnvironment(process.env)
  if (!env.ok) throw new CountersignError(env.failure.message, env.failure.next)
  return env.value
}

async function openParts(options: CountersignOptions): Promise<Composed> {
  const env = environment()
  const composed = await compose({
    ...options,
    file: databaseFile(options.store ?? env.db),
    secret: options.secret ?? env.secret,
    activity: options.activity ?? env.activity,
  })
  if (!composed.ok) throw new CountersignError(composed.failure.message, composed.failure.next)
  return composed.value
}
