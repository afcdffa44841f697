// Below /admin people find pages. A program that asks there for approvals or feedback is answered as at the same address
// below /api/v1: its path is read as that one before any route is chosen, so that there is one way in, with one check of who
// asks, and one set of answers.
import type { MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { getPath } from 'hono/utils/url'

const shared = /^\/admin(?=\/(?:approvals|feedback)(?:\/|$))/

/**
 * Whether a request wants data: it prefers JSON to a page, or brings a bearer token. A request to read that prefers HTML wants
 * a page whatever it brings: it is a browser's, and a proxy in front of this server may add a token of its own.
 */
function wantsData({ headers, method }: Pick<Request, 'headers' | 'method'>): boolean {
  const accepted = parseAccept((headers.get('accept') ?? '').toLowerCase())
  const weight = (wanted: string): number => accepted.find(({ type }) => type === wanted)?.q ?? 0
  const [json, html] = [weight('application/json'), weight('text/html')]
  if (json > html) return true
  if (html > json && (method === 'GET' || method === 'HEAD')) return false
  return /^bearer /i.test(headers.get('authorization') ?? '')
}

/** The path by which the web door finds the route of a request. */
export function pathOf(request: Request): string {
  const path = getPath(request)
  return shared.test(path) && wantsData(request) ? path.replace(shared, '/api/v1') : path
}

/** Says to caches, at the addresses with two kinds of answers, which headers chose between them. */
export const varyByAsker: MiddlewareHandler = async (c, next) => {
  await next()
  if (shared.test(getPath(c.req.raw))) c.header('vary', 'Accept, Authorization', { append: true })
}
