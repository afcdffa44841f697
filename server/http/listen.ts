// A busy port is the most common way for a local server not to start, and Node reports it as an event on an object
// that nobody holds yet. Here it becomes a value with the next step in it, and closing really closes: an MCP client
// keeps an event stream open for as long as it lives, so waiting for connections to end would wait for ever.
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { fail, ok, type Result } from '../errors/result.ts'

export interface Listening {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Stops accepting, gives running requests a moment, then ends every connection. */
  close(): Promise<void>
}

export interface ListenFailure {
  readonly kind: 'port-busy' | 'cannot-listen'
  readonly message: string
  readonly next: string
}

export interface ListenOptions {
  readonly app: Pick<Hono, 'fetch'>
  /** Loopback when absent. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
}

const graceMs = 300

/** Opens a listener, or says why it cannot. */
export function listen({ app, host = '127.0.0.1', port }: ListenOptions): Promise<Result<Listening, ListenFailure>> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  return new Promise((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) => resolve(fail(whyNot(error, host, port))))
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve(ok({ url: `http://${inUrl(host)}:${bound}`, port: bound, close: () => close(server) }))
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
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
