// The playground is a static build that must learn at each start where its sandbox listens, the secret of this start, and
// what it links to and offers. All travel as <meta> elements, because its CSP (rightly) refuses inline scripts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Result } from '../../errors/result.ts'
import { closedPageHeaders, escaped, troublePage } from '../closed-page.ts'
import { pageHeaders } from '../response-headers.ts'
import { checkPageSecret, isNavigation } from './page-secret.ts'
import { refuse } from '../refusal.ts'
import { createRelay } from './relay.ts'

export interface PlaygroundOptions {
  /** The folder that `vite build --mode playground` wrote. */
  readonly assets: string
  /** `scheme://host:port` of the second listener. */
  readonly sandboxOrigin: string
  /** Pages to link to. */
  readonly pages?: readonly { readonly label: string; readonly path: string }[]
  /** Address that takes a file of its visitor's. */
  readonly uploads?: string | undefined
  /** The servers between which its visitor switches, this one among them. */
  readonly desks?: readonly SwitchedDesk[]
  /** Puts the data of a demo back to what a new one holds; of nothing else than a demo. */
  readonly startOver?: () => Promise<Result<void, { readonly message: string; readonly next: string }>>
  /** Of a demo alone: where its visitor is signed in, once, as whoever decides the approval of this id. */
  readonly signIn?: (approvalId: string) => Promise<string>
  /** How often the server behind this page was started anew: the page looks, and connects again when that grows. */
  readonly generation?: () => number
}

/** A server with a playground of its own, in this process. */
export interface SwitchedDesk {
  readonly name: string
  readonly label: string
  /** Opens it, the first time, and answers the address of its playground. This server when absent. */
  readonly open?: () => Promise<Result<string, { readonly message: string; readonly next: string }>>
}

/** Where the playground is mounted; its build has the same base. */
export const playgroundPath = '/playground'

/** Its other page. */
export const galleryPath = `${playgroundPath}/gallery`

/** Below it, an address for each other desk, which leads to the playground there. */
export const desksPath = `${playgroundPath}/desks`

/** Where a demo is started over. */
const startOverPath = `${playgroundPath}/start-over`

/** Where a demo signs its visitor in at the operators' pages. */
const signInPath = `${playgroundPath}/sign-in`

/** What the page may ask to be signed in for. */
const wantedApproval = z.strictObject({ approval: z.string().regex(/^ap_[a-z0-9]{1,64}$/) })

/** Where the page asks how often its server was started anew. */
const generationPath = `${playgroundPath}/generation`

const notThePage = {
  status: 403,
  code: 'stale-page',
  message: 'Only the page that this server has just served may do this.',
  next: 'Reload the page.',
} as const

const noApproval = {
  status: 400,
  code: 'no-approval',
  message: 'The body must be {"approval": "ap_…"}.',
  next: 'Name an approval as the answer of a call names it.',
} as const

const unbuilt = {
  status: 503,
  code: 'playground-not-built',
  message: 'The playground has not been built.',
  next: 'Run `npm run build` and reload this page.',
} as const

/** The page and its files, below `/playground`. */
export function createPlaygroundApp(options: PlaygroundOptions, secret: string): Hono {
  const { desks = [] } = options
  const page = async (c: Context): Promise<Response> => {
    const html = await readFile(join(options.assets, 'index.html'), 'utf8').catch(() => undefined)
    if (html === undefined) return refuse(unbuilt)
    c.header('cache-control', 'no-store')
    return c.html(
      withMeta(html, {
        sandbox: options.sandboxOrigin,
        page: isNavigation(c.req.raw) ? secret : '',
        pages: JSON.stringify(options.pages ?? []),
        uploads: options.uploads ?? '',
        generation: options.generation === undefined ? '' : generationPath,
        'start-over': options.startOver === undefined ? '' : startOverPath,
        'sign-in': options.signIn === undefined ? '' : signInPath,
        desks: JSON.stringify(
          desks.map(({ name, label, open }) => ({ label, ...(open && { path: `${desksPath}/${name}` }) })),
        ),
      }),
    )
  }
  return (
    new Hono()
      .get('/desks/:name', async (c) => {
        const opened = await desks.find(({ name }) => name === c.req.param('name'))?.open?.()
        if (opened === undefined) return c.notFound()
        if (!opened.ok) return c.html(troublePage(opened.failure), 503, closedPageHeaders)
        const address = new URL(opened.value)
        // By the name by which this one was reached: it may be another of the machine's.
        address.hostname = new URL(c.req.url).hostname
        // The address has the secret of that desk in it.
        return c.body(null, 303, { location: address.href, 'cache-control': 'no-store' })
      })
      .use(pageHeaders(options.sandboxOrigin))
      .get('/', page)
      .get('/gallery', page)
      .route('/relay', createRelay(secret))
      // A number that says nothing of anybody.
      .get('/generation', (c) => {
        if (options.generation === undefined) return c.notFound()
        c.header('cache-control', 'no-store')
        return c.json({ generation: options.generation() })
      })
      .post('/start-over', async (c) => {
        if (options.startOver === undefined) return c.notFound()
        if (checkPageSecret(c.req.raw, secret) !== 'valid') return refuse(notThePage)
        const started = await options.startOver()
        if (!started.ok) return refuse({ status: 409, code: 'not-the-demos', ...started.failure })
        return c.body(null, 204)
      })
      .post('/sign-in', async (c) => {
        if (options.signIn === undefined) return c.notFound()
        if (checkPageSecret(c.req.raw, secret) !== 'valid') return refuse(notThePage)
        const wanted = wantedApproval.safeParse(await c.req.json().catch(() => undefined))
        if (!wanted.success) return refuse(noApproval)
        c.header('cache-control', 'no-store')
        return c.json({ path: await options.signIn(wanted.data.approval) })
      })
      .use('/assets/*', immutable(options.assets))
  )
}

/**
 * Names below `assets/` carry the hash of their content, so a browser may keep them for good. The build has put compressed
 * forms beside them.
 */
export function immutable(assets: string, mounted = playgroundPath): ReturnType<typeof serveStatic> {
  return serveStatic({
    root: assets,
    precompressed: true,
    rewriteRequestPath: (path) => path.slice(mounted.length),
    onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
  })
}

const withMeta = (page: string, values: Readonly<Record<string, string>>): string =>
  page.replace('</head>', () => `${Object.entries(values).map(metaElement).join('')}</head>`)

const metaElement = ([name, value]: [string, string]): string =>
  `<meta name="countersign-${name}" content="${escaped(value)}" />`
