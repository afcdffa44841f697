// Cheatsheets over HTTP, for programs that speak no MCP. A client keeps one for an hour, and then asks with its etag whether
// it is still the same (RFC 9110, section 13.1.2).
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import type { Identify } from '../mcp/identity.ts'
import { cheatsheetTtlSeconds, type Cheatsheet } from '../model/cheatsheet.ts'
import { refuseApi, refuseSender } from './refusal.ts'

export interface CheatsheetsApiOptions {
  readonly cheatsheets: readonly Cheatsheet[]
  /** Who calls; a caller of tools may read cheatsheets. */
  readonly identify: Identify
}

/** The app below `/api/v1/cheatsheets`: `GET /{name}` answers the text. */
export function createCheatsheetsApi({ cheatsheets, identify }: CheatsheetsApiOptions): Hono {
  return new Hono().get('/:name', etag(), async (c) => {
    const identified = await identify(c.req.raw)
    if (!identified.ok) return refuseSender(identified.failure)
    const sheet = cheatsheets.find(({ name }) => name === c.req.param('name'))
    if (sheet === undefined)
      return refuseApi(404, {
        code: 'unknown-cheatsheet',
        message: 'There is no such cheatsheet.',
        next: `There are: ${cheatsheets.map(({ name }) => name).join(', ') || 'none'}.`,
      })
    return c.body(sheet.text, 200, {
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': `max-age=${cheatsheetTtlSeconds}`,
      etag: sheet.etag,
    })
  })
}
