// What stands between a request and the MCP door, wherever that is served: pages of other origins, callers, large bodies, and
// methods that the protocol does not have.
import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { sizeGuard } from './body-limits.ts'
import { refuse } from './refusal.ts'

interface McpAppOptions {
  readonly mcp: (request: Request) => Promise<Response>
  /** Origins of pages, besides its own, that may call it. */
  readonly allowedOrigins: readonly string[]
  /** Lets callers through. */
  readonly guard: MiddlewareHandler
  /** Whether clients may wait here for what the server says of itself; true when absent. */
  readonly hasStream?: boolean
  /** Whether a body is as long as its request says; always where it comes from Node's parser, which is so when absent. */
  readonly believes?: (request: Request) => boolean
}

const always = (): boolean => true

/** The app of MCP, at whatever address it is. */
export function createMcpApp({ mcp, allowedOrigins, guard, hasStream = true, believes = always }: McpAppOptions): Hono {
  const methods = hasStream ? ['POST', 'GET', 'DELETE'] : ['POST', 'DELETE']
  return new Hono()
    .use(
      forPages(
        cors({
          origin: [...allowedOrigins],
          allowMethods: methods,
          exposeHeaders: ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate'],
        }),
      ),
    )
    .use(guard)
    .use(sizeGuard(believes))
    .on(methods, '/', (c) => mcp(c.req.raw))
    .all('/', (c) =>
      refuse(
        {
          status: 405,
          code: 'method-not-allowed',
          message: `${new URL(c.req.url).pathname} does not know ${c.req.method}.`,
          next: hasStream
            ? 'Streamable HTTP uses POST, GET and DELETE.'
            : 'Send messages with POST and end a session with DELETE; this server says nothing between them.',
        },
        { allow: methods.join(', ') },
      ),
    )
}

/** Only pages send an Origin and need an answer to it; for the rest, headers set in advance mean a second Response. */
const forPages =
  (inner: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.req.header('origin') === undefined ? next() : inner(c, next)
