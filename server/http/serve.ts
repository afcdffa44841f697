// Three programs open a web door (the demo, the gateway, the library), and what one of them forgets is a hole that the
// others do not have. So there is one function that opens it, from the settings: who may call, which apps stand behind
// it, under which address it is known, and whether it may be opened at all.
import { callerCredential } from '../config/access.ts'
import type { ServerConfig } from '../config/config.schema.ts'
import { unlessMissing } from '../errors/optional-package.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { isLoopbackHost } from '../ip-address.ts'
import { createHttpDoor } from '../mcp/http-door.ts'
import type { Identify, Identity } from '../mcp/identity.ts'
import type { DoorParts } from '../mcp/protocol.ts'
import type { Store } from '../store/store.ts'
import type { ToolsetPage, ToolsetRoute } from '../toolsets/toolset.ts'
import { createSecret } from './auth/access-secret.ts'
import { createWebAccess } from './auth/access.ts'
import { approvalPath } from '../model/approvals.ts'
import { openAdminToken } from './auth/admin-token.ts'
import { loadOidc } from './auth/oidc-api.ts'
import { beginAct } from '../operators/operator-record.ts'
import { createSignInLink } from './auth/sign-in-link.ts'
import { appOptionsOf, type WebDoorParts } from './app-options.ts'
import type { DocumentationOptions } from './documentation.ts'
import type { PlaygroundOptions } from './playground/playground-page.ts'
import { openWebDoor, type WebDoor, type WebDoorOptions } from './playground/web-door.ts'
import type { Log } from '../operations/telemetry/log.ts'
import type { Metrics } from '../operations/telemetry/metrics.ts'

/** Who acts in the playground of a demo. */
const visitor = 'Visitor of the demo'

/** What `compose` has put together, as far as a web door needs it. */
export interface ServedParts {
  readonly parts: DoorParts
  readonly sessionKey: Uint8Array
  readonly contractViews: () => Promise<WebDoorParts['contractViews']>
  readonly cheatsheets: WebDoorParts['cheatsheets']
  readonly toolsets: {
    readonly routes: readonly ToolsetRoute[]
    readonly pages: readonly ToolsetPage[]
    readonly uploads: string | undefined
    readonly startOver: PlaygroundOptions['startOver'] | undefined
  }
  /** What the record is compared with. */
  readonly anchoring: {
    readonly read: NonNullable<WebDoorParts['anchors']>
    readonly doubt: NonNullable<WebDoorParts['doubt']>
  }
  readonly store: WebDoorParts['store'] & Pick<Store, 'access'> & { readonly file: string }
  readonly runApproved: WebDoorParts['runApproved']
  readonly webhooks: WebDoorParts['webhooks']
  readonly health: NonNullable<WebDoorOptions['health']>
  /** Begins to count. */
  readonly count: () => Promise<Metrics>
  readonly telemetry: { readonly log: Pick<Log, 'warn'> }
  /** Told under which address people and agents reach the server. */
  readonly openedAt: (address: string) => void
}

interface ServeOptions {
  readonly config: ServerConfig
  readonly served: ServedParts
  /** Who calls where `access.mode` is "open". */
  readonly principal: Identity['principal']
  /** A program's own way to know its callers, instead of `access`. */
  readonly identify?: Identify | undefined
  /** The operator says that the host keeps app-only tools from its model. */
  readonly trusted: boolean
  /** The playground; opened where the settings let it. */
  readonly playground?: (Pick<PlaygroundOptions, 'assets' | 'desks'> & { readonly isDemo?: boolean }) | undefined
  /** The documentation; served beside a playground, and where the settings say so. */
  readonly documentation?: DocumentationOptions | undefined
}

/** A web door that is open, with where it is known. */
export interface Served extends WebDoor {
  /** Under which address people and agents reach it: `http.public_url`, or where it listens. */
  readonly publicUrl: string
  /** Whether the secret in `mcpUrl` and `playgroundUrl` is `access.secret`, and not this start's own. */
  readonly secretIsKept: boolean
  /** Where the admin token stands. Never the token itself. */
  readonly adminTokenPlace: string
}

/** Why a web door was not opened. */
export interface ServeFailure {
  readonly message: string
  readonly next: string
}

