// One HTML file serves every address below /admin: which page it is, the page itself reads from its address, so that a
// link to an approval opens that approval. On these pages people decide what agents may do, so nothing may frame them
// and nothing runs on them but their own files.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono, type Context } from 'hono'
import { packageRoot } from '../../package-root.ts'
import { pageHeaders } from '../response-headers.ts'
import { immutable } from '../playground/playground-page.ts'

/** Where the pages are mounted; their build has the same base. */
const adminPath = '/admin'

const unbuilt = 'The operators’ pages have not been built. Run `npm run build` and reload this page.\n'

/**
 * The operators' pages, below `/admin`. `assets` is the folder that `vite build --mode admin` wrote; the one in this
 * package when absent.
 */
export function createAdminPages(assets = join(packageRoot(), 'dist', 'ui', 'admin')): Hono {
  const page = async (c: Context): Promise<Response> => {
    c.header('cache-control', 'no-store')
    const html = await readFile(join(assets, 'index.html'), 'utf8').catch(() => undefined)
    return html === undefined ? c.text(unbuilt, 503) : c.html(html)
  }
  return new Hono()
    .use(pageHeaders())
    .get('/assets/*', immutable(assets, adminPath))
    .get('/assets/*', (c) => c.text('There is no such file. Reload the page: it may be of an older version.\n', 404))
    .get('/', page)
    .get('/*', page)
    .all('/*', (c) => {
      c.header('allow', 'GET, HEAD')
      return c.text(`/admin has pages only. Programs call the operators' API at /api/v1.\n`, 405)
    })
}
