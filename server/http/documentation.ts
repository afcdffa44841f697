// The documentation as `npm run build:docs` wrote it: the guides of this very version, for a browser that needs no network. It is
// public and says nothing of anybody, so it asks for no secret; and like every page of ours it runs nothing but its own files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { Result } from '../errors/result.ts'
import { closedPageHeaders, plainPage, troublePage } from './closed-page.ts'
import { immutable } from './playground/playground-page.ts'
import { pageHeaders } from './response-headers.ts'

/** Where the pages are mounted; their build has the same base. */
export const docsPath = '/docs'

interface NotBuilt {
  readonly message: string
  readonly next: string
}

export interface DocumentationOptions {
  /** The folder that the build wrote. */
  readonly assets: string
  /** Builds what is missing or old, where this server runs from a clone, and never throws; `undefined` where there is nothing to do. */
  readonly build?: (() => Promise<Result<void, NotBuilt>> | undefined) | undefined
}

const unbuilt: NotBuilt = {
  message: 'The documentation has not been built.',
  next: 'Run `npm run build:docs` and reload this page.',
}

const building = plainPage(`<h1>The documentation is being built</h1>
      <p>This takes about half a minute, once. The page opens by itself.</p>`).replace(
  '</head>',
  '  <meta http-equiv="refresh" content="2" />\n  </head>',
)

/** The file of a page: addresses have no ending. */
function fileOf(path: string): string {
  const page = path.slice(docsPath.length)
  if (page.endsWith('/')) return `${page}index.html`
  return /\.\w+$/.test(page) ? page : `${page}.html`
}

/** The pages and their files, below `/docs`. */
export function createDocumentation({ assets, build }: DocumentationOptions): Hono {
  let state: 'unasked' | 'building' | 'done' = 'unasked'
  let failure = unbuilt
  const begin = (): void => {
    if (state !== 'unasked') return
    const built = build?.()
    state = built === undefined ? 'done' : 'building'
    void built?.then((end) => {
      state = 'done'
      if (!end.ok) ({ failure } = end)
    })
  }
  let pages: Hono | undefined
  return new Hono().get('/*', async (c) => {
    begin()
    if (state === 'building') return c.html(building, 503, closedPageHeaders)
    if (!existsSync(join(assets, 'index.html'))) return c.html(troublePage(failure), 503, closedPageHeaders)
    pages ??= builtPages(assets)
    return pages.fetch(c.req.raw, c.env)
  })
}

/** What the build wrote: a page by its address, every other file by its name. */
function builtPages(assets: string): Hono {
  const lost = serveStatic({ root: assets, path: '404.html' })
  return new Hono()
    .use(pageHeaders())
    .use(`${docsPath}/assets/*`, immutable(assets, docsPath))
    .get(`${docsPath}/assets/*`, (c) =>
      c.text('There is no such file. Reload the page: it may be of an older version.\n', 404),
    )
    .use(
      serveStatic({
        root: assets,
        precompressed: true,
        rewriteRequestPath: fileOf,
        onFound: (_path, c) => c.header('cache-control', 'no-cache'),
      }),
    )
    .get('*', async (c) => {
      const found = await lost(c, () => Promise.resolve())
      return found instanceof Response
        ? new Response(found.body, { status: 404, headers: found.headers })
        : c.notFound()
    })
}
