// A server that asks nobody who they are is still not meant for everybody on the machine: a port on the loopback is open
// to every user and every program there. So each start has a secret that stands in its addresses. MCP clients and
// programs bring it with each request; a browser brings it once, and from then on a cookie that only the playground is
// sent. Headers that browsers set (`Sec-Fetch-*`) prove nothing: a program writes what it likes there.
import { createHmac, randomBytes } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { closedPage, closedPageHeaders } from '../closed-page.ts'
import { refuse } from '../refusal.ts'
import { bearerOf, sameSecret } from './bearer.ts'

/** The name in the query of an address: `/mcp?token=…`. */
const parameter = 'token'

/** A secret for one start: 192 bits. */
export const createSecret = (): string => randomBytes(24).toString('hex')

/** An address with the secret that lets a client in. */
export function withSecret(address: string, secret: string | undefined): string {
  if (secret === undefined) return address
  const url = new URL(address)
  url.searchParams.set(parameter, secret)
  return url.href
}

/** Whether a request brings the secret, as `Authorization: Bearer …` or in its address. In constant time. */
function bringsSecret(request: Request, secret: string): boolean {
  return sameSecret(bearerOf(request) || (new URL(request.url).searchParams.get(parameter) ?? undefined), secret)
}

/** Lets through what brings the secret, or is let in by `unless`. */
export const requireSecret =
  (secret: string, unless: (request: Request) => boolean = () => false): MiddlewareHandler =>
  async (c, next) => {
    if (unless(c.req.raw) || bringsSecret(c.req.raw, secret)) return next()
    return refuse(
      {
        status: 401,
        code: 'secret-missing',
        message: 'This server answers to whoever has the secret of its start.',
        next: 'Use the whole address, with ?token=…, that it printed at its start (or wrote to the file that its log names), or send the secret as "Authorization: Bearer …". Set COUNTERSIGN_ACCESS_SECRET for one that stays.',
      },
      { 'www-authenticate': 'Bearer realm="countersign"' },
    )
  }

/** Cookies know no ports, so the name does: two servers on one machine leave each other's alone. */
const cookieName = (c: Context): string => `countersign_playground_${new URL(c.req.url).port || '80'}`

/** What the cookie holds: who gets to see it, on another port of the machine, does not learn the secret. */
const cookieValue = (secret: string): string => createHmac('sha256', secret).update('playground').digest('base64url')

/** For pages: takes the secret out of the address, once, and puts a cookie in its place. `path` is where they are. */
export const exchangeSecret =
  (secret: string, path: string): MiddlewareHandler =>
  async (c, next) => {
    if (sameSecret(getCookie(c, cookieName(c)), cookieValue(secret)) && c.req.query(parameter) === undefined)
      return next()
    if (!bringsSecret(c.req.raw, secret)) return c.html(closedPage, 401, closedPageHeaders)
    setCookie(c, cookieName(c), cookieValue(secret), { httpOnly: true, sameSite: 'Strict', path })
    const { pathname, searchParams } = new URL(c.req.url)
    searchParams.delete(parameter)
    const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`
    // No history, log of a proxy or shoulder keeps what no longer stands in the address.
    return c.body(null, 303, { location: `${pathname}${query}`, 'cache-control': 'no-store' })
  }
