// The MCP door without a listener, for a program that has a web server already, or runs where somebody else listens: a function
// from a web Request to a Response.
import { Hono, type MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import { callerCredential } from '../config/access.ts'
import type { ServerConfig } from '../config/config.schema.ts'
import { unlessMissing } from '../errors/optional-package.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { createHttpDoor } from '../mcp/http-door.ts'
import type { Identify, Identity } from '../mcp/identity.ts'
import { asRequest, readRequestId } from '../operations/telemetry/request-id.ts'
import { requireSecret } from './auth/access-secret.ts'
import { createWebAccess } from './auth/access.ts'
import { answerFault } from './fault.ts'
import { isParsedByNode } from './parsed-by-node.ts'
import { createMcpApp } from './mcp-app.ts'
import { loopbackHosts, originGuard } from './origin-guard.ts'
import { refuse } from './refusal.ts'
import type { Fetch } from './mounted-door.ts'
import type { ServedParts, ServeFailure } from './serve.ts'

interface MountOptions {
  readonly config: ServerConfig
  readonly served: Pick<ServedParts, 'parts' | 'sessionKey' | 'store'>
  /** Who calls where the settings let everybody. */
  readonly principal: Identity['principal']
  /** A program's own way to know its callers, instead of `access`. */
  readonly identify?: Identify | undefined
  /** The operator says that the host keeps app-only tools from its model. */
  readonly trusted: boolean
}

/** What answers requests for MCP, at whatever path they come in, or why nobody may be let in. */
export async function createMount(options: MountOptions): Promise<Result<Fetch, ServeFailure>> {
  const { config, served, trusted } = options
  const { http, access } = config
  const { parts } = served
  const credential = options.identify === undefined ? callerCredential(access) : 'program'
  const refused = notMountable(config, credential)
  if (refused !== undefined) return fail(refused)
  const publicUrl = http.public_url
  const found = await unlessMissing(() =>
    createWebAccess({
      access: credential === 'program' ? { ...access, mode: 'open' } : access,
      principal: options.principal,
      store: served.store,
      engine: parts.engine,
      name: parts.name,
      publicUrl: () => publicUrl ?? '',
    }),
  )
  if (!found.ok) return found
  const { metadata, identify } = found.value
  const door = createHttpDoor(parts, { sessionKey: served.sessionKey, identify: options.identify ?? identify })
  const ofPublic = publicUrl === undefined ? [] : [publicUrl]
  const allowedHosts = [...loopbackHosts, ...ofPublic.map((url) => new URL(url).host), ...http.allowed_hosts]
  const allowedOrigins = [...ofPublic, ...http.allowed_origins]
  const app = new Hono({ getPath: pathOf })
    .use((c, next) => asRequest(next, readRequestId(c.req.header('x-request-id'))))
    .use(originGuard({ allowedHosts, allowedOrigins }))
  if (metadata !== undefined) app.route('/', metadata)
  const guard = credential === 'secret' && access.secret !== undefined ? requireSecret(access.secret) : pass
  // A server without servers behind it has nothing to say of itself, and a stream that never ends keeps a function running.
  app.route(
    '/',
    createMcpApp({
      mcp: (request) => door(request, { trusted }),
      allowedOrigins,
      guard,
      hasStream: false,
      believes: isParsedByNode,
    }),
  )
  app.notFound(() => refuse(nothingHere))
  app.onError(answerFault((error) => void parts.engine.report(error, 'fetch')))
  return ok(async (request) => app.fetch(request))
}

const pass: MiddlewareHandler = (_c, next) => next()

const wellKnown = '/.well-known/'

/** The program decides where it is mounted; what stands at a path of its own says so by a standard. */
const pathOf = (request: Request): string => {
  const path = getPath(request)
  return path.startsWith(wellKnown) ? path : '/'
}

const nothingHere = {
  status: 404,
  code: 'not-found',
  message: 'There is nothing here.',
  next: 'MCP clients connect to the address at which this server is mounted.',
} as const

/** Why nobody can be told apart there. Unlike a listener it has no address of its own in which a secret could stand. */
function notMountable({ http, access }: ServerConfig, credential: string): ServeFailure | undefined {
  if (credential === 'jwt' && http.public_url === undefined)
    return {
      message:
        'access.mode is "jwt", and http.public_url is not set: clients could not be told where they get a token.',
      next: 'Set COUNTERSIGN_PUBLIC_URL (http.public_url) to the origin under which clients reach it, and mount it there at /mcp.',
    }
  if (credential !== 'secret' || access.secret !== undefined) return undefined
  return {
    message: 'This server does not know who calls, and was given no way to find out.',
    next: 'Give createCountersign a principalOf, or set access.mode to "tokens" or "jwt", or COUNTERSIGN_ACCESS_SECRET for a single caller.',
  }
}
