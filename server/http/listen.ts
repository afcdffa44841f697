// A busy port is the most common way for a local server not to start, and Node reports it as an event on an object that
// nobody holds yet. Here it becomes a value with the next step in it. And a server that ends has promises to keep: who
// was told "running" gets the answer, while a stream that only listens would go on for ever and is ended at once.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { fail, ok, type Result } from '../errors/result.ts'
import { asksToListen } from '../mcp/modern/http.ts'

export interface Listening {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /**
   * Stops accepting, ends the streams that only listen, lets running requests finish for so long (25 s when absent), then
   * ends every connection.
   */
  close(patienceMs?: number): Promise<void>
}

export interface ListenFailure {
  readonly kind: 'port-busy' | 'cannot-listen'
  readonly message: string
  readonly next: string
}

interface ListenOptions {
  readonly app: Pick<Hono, 'fetch'>
  /** Loopback when absent. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
}

/** Below the 30 seconds after which Kubernetes kills what it has asked to end. In milliseconds. */
const defaultPatienceMs = 25_000

/**
 * How long a connection may be idle, in milliseconds. Load balancers keep theirs for 60 seconds as a rule, and one that is closed
 * at this end meanwhile costs the request that is just being sent on it: so this end waits longer.
 */
const keepAliveMs = 65_000

/** A connection whose answer is through is idle only a moment later; so it is looked for again. */
const idleLookMs = 25

/** Opens a listener, or says why it cannot. */
export function listen({ app, host = '127.0.0.1', port }: ListenOptions): Promise<Result<Listening, ListenFailure>> {
  const traffic = createTraffic()
  const server = createAdaptorServer({ fetch: traffic.watch(app.fetch) }) as Server
  server.keepAliveTimeout = keepAliveMs
  server.on('connection', traffic.connect)
  server.prependListener('request', traffic.begin)
  return new Promise((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) => resolve(fail(whyNot(error, host, port))))
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      let closing: Promise<void> | undefined
      resolve(
        ok({
          url: `http://${inUrl(host)}:${bound}`,
          port: bound,
          close: (patienceMs = defaultPatienceMs) => (closing ??= close(server, traffic, patienceMs)),
        }),
      )
    })
  })
}

type Fetch = Hono['fetch']

/** The requests that are being answered, and those among them whose answer has no end of its own. */
function createTraffic() {
  const sockets = new Set<Socket>()
  const open = new Set<ServerResponse>()
  const listening = new WeakSet<ServerResponse>()
  let ending = false
  const endsConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  const note = (response: Response, outgoing: ServerResponse | undefined): Response => {
    if (outgoing === undefined || response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      return response
    listening.add(outgoing)
    // One that came in while we were ending: nothing will be said on it.
    if (ending) setImmediate(() => outgoing.end())
    return response
  }
  return {
    connect: (socket: Socket): void => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    /** Node takes a connection for idle only after its first request; browsers open some that never bring one. */
    endUnused: (): void => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
    begin: (_: IncomingMessage, response: ServerResponse): void => {
      open.add(response)
      response.once('close', () => open.delete(response))
      if (ending) endsConnection(response)
    },
    /** Only such requests can bring a stream that listens; looking at other answers would build them twice. */
    watch:
      (fetch: Fetch): Fetch =>
      (request, env, context) => {
        const answered = fetch(request, env, context)
        if (request.method !== 'GET' && !asksToListen(request)) return answered
        const outgoing = (env as { readonly outgoing?: ServerResponse } | undefined)?.outgoing
        return answered instanceof Promise
          ? answered.then((response) => note(response, outgoing))
          : note(answered, outgoing)
      },
    end: (): void => {
      ending = true
      for (const response of open)
        if (listening.has(response)) response.end()
        else endsConnection(response)
    },
  }
}

function close(server: Server, traffic: ReturnType<typeof createTraffic>, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
    const look = setInterval(() => {
      server.closeIdleConnections()
      traffic.endUnused()
    }, idleLookMs)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(look)
      resolve()
    })
    traffic.end()
    server.closeIdleConnections()
  })
}

/** An address that a person can open: a wildcard is not one. */
function inUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number): ListenFailure {
  if (error.code === 'EADDRINUSE')
    return {
      kind: 'port-busy',
      message: `Port ${port} on ${host} is taken by another program.`,
      next: `Stop that program, or choose another port with --port (0 takes any free one).`,
    }
  const next =
    error.code === 'EACCES'
      ? 'Ports below 1024 need special rights; choose a higher one with --port.'
      : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
        ? 'That address does not belong to this machine; leave out --host to use 127.0.0.1.'
        : 'Choose another port with --port, or leave out --host to use 127.0.0.1.'
  return { kind: 'cannot-listen', message: `Cannot listen on ${host}:${port} (${error.code ?? error.message}).`, next }
}
