// What stands between a request and the MCP door, wherever that is served: pages of other origins, callers, large bodies, and
// methods that the protocol does not have.
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { refuse } from './refusal.ts'

interface McpAppOptions {
  readonly mcp: (request: Request) => Promise<Response>
  /** Origins of pages, besides its own, that may call it. */
  readonly allowedOrigins: readonly string[]
  /** Lets callers through. */
  readonly guard: MiddlewareHandler
  /** Whether clients may wait here for what the server says of itself; true when absent. */
  readonly hasStream?: boolean
}

/** Arguments are at most 1 MB as JSON; as they are sent, escapes may make more of them. */
const maxBody = 2 * 1024 * 1024

/** The app at `/mcp`. */
export function createMcpApp({ mcp, allowedOrigins, guard, hasStream = true }: McpAppOptions): Hono {
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
    .use(declaredLimit(limited))
    .on(methods, '/', (c) => mcp(c.req.raw))
    .all('/', (c) =>
      refuse(
        {
          status: 405,
          code: 'method-not-allowed',
          message: `/mcp does not know ${c.req.method}.`,
          next: hasStream
            ? 'Streamable HTTP uses POST, GET and DELETE.'
            : 'Send messages with POST and end a session with DELETE; this server says nothing between them.',
        },
        { allow: methods.join(', ') },
      ),
    )
}

const tooLarge = (): Response =>
  refuse({
    status: 413,
    code: 'body-too-large',
    message: `The request is larger than ${maxBody} bytes.`,
    next: 'Send less at once: name things by id instead of by value.',
  })

/** Refuses bodies that are larger than any call. */
export const limited = bodyLimit({ maxSize: maxBody, onError: tooLarge })

/** Only pages send an Origin and need an answer to it; for the rest, headers set in advance mean a second Response. */
const forPages =
  (inner: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    c.req.header('origin') === undefined ? next() : inner(c, next)

/**
 * A declared length is what Node's parser lets through, so the body need not be looked at, and looking turns it into a
 * web stream, which costs more than reading it. Without one the bytes are counted.
 */
const declaredLimit =
  (counted: MiddlewareHandler): MiddlewareHandler =>
  async (c, next) => {
    const length = c.req.header('content-length')
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    return Number(length) > maxBody ? tooLarge() : next()
  }
