// The MCP Inspector in the version that is installed here draws no views: a host without MCP Apps that nobody here wrote,
// with its own proxy and its own idea of a form. Signing must work in it by the plan's id, as the preview's text says.
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk } from '../journeys/playground-page.ts'
import { launchBrowser } from './browser.ts'

const root = dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json')))
const token = 'a-token-of-this-test'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const socket = createSocket()
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as AddressInfo
      socket.close(() => resolve(port))
    })
  })

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Its web client. Its own way to serve it listens on every address of the machine; this one on the loopback only. */
const serveClient = async (): Promise<Server> => {
  const dist = join(root, 'client', 'dist')
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = path.startsWith('/assets/') ? join(dist, 'assets', path.slice('/assets/'.length)) : ''
    const answer = async (): Promise<void> => {
      const asset = file.startsWith(dist) ? await readFile(file).catch(() => undefined) : undefined
      // It asks the page's own address for settings unless it is told where its proxy is; anything else is its page.
      response.setHeader('content-type', asset ? (types[extname(file)] ?? 'text/plain') : 'text/html')
      response.end(asset ?? (await readFile(join(dist, 'index.html'))))
    }
    void answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe('the MCP Inspector', () => {
  let browser: Browser
  let desk: Desk
  let client: Server
  let proxy: ChildProcess
  let page: Page

  beforeAll(async () => {
    browser = await launchBrowser()
    desk = await openDesk()
    client = await serveClient()
    const { port } = client.address() as AddressInfo
    const proxyPort = await freePort()
    proxy = spawn(process.execPath, [join(root, 'server', 'build', 'index.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOST: '127.0.0.1',
        PORT: String(proxyPort),
        CLIENT_PORT: String(port),
        MCP_PROXY_TOKEN: token,
      },
    })
    await new Promise<void>((resolve, reject) => {
      proxy.stdout?.on('data', (chunk: Buffer) => chunk.includes('listening') && resolve())
      proxy.once('exit', (code) => reject(new Error(`The Inspector's proxy ended with ${code}.`)))
    })
    page = await browser.newPage({ viewport: { width: 1500, height: 1200 } })
    const query = new URLSearchParams({
      transport: 'streamable-http',
      serverUrl: desk.door.mcpUrl,
      MCP_PROXY_AUTH_TOKEN: token,
      MCP_PROXY_FULL_ADDRESS: `http://127.0.0.1:${proxyPort}`,
    })
    await page.goto(`http://127.0.0.1:${port}/?${query.toString()}#tools`)
  })

  afterAll(async () => {
    await browser.close()
    proxy.kill()
    client.close()
    client.closeAllConnections()
    await desk.close()
  })

  const wait = { timeout: 15_000 }
  /** Runs the tool as the form has it, until the page says this. */
  const run = async (says: RegExp): Promise<string> => {
    await page.getByRole('button', { name: 'Run Tool' }).click(wait)
    await page.getByText(says).first().waitFor(wait)
    return page.locator('body').innerText()
  }

  test('previews in words, and applies the plan that the words name, once', async () => {
    await page.getByRole('button', { name: 'Connect', exact: true }).click(wait)
    await page.getByRole('button', { name: 'List Tools' }).click(wait)
    await page.getByText('orders_create', { exact: true }).first().click(wait)
    await page.locator('textarea.npm__react-simple-code-editor__textarea').fill('[{"sku":"DESK-01","quantity":2}]')
    // Its JSON field settles late and then takes back what was typed elsewhere meanwhile.
    await page.waitForTimeout(1000)
    await page.getByLabel('customer', { exact: true }).fill('ACME', wait)
    await page.getByLabel('rationale', { exact: true }).fill('ACME asked for two desks by phone.')
    const preview = await run(/Nothing has happened yet/)
    // It announces no MCP Apps, so nobody is told to look at a card that is not there.
    expect(preview).not.toContain('The person sees this as a card')
    const plan = /\bpl_[a-z0-9]+/.exec(preview)?.[0] ?? ''

    await page.getByLabel('ticket', { exact: true }).fill(plan)
    await page.locator('#preview').click()
    await run(/Order SO-\d+ created|"applied"/)
    await run(/"replayed"/)
  })
})
