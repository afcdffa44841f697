// Everything that speaks HTTP to this server comes in here, and most of it should not be trusted: other programs on
// the machine, pages that guess the port, clients with broken bodies. The order below is the point: who asks is
// checked before what is asked, and the MCP door is handed a plain web Request and one fact about who sent it.
import { randomBytes } from 'node:crypto'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { MergeSchemaPath } from 'hono/types'
import { createActivityApi, type ActivityApiOptions } from './activity/activity-api.ts'
import { createInsightsApi, type InsightsApiOptions } from './operators/insights-api.ts'
import { createOperatorApi, type OperatorApiOptions } from './operators/operator-api.ts'
import type { createWebhooksApi } from './operators/webhooks-api.ts'
import { pathOf, varyByAsker } from './operators/program-path.ts'
import { createCheatsheetsApi, type CheatsheetsApiOptions } from './cheatsheets-api.ts'
import { createSessionApi, type SessionApiOptions } from './auth/session-api.ts'
import { exchangeSecret, requireSecret } from './auth/access-secret.ts'
import { apiHeaders } from './response-headers.ts'
import { createHealthApp, type HealthOptions } from './health.ts'
import { createMetricsApp, type MetricsOptions } from './metrics.ts'
import { originGuard } from './origin-guard.ts'
import { checkPageSecret } from './playground/page-secret.ts'
import {
  createPlaygroundApp,
  desksPath,
  galleryPath,
  playgroundPath,
  type PlaygroundOptions,
} from './playground/playground-page.ts'
import { createDocumentation, docsPath, type DocumentationOptions } from './documentation.ts'
import { answerFault } from './fault.ts'
import { limited } from './body-limits.ts'
import { createMcpApp } from './mcp-app.ts'
import { refuse } from './refusal.ts'
import { createToolsApp, type ToolsApiOptions } from './tools-api.ts'
import { createToolsetRoutes, type ToolsetRoutesOptions } from './toolset-routes.ts'
import { asRequest, readRequestId } from '../operations/telemetry/request-id.ts'

/** The MCP door, as this one sees it. `trusted` is true for the playground's own connection only. */
export type McpHandler = (request: Request, info: { readonly trusted: boolean }) => Promise<Response>

/** The secret of a start, and whether it is asked of callers, or only of who opens the playground. */
export interface AccessSecret {
  readonly value: string
  /** False where callers have credentials of their own. */
  readonly forCallers: boolean
}

/** What stands behind the web door beside MCP and the playground; each is absent where nothing is handed in. */
export interface WebDoorApps {
  readonly operators?: OperatorApiOptions
  /** Where operators sign in and out. */
  readonly session?: SessionApiOptions
  /** The pages below `/admin`. */
  readonly adminPages?: Hono
  /** Where clients learn who hands out tokens. */
  readonly metadata?: Hono
  /** What agents did, for operators' programs. */
  readonly activity?: ActivityApiOptions
  readonly insights?: InsightsApiOptions
  /** The tools for programs that speak no MCP. */
  readonly tools?: ToolsApiOptions
  /** The cheatsheets for the same programs. */
  readonly cheatsheets?: CheatsheetsApiOptions
  /** What `/readyz` asks. */
  readonly health?: HealthOptions
  /** Addresses of toolsets. */
  readonly toolsets?: ToolsetRoutesOptions
  /** The pages below `/docs`. */
  readonly documentation?: DocumentationOptions
  /** What `/metrics` tells. */
  readonly metrics?: MetricsOptions
}

interface HttpAppOptions extends WebDoorApps {
  readonly mcp: McpHandler
  /** What callers and the playground's visitors must bring; nobody must bring anything when absent. */
  readonly secret?: AccessSecret
  readonly playground?: PlaygroundOptions
  /** Whether the door is being closed. */
  readonly closing?: () => boolean
  /** Host names that the server answers to, with or without a port. */
  readonly allowedHosts: readonly string[]
  /** Origins of pages, besides its own, that may call `/mcp`. */
  readonly allowedOrigins: readonly string[]
  /** Told about what nobody expected; the client learns only that it happened. */
  readonly onUnexpected?: (error: unknown) => void
}

