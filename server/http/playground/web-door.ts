// The playground needs two listeners that know of each other: the page's policy names the sandbox's origin, and the
// sandbox lets itself be framed by the page's origin only. Whoever starts the server should not have to know that.
import { withSecret } from '../auth/access-secret.ts'
import { createHttpApp, type AccessSecret, type McpHandler, type WebDoorApps } from '../app.ts'
import { docsPath } from '../documentation.ts'
import { listen, type ListenFailure } from '../listen.ts'
import { loopbackHosts } from '../origin-guard.ts'
import { playgroundPath, type PlaygroundOptions } from './playground-page.ts'
import { createSandboxApp } from './sandbox-app.ts'
import { ok, type Result } from '../../errors/result.ts'

export interface WebDoorOptions extends WebDoorApps {
  readonly mcp: McpHandler
  readonly secret?: AccessSecret
  /** 127.0.0.1 when absent. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
  /** Opens the playground too; `assets` is the folder of its build. */
  readonly playground?: Omit<PlaygroundOptions, 'sandboxOrigin'>
  /** Host names beside the loopback ones. */
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  /** How long calls that have begun may take when the door closes, in milliseconds; 25 s when absent. */
  readonly patienceMs?: number
  readonly onUnexpected?: (error: unknown) => void
}

/** A web door that is open. */
export interface WebDoor {
  /** The port that it listens on. */
  readonly port: number
  /** `http://host:port` */
  readonly url: string
  /** Where MCP clients connect, with the secret where callers need it. */
  readonly mcpUrl: string
  /** What a person opens, with the secret where there is one. */
  readonly playgroundUrl: string | undefined
  /** Where the documentation is read, where this server has it. */
  readonly docsUrl: string | undefined
  /** Every address that is answered, as "GET /api/v1/approvals/:id": for whoever checks that none is forgotten. */
  readonly routes: readonly string[]
  /** Stops accepting, lets calls that have begun answer, and ends. */
  close(): Promise<void>
}

/** Opens the web door, and the playground's sandbox beside it. */
export async function openWebDoor({
  host = '127.0.0.1',
  port: wantedPort,
  playground,
  patienceMs,
  allowedHosts: furtherHosts = [],
  allowedOrigins = [],
  ...apps
}: WebDoorOptions): Promise<Result<WebDoor, ListenFailure>> {
  const named = host === '0.0.0.0' || host.includes(':') ? [] : [host]
  const allowedHosts = [...new Set([...loopbackHosts, ...named, ...furtherHosts])]
  const origins: string[] = []
  let closing = false
  const assets = playground?.assets
  const sandbox =
    assets === undefined
      ? undefined
      : await listen({ app: createSandboxApp({ assets, allowedHosts, hostOrigins: () => origins }), host, port: 0 })
  if (sandbox?.ok === false) return sandbox

  const app = createHttpApp({
    ...apps,
    ...(assets === undefined || sandbox === undefined
      ? {}
      : { playground: { ...playground, assets, sandboxOrigin: sandbox.value.url } }),
    closing: () => closing,
    allowedHosts,
    allowedOrigins,
  })
  const main = await listen({ app, host, port: wantedPort })
  if (!main.ok) {
    await sandbox?.value.close()
    return main
  }
  const { url, port } = main.value
  origins.push(...allowedHosts.map((name) => `http://${/:\d+$/.test(name) ? name : `${name}:${port}`}`))
  return ok({
    url,
    port,
    mcpUrl: withSecret(`${url}/mcp`, apps.secret?.forCallers === true ? apps.secret.value : undefined),
    playgroundUrl: assets === undefined ? undefined : withSecret(`${url}${playgroundPath}`, apps.secret?.value),
    docsUrl: apps.documentation === undefined ? undefined : `${url}${docsPath}/`,
    routes: [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))],
    close: async () => {
      closing = true
      await Promise.all([main.value.close(patienceMs), sandbox?.value.close(0)])
    },
  })
}
