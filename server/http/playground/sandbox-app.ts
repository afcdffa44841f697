// A view's HTML comes from whatever server is connected, so it must not share an origin with the page that holds the
// MCP session. MCP Apps asks web hosts for an outer frame on a different origin; here that is a second loopback port,
// on which nothing lives but that frame: no session, no API, no cookie.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { immutable } from './playground-page.ts'
import { originGuard } from '../origin-guard.ts'
import { refuse } from '../refusal.ts'
import { readDeclaredCsp, sandboxCsp } from './sandbox-csp.ts'

interface SandboxOptions {
  readonly assets: string
  readonly allowedHosts: readonly string[]
  /** Who may frame it. Asked at each request: the playground's port is known only after this listener is up. */
  hostOrigins(): readonly string[]
}

/** The page's path on the sandbox's origin. */
const sandboxPath = '/sandbox.html'

/** The second listener's app: the outer frame of the double iframe, and the files that this page names. */
export function createSandboxApp(options: SandboxOptions): Hono {
  const page = () => readFile(join(options.assets, 'sandbox.html'), 'utf8').catch(() => undefined)
  const files = immutable(options.assets)
  return new Hono()
    .use(originGuard({ allowedHosts: options.allowedHosts, allowedOrigins: [] }))
    .get(sandboxPath, async (c) => {
      const html = await page()
      if (html === undefined) return refuse(missing)
      c.header('content-security-policy', sandboxCsp(readDeclaredCsp(c.req.query('csp')), options.hostOrigins()))
      c.header('referrer-policy', 'no-referrer')
      c.header('x-content-type-options', 'nosniff')
      c.header('cache-control', 'no-store')
      return c.html(html)
    })
    .get('/playground/assets/*', async (c, next) => {
      const html = await page()
      return html?.includes(`"${c.req.path}"`) === true ? files(c, next) : c.notFound()
    })
    .notFound(() => refuse(missing))
}

const missing = {
  status: 404,
  code: 'not-found',
  message: 'Only the frame around cards lives here.',
  next: 'Open the playground instead; if its cards stay empty, run `npm run build`.',
} as const