/** The web door's app: `/mcp`, `/admin` and `/api/v1`, `/playground` where there is one, `/healthz`, `/readyz`, `/metrics`. */
export function createHttpApp(options: HttpAppOptions): Hono {
  const pageSecret = randomBytes(24).toString('base64url')
  const callers = options.secret?.forCallers === true ? options.secret.value : undefined
  const guard = callerGuard(pageSecret, callers)
  const app = new Hono({ getPath: pathOf })
    .use((c, next) => asRequest(next, readRequestId(c.req.header('x-request-id'))))
    // Balancers ask by the address of a machine, which is nobody's host name; the answers tell nothing that is not seen.
    .route('/', createHealthApp(options.health ?? unasked, options.closing ?? (() => false)))
  // So does who collects figures; a page that has pointed its name here does not know the token.
  if (options.metrics?.token !== undefined) app.route('/metrics', createMetricsApp(options.metrics))
  const mcp = createMcpApp({
    mcp: (request) => options.mcp(request, { trusted: checkPageSecret(request, pageSecret) === 'valid' }),
    allowedOrigins: options.allowedOrigins,
    guard,
  })
  app.use(originGuard(options)).route('/mcp', mcp)
  for (const path of ['/admin/*', '/api/v1/*']) app.use(path, varyByAsker)
  app.use('/api/v1/*', apiHeaders())
  if (callers !== undefined)
    for (const path of ['/api/v1/tools/*', '/api/v1/cheatsheets/*']) app.use(path, requireSecret(callers))
  if (options.tools !== undefined)
    app.use('/api/v1/tools/*', limited).route('/api/v1/tools', createToolsApp(options.tools))
  if (options.cheatsheets !== undefined) app.route('/api/v1/cheatsheets', createCheatsheetsApi(options.cheatsheets))
  if (options.activity !== undefined) app.route('/api/v1/activity', createActivityApi(options.activity))
  if (options.insights !== undefined) app.route('/api/v1/insights', createInsightsApi(options.insights))
  if (options.session !== undefined)
    app.use('/api/v1/session/*', limited).route('/api/v1/session', createSessionApi(options.session))
  if (options.toolsets !== undefined) app.route('/', createToolsetRoutes(options.toolsets, guard))
  // Last below /api/v1: it answers for every address there that nobody else has.
  if (options.operators !== undefined)
    app.use('/api/v1/*', limited).route('/api/v1', createOperatorApi(options.operators))
  if (options.metrics !== undefined && options.metrics.token === undefined)
    app.route('/metrics', createMetricsApp(options.metrics))
  if (options.adminPages !== undefined) app.route('/admin', options.adminPages)
  if (options.metadata !== undefined) app.route('/', options.metadata)
  if (options.documentation !== undefined)
    app
      .get(docsPath, (c) => c.redirect(`${docsPath}/`))
      .route(`${docsPath}/`, createDocumentation(options.documentation))
  if (options.playground !== undefined) {
    const redirect = (c: Context): Response => c.redirect(`${playgroundPath}${new URL(c.req.url).search}`)
    app.get('/', redirect).get(`${playgroundPath}/`, redirect)
    if (options.secret !== undefined)
      for (const page of [playgroundPath, galleryPath, `${desksPath}/:name`])
        app.get(page, exchangeSecret(options.secret.value, playgroundPath))
    const pages = [
      ...(options.playground.pages ?? []),
      // In front of somebody else's command there are neither operators nor our card, which the gallery draws.
      ...(options.adminPages === undefined
        ? []
        : [
            { label: 'Gallery', path: galleryPath },
            { label: 'Operators', path: '/admin' },
          ]),
      ...(options.documentation === undefined ? [] : [{ label: 'Docs', path: `${docsPath}/` }]),
    ]
    app.route(playgroundPath, createPlaygroundApp({ ...options.playground, pages }, pageSecret))
  }
  app.notFound((c) =>
    refuse({
      status: 404,
      code: 'not-found',
      message: `There is nothing at ${c.req.path.slice(0, 200)}.`,
      next: `MCP clients connect to /mcp${options.playground === undefined ? '' : `, people open ${playgroundPath}`}.`,
    }),
  )
  app.onError(answerFault(options.onUnexpected))
  return app
}

type Below<Path extends string, App> =
  App extends Hono<infer AppEnv, infer Routes> ? Hono<AppEnv, MergeSchemaPath<Routes, Path>> : never

/** The routes below `/api/v1` that the operators' pages call, for `hc` of `hono/client`. */
export type AdminApi =
  | ReturnType<typeof createOperatorApi>
  | Below<'/webhooks', ReturnType<typeof createWebhooksApi>>
  | Below<'/activity', ReturnType<typeof createActivityApi>>
  | Below<'/insights', ReturnType<typeof createInsightsApi>>
  | Below<'/session', ReturnType<typeof createSessionApi>>

/** Where no database was handed in, there is none that could be away. */
const unasked: HealthOptions = { probe: () => Promise.resolve({ missing: [], unknown: [] }) }

const pass: MiddlewareHandler = (_c, next) => next()

/** Lets through a page of ours, which was opened with the secret, and who brings it; an old page is told to reload. */
function callerGuard(pageSecret: string, secret: string | undefined): MiddlewareHandler {
  const fromPage = (request: Request): boolean => checkPageSecret(request, pageSecret) === 'valid'
  const others = secret === undefined ? pass : requireSecret(secret, fromPage)
  return (c, next) =>
    checkPageSecret(c.req.raw, pageSecret) === 'wrong' ? Promise.resolve(refuse(stalePage)) : others(c, next)
}

const stalePage = {
  status: 403,
  code: 'stale-page',
  message: 'The server was restarted since this page was opened.',
  next: 'Reload the page.',
} as const