/** Opens the web door as the settings say. */
export async function serveWeb(options: ServeOptions): Promise<Result<Served, ServeFailure>> {
  const { config, served, trusted } = options
  const { http, access, operators } = config
  const exposed = options.identify === undefined ? exposure(config) : undefined
  if (exposed !== undefined) return fail(exposed)
  const admin = await openAdminToken(served.store.file, operators.admin_token)
  if (!admin.ok) return admin
  const { parts, sessionKey, store } = served
  const metrics = await served.count()
  const asked = await unlessMissing(() => loadAskedFor(config, metrics))
  if (!asked.ok) return asked
  metrics.addProcess()
  let publicUrl = http.public_url ?? ''
  const found = await unlessMissing(() =>
    createWebAccess({
      access: options.identify === undefined ? access : { ...access, mode: 'open' },
      principal: options.principal,
      store,
      engine: parts.engine,
      name: parts.name,
      publicUrl: () => publicUrl,
    }),
  )
  if (!found.ok) return found
  const { metadata, ...callers } = found.value
  const identify = options.identify ?? callers.identify
  const door = createHttpDoor(parts, { sessionKey, identify })
  const playground = (http.playground ?? access.mode === 'open') ? options.playground : undefined
  const documentation = (http.docs ?? playground !== undefined) ? options.documentation : undefined
  // Who opens a server to a network without credentials has said so; everywhere else nobody is let in by chance.
  const credential = options.identify === undefined ? callerCredential(access) : 'program'
  const forCallers = credential === 'secret'
  const secret =
    forCallers || playground !== undefined ? { value: access.secret ?? createSecret(), forCallers } : undefined
  const publicHost = http.public_url === undefined ? [] : [new URL(http.public_url).host]
  const adminToken = admin.value.value
  const signIn = async (approval: string, token: string): Promise<string> => {
    const page = new URL(approvalPath(approval), publicUrl)
    const { url } = await createSignInLink(store.operators, { adminToken: token, name: visitor, page })
    return `${url.pathname}${url.hash}`
  }
  const web = await openWebDoor({
    mcp: (request, info) => door(request, { trusted: info.trusted || trusted }),
    ...(secret === undefined ? {} : { secret }),
    port: http.port,
    host: http.host,
    allowedHosts: [...publicHost, ...http.allowed_hosts],
    allowedOrigins: [...(http.public_url === undefined ? [] : [http.public_url]), ...http.allowed_origins],
    ...(metadata === undefined ? {} : { metadata }),
    ...(playground === undefined
      ? {}
      : {
          playground: playgroundOf(
            playground,
            { ...served.toolsets, startOver: recorded(served) },
            {
              signIn: adminToken === undefined ? undefined : (approval) => signIn(approval, adminToken),
            },
          ),
        }),
    ...(documentation === undefined ? {} : { documentation }),
    toolsets: { routes: served.toolsets.routes, identify, engine: parts.engine, publicUrl: http.public_url },
    ...appOptionsOf({
      ...served,
      contractViews: await served.contractViews(),
      engine: parts.engine,
      adminToken: admin.value.value,
      adminTokenKind: admin.value.kind,
      identify,
      warn: served.telemetry.log.warn,
      challenge: callers.challenge,
      anchors: () => served.anchoring.read(),
      doubt: () => served.anchoring.doubt(),
      config,
      credential,
      pagesUrl: () => publicUrl,
      version: parts.version,
    }),
    health: { ...served.health, report: (error, where) => void parts.engine.report(error, where) },
    metrics: { metrics, token: config.metrics.token },
    patienceMs: http.shutdown_seconds * 1000,
    onUnexpected: (error) => void parts.engine.report(error, 'http'),
  })
  if (!web.ok) return web
  publicUrl = http.public_url ?? web.value.url
  served.openedAt(publicUrl)
  return ok({ ...web.value, publicUrl, secretIsKept: access.secret !== undefined, adminTokenPlace: admin.value.place })
}

/** Loads what only some settings ask for: better known now than when somebody signs in, or asks for figures. */
async function loadAskedFor({ metrics, operators }: ServerConfig, figures: Pick<Metrics, 'missing'>): Promise<void> {
  if (metrics.token !== undefined && figures.missing !== undefined) throw figures.missing
  if (operators.oidc !== undefined) await loadOidc()
}

/** Starts over, with a row of its own: who looks for what was there before finds out where it went. */
const recorded = ({ store, toolsets: { startOver } }: Pick<ServedParts, 'store' | 'toolsets'>) =>
  startOver &&
  (async () => {
    const act = { who: visitor, tenant: undefined, via: 'playground', act: 'demo.started_over' }
    const end = await beginAct(store.activityLog, act)
    const started = await startOver()
    const error = started.ok ? undefined : { code: 'not_started_over', message: started.failure.message }
    await end({ done: started.ok, error })
    return started
  })

/** Only a demo is started over, and has everybody decide: what any other server has is somebody's. */
const playgroundOf = (
  { isDemo = false, ...playground }: NonNullable<ServeOptions['playground']>,
  { pages, uploads, startOver }: ServedParts['toolsets'],
  { signIn }: { readonly signIn: PlaygroundOptions['signIn'] | undefined },
): NonNullable<WebDoorOptions['playground']> => ({
  ...playground,
  pages,
  uploads,
  ...(isDemo && startOver !== undefined ? { startOver } : {}),
  ...(isDemo && signIn !== undefined ? { signIn } : {}),
})

/** Why a web door may not be opened with these settings: anybody but this machine could call without saying who. */
export function exposure({ http, access }: Pick<ServerConfig, 'http' | 'access'>): ServeFailure | undefined {
  if (access.mode !== 'open' && http.playground === true)
    return {
      message: `http.playground is true, but the playground has no credentials, and access.mode is "${access.mode}".`,
      next: "Leave out http.playground; the operators' pages are at /admin.",
    }
  if (access.mode !== 'open' || access.insecure_open) return undefined
  const where = !isLoopbackHost(http.host)
    ? `it would listen on ${http.host}`
    : http.public_url !== undefined && !isLoopbackHost(new URL(http.public_url).hostname)
      ? `it is reached at ${http.public_url}`
      : undefined
  if (where === undefined) return undefined
  return {
    message: `The server does not start: ${where}, and access.mode "open" lets everybody call every tool there.`,
    next: 'Set access.mode to "tokens" or "jwt", listen on 127.0.0.1, or say --insecure-open where that network is yours alone.',
  }
}
