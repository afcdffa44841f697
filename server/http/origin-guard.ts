// DNS rebinding: a page on evil.example can point its own name at 127.0.0.1 and then talk to a server on this machine
// as if it were its own. The name it used still stands in the Host header, and its address in Origin, so both are
// checked before anything else is looked at (MCP specification, Streamable HTTP, security warning).
import type { MiddlewareHandler } from 'hono'
import { refuse } from './refusal.ts'

interface GuardOptions {
  /** Host names, with or without a port; without one, any port. */
  readonly allowedHosts: readonly string[]
  /** Origins besides the door's own, as `scheme://host[:port]`. */
  readonly allowedOrigins: readonly string[]
}

/** Names that only this machine answers to. */
export const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * Lets a request through whose Host is allowed and whose Origin is absent (not a browser), the door's own, or allowed.
 * The own origin is taken from the Host header, which is safe only because that was checked first.
 */
export function originGuard(options: GuardOptions): MiddlewareHandler {
  const hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()))
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')))
  return async function checkOrigin(c, next) {
    // A request that a program hands on may have its host in its address alone.
    const host = (c.req.header('host') ?? new URL(c.req.url).host).toLowerCase()
    if (!hosts.has(host) && !hosts.has(host.replace(/:\d+$/, '')))
      return refuse({
        status: 403,
        code: 'host-not-allowed',
        message: `This server does not answer to the host name ${JSON.stringify(host.slice(0, 200))}.`,
        next: `Use one of ${options.allowedHosts.join(', ')}, or start the server with that name among its allowed hosts ("http.allowed_hosts").`,
      })
    const origin = c.req.header('origin')?.toLowerCase()
    const own = `${c.req.url.startsWith('https:') ? 'https' : 'http'}://${host}`
    if (origin !== undefined && origin !== own && !origins.has(origin))
      return refuse({
        status: 403,
        code: 'origin-not-allowed',
        message: `Pages from ${JSON.stringify(origin.slice(0, 200))} may not talk to this server.`,
        next: `Open the server's own pages at ${own}, or start it with that origin among its allowed origins ("http.allowed_origins").`,
      })
    return next()
  }
}
