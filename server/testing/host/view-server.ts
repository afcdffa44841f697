// Where host pages and views come from: a server on the loopback, under two names that are two sites, as a real host and its
// views are. A view is a hundred kilobytes; answered through the browser's own protocol, request by request, a check spent
// more on handing views over than on drawing them.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Page {
  readonly body: string
  readonly policy?: string
}

export interface ViewServer {
  /** Address of a host page. */
  hostUrl(dark: boolean): string
  /** Serves a view, and answers its address: the same for the same view, so that the browser has compiled it already. */
  serve(view: Page): string
  close(): Promise<void>
}

const hostHtml = (
  dark: boolean,
  keep: string,
): string => `<!doctype html><meta charset="utf-8"><title>Scripted host</title>
<meta name="color-scheme" content="${dark ? 'light dark' : 'light'}">
<style>body{margin:0;width:480px}iframe{display:block;border:0;width:480px;height:220px}#keep{display:none}</style>
<body><iframe id="keep" sandbox="allow-scripts allow-forms" src="${keep}"></iframe><script>
const frames = new Map()
addEventListener('message', ({ source, data }) => {
  for (const [id, frame] of frames) if (source === frame.contentWindow) hear(JSON.stringify({ id, message: data ?? null }))
})
globalThis.draw = (id, url) => {
  const frame = document.createElement('iframe')
  frame.name = id
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  document.body.append(frame)
  frames.set(id, frame)
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true })
    frame.src = url
  })
}
globalThis.tell = (id, message) => frames.get(id)?.contentWindow?.postMessage(JSON.parse(message), '*')
globalThis.resize = (id, height) => { const frame = frames.get(id); if (frame) frame.style.height = height + 'px' }
globalThis.drop = (id) => { frames.get(id)?.remove(); frames.delete(id) }
globalThis.dropAll = () => { for (const id of [...frames.keys()]) drop(id) }
</script>`

/** Starts one. */
export async function openViewServer(): Promise<ViewServer> {
  const views = new Map<string, Page>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    // Of a view that stays in the page, so that the browser keeps the process in which it draws views.
    const page =
      path === '/keep' ? { body: '' } : path.startsWith('/host-') ? hostPage(path === '/host-dark') : views.get(path)
    response.writeHead(page === undefined ? 204 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...(page?.policy === undefined ? {} : { 'content-security-policy': page.policy }),
    })
    response.end(page?.body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const viewOrigin = `http://view.localhost:${port}`
  const hostPage = (dark: boolean): Page => ({ body: hostHtml(dark, `${viewOrigin}/keep`) })
  return {
    hostUrl: (dark) => `http://127.0.0.1:${port}/host-${dark ? 'dark' : 'light'}`,
    serve: (view) => {
      const path = `/view-${createHash('sha256')
        .update(`${view.policy ?? ''}\n${view.body}`)
        .digest('hex')}`
      views.set(path, view)
      return `${viewOrigin}${path}`
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
