// The playground is a static build that must learn three things at each start: where its sandbox listens, the secret of
// this start, and which pages it links to. All travel as <meta> elements, because its CSP (rightly) refuses inline scripts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { pageHeaders } from '../response-headers.ts'
import { isNavigation } from './page-secret.ts'
import { refuse } from '../refusal.ts'
import { createRelay } from './relay.ts'

export interface PlaygroundOptions {
  /** The folder that `vite build --mode playground` wrote. */
  readonly assets: string
  /** `scheme://host:port` of the second listener. */
  readonly sandboxOrigin: string
  /** Pages to link to. */
  readonly pages?: readonly { readonly label: string; readonly path: string }[]
}

/** Where the playground is mounted; its build has the same base. */
export const playgroundPath = '/playground'

/** Its other page. */
export const galleryPath = `${playgroundPath}/gallery`

const unbuilt = {
  status: 503,
  code: 'playground-not-built',
  message: 'The playground has not been built.',
  next: 'Run `npm run build` and reload this page.',
} as const

/** The page and its files, below `/playground`. */
export function createPlaygroundApp(options: PlaygroundOptions, secret: string): Hono {
  const page = async (c: Context): Promise<Response> => {
    const html = await readFile(join(options.assets, 'index.html'), 'utf8').catch(() => undefined)
    if (html === undefined) return refuse(unbuilt)
    c.header('cache-control', 'no-store')
    return c.html(
      withMeta(html, {
        sandbox: options.sandboxOrigin,
        page: isNavigation(c.req.raw) ? secret : '',
        pages: JSON.stringify(options.pages ?? []),
      }),
    )
  }
  return new Hono()
    .use(pageHeaders(options.sandboxOrigin))
    .get('/', page)
    .get('/gallery', page)
    .route('/relay', createRelay(secret))
    .use('/assets/*', immutable(options.assets))
}

/** Names below `assets/` carry the hash of their content, so a browser may keep them for good. */
export function immutable(assets: string, mounted = playgroundPath): ReturnType<typeof serveStatic> {
  return serveStatic({
    root: assets,
    rewriteRequestPath: (path) => path.slice(mounted.length),
    onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
  })
}

const withMeta = (page: string, values: Readonly<Record<string, string>>): string =>
  page.replace('</head>', () => `${Object.entries(values).map(metaElement).join('')}</head>`)

const metaElement = ([name, value]: [string, string]): string =>
  `<meta name="countersign-${name}" content="${value.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}" />`
