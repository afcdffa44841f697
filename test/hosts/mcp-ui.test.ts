// A host that nobody here wrote: `@mcp-ui/client`, the library that most React hosts take, on our real server.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseMessage } from '../../server/confirm/message.ts'
import { openSession, type Session } from '../../server/testing/index.ts'
import { openDesk, type Desk } from '../journeys/playground-page.ts'
import { sharedBrowser } from './browser.ts'

/** The sandbox proxy that mcp-ui's documentation asks its users to host: it frames the HTML and passes messages on. */
const proxy = `<!doctype html><meta charset="utf-8"><style>html,body,iframe{margin:0;border:0;width:100%;height:100%}</style>
<body><script>
  let inner
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data.method === 'ui/notifications/sandbox-resource-ready') {
      inner = document.createElement('iframe')
      inner.setAttribute('sandbox', 'allow-scripts')
      inner.srcdoc = data.params.html
      document.body.append(inner)
    } else if (source === parent) inner?.contentWindow.postMessage(data, '*')
    else if (source === inner?.contentWindow) parent.postMessage(data, '*')
  })
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

const hostPage =
  '<!doctype html><meta charset="utf-8"><title>mcp-ui</title><script type="module" src="/host.js"></script>'

const bundle = async (): Promise<string> => {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'mcp-ui.page.ts'), formats: ['es'], fileName: 'host' },
    },
  })
  const [first] = [output].flat()
  if (!first || !('output' in first)) throw new Error('Vite built no host page')
  return first.output[0].code
}

const serve = async (answer: (path: string) => readonly [type: string, body: string]): Promise<Server> => {
  const server = createServer((request, response) => {
    const [type, body] = answer(request.url ?? '/')
    response.setHeader('content-type', `${type}; charset=utf-8`)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

describe("@mcp-ui/client's AppRenderer", () => {
  let browser: Browser
  let desk: Desk
  let session: Session
  let servers: readonly Server[]
  let page: Page
  const complaints: string[] = []
  const messages: string[] = []

  const show = async (toolInput: Record<string, unknown>, toolResult: CallToolResult): Promise<void> => {
    const view = await session.view('orders_create')
    const [, sandbox] = servers
    const shown = { toolName: 'orders_create', html: view?.html ?? '', toolInput, toolResult }
    await page.evaluate((given) => window.show(given), {
      ...shown,
      sandbox: `${sandbox === undefined ? '' : addressOf(sandbox)}/proxy.html`,
    })
  }
  const card = (index: number) =>
    page.locator('section').nth(index).locator('iframe').contentFrame().locator('iframe').contentFrame()

  beforeAll(async () => {
    browser = await sharedBrowser()
    desk = await openDesk()
    session = await openSession({ kind: 'url', url: new URL(desk.door.mcpUrl) }, { apps: true })
    const code = await bundle()
    servers = [
      await serve((path) => (path === '/host.js' ? ['text/javascript', code] : ['text/html', hostPage])),
      await serve(() => ['text/html', proxy]),
    ]
    page = await browser.newPage({ viewport: { width: 700, height: 900 } })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().includes('404')) complaints.push(line.text())
    })
    await page.exposeFunction('hostCallTool', (name: string, args: Record<string, unknown>) => session.call(name, args))
    await page.exposeFunction('hostMessage', async (text: string) => {
      messages.push(text)
      const parsed = parseMessage(text)
      if (!parsed.ok || parsed.value.kind === 'cancel') return
      await show({ ...parsed.value.args }, await session.call(parsed.value.tool, parsed.value.args))
    })
    const [host] = servers
    await page.goto(host === undefined ? '' : addressOf(host))
    await page.waitForFunction(() => 'show' in window)
  })

  afterAll(async () => {
    await page.close()
    await session.close()
    await desk.close()
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  })

  test('draws a preview, confirms it, draws what became of it, and the first card learns of it', async () => {
    const lines = [{ sku: 'DESK-01', quantity: 2 }]
    const args = { customer: 'ACME', lines, rationale: 'ACME asked for two desks by phone.' }
    await show(args, await session.call('orders_create', args))
    await card(0).getByRole('button', { name: 'Create order' }).click()
    await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .waitFor()
    expect(messages).toEqual([expect.stringMatching(/^Apply: call orders_create\(.*preview=False\)$/)])
    await card(0)
      .getByText(/^Applied/)
      .first()
      .waitFor()
    // The library's own: it sends each result once before its bridge is up, and then again.
    expect(complaints.filter((one) => one !== 'Not connected')).toEqual([])
  })
})
