// The playground needs two listeners that know of each other: the page's policy names the sandbox's origin, and the
// sandbox lets itself be framed by the page's origin only. Whoever starts the server should not have to know that.
import type { Hono } from 'hono'
import type { ActivityApiOptions } from '../activity/activity-api.ts'
import type { HealthOptions } from '../health.ts'
import type { MetricsOptions } from '../metrics.ts'
import type { OperatorApiOptions } from '../operators/operator-api.ts'
import type { SessionApiOptions } from '../auth/session-api.ts'
import { withSecret } from '../auth/access-secret.ts'
import { createHttpApp, type AccessSecret, type McpHandler } from '../app.ts'
import { listen, type ListenFailure } from '../listen.ts'
import type { InsightsApiOptions } from '../operators/insights-api.ts'
import { loopbackHosts } from '../origin-guard.ts'
import { playgroundPath } from './playground-page.ts'
import { createSandboxApp } from './sandbox-app.ts'
import type { ToolsApiOptions } from '../tools-api.ts'
import { ok, type Result } from '../../errors/result.ts'

export interface WebDoorOptions {
  readonly mcp: McpHandler
  readonly secret?: AccessSecret
  /** 127.0.0.1 when absent. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /** Opens the playground too; `assets` is the folder of its build. */
  readonly playground?: { readonly assets: string }
  /** Host names beside the loopback ones. */
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly operators?: OperatorApiOptions
  /** Where operators sign in and out. */
  readonly session?: SessionApiOptions
  /** The pages below `/admin`. */
  readonly adminPages?: Hono
  /** Where clients learn who hands out tokens. */
  readonly metadata?: Hono
  /** What agents did, for operators' programs. */
  readonly activity?: ActivityApiOptions
  /** How it goes. */
  readonly insights?: InsightsApiOptions
  /** The tools for programs that speak no MCP. */
  readonly tools?: ToolsApiOptions
  /** What `/readyz` asks. */
  readonly health?: HealthOptions
  /** What `/metrics` tells. */
  readonly metrics?: MetricsOptions
  /** How long calls that have begun may take when the door closes, in milliseconds; 25 s when absent. */
  readonly patienceMs?: number
  readonly onUnexpected?: (error: unknown) => void
}

export interface WebDoor {
  readonly port: number
  /** `http://host:port` */
  readonly url: string
  /** Where MCP clients connect, with the secret where callers need it. */
  readonly mcpUrl: string
  /** What a person opens, with the secret where there is one. */
  readonly playgroundUrl: string | undefined
  /** Every address that is answered, as "GET /api/v1/approvals/:id": for whoever checks that none is forgotten. */
  readonly routes: readonly string[]
  /** Stops accepting, lets calls that have begun answer, and ends. */
  close(): Promise<void>
}

/** Opens the web door, and the playground's sandbox beside it. */
export async function openWebDoor(options: WebDoorOptions): Promise<Result<WebDoor, ListenFailure>> {
  const host = options.host ?? '127.0.0.1'
  const named = host === '0.0.0.0' || host.includes(':') ? [] : [host]
  const allowedHosts = [...new Set([...loopbackHosts, ...named, ...(options.allowedHosts ?? [])])]
  const origins: string[] = []
  let closing = false
  const assets = options.playground?.assets
  const sandbox =
    assets === undefined
      ? undefined
      : await listen({ app: createSandboxApp({ assets, allowedHosts, hostOrigins: () => origins }), host, port: 0 })
  if (sandbox?.ok === false) return sandbox

  const app = createHttpApp({
    mcp: options.mcp,
    ...(options.secret === undefined ? {} : { secret: options.secret }),
    ...(assets === undefined || sandbox === undefined
      ? {}
      : { playground: { assets, sandboxOrigin: sandbox.value.url } }),
    ...(options.operators === undefined ? {} : { operators: options.operators }),
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(options.adminPages === undefined ? {} : { adminPages: options.adminPages }),
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    ...(options.activity === undefined ? {} : { activity: options.activity }),
    ...(options.insights === undefined ? {} : { insights: options.insights }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.health === undefined ? {} : { health: options.health }),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    closing: () => closing,
    allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    ...(options.onUnexpected === undefined ? {} : { onUnexpected: options.onUnexpected }),
  })
  const main = await listen({ app, host, port: options.port })
  if (!main.ok) {
    await sandbox?.value.close()
    return main
  }
  const { url, port } = main.value
  origins.push(...allowedHosts.map((name) => `http://${/:\d+$/.test(name) ? name : `${name}:${port}`}`))
  return ok({
    url,
    port,
    mcpUrl: withSecret(`${url}/mcp`, options.secret?.forCallers === true ? options.secret.value : undefined),
    playgroundUrl: assets === undefined ? undefined : withSecret(`${url}${playgroundPath}`, options.secret?.value),
    routes: [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))],
    close: async () => {
      closing = true
      await Promise.all([main.value.close(options.patienceMs), sandbox?.value.close(0)])
    },
  })
}
