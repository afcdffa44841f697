// Below /admin people find pages. A program that asks there for approvals or feedback is answered as at the same address
// below /api/v1: its path is read as that one before any route is chosen, so that there is one way in, with one check of who
// asks, and one set of answers.
import { parseAccept } from 'hono/utils/accept'
import { getPath } from 'hono/utils/url'

const shared = /^\/admin(?=\/(?:approvals|feedback)(?:\/|$))/

/** Whether a request wants data: it brings a bearer token, or prefers JSON to a page. */
function wantsData({ headers }: Pick<Request, 'headers'>): boolean {
  if (/^bearer /i.test(headers.get('authorization') ?? '')) return true
  const accepted = parseAccept((headers.get('accept') ?? '').toLowerCase())
  const weight = (wanted: string): number => accepted.find(({ type }) => type === wanted)?.q ?? 0
  return weight('application/json') > weight('text/html')
}

/** The path by which the web door finds the route of a request. */
export function pathOf(request: Request): string {
  const path = getPath(request)
  return shared.test(path) && wantsData(request) ? path.replace(shared, '/api/v1') : path
}
