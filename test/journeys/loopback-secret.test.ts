// A port on the loopback is open to every user and program of the machine. What another user there can send without the
// secret of the start is refused, whatever its headers claim; with the secret a person's browser and clients get in.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launchBrowser } from '../hosts/browser.ts'
import { overHttp, rationale, ticketOf } from './agent.ts'
import { freshDatabase } from './at-end.ts'
import { binary, start, startDemo } from './processes.ts'
import { rawCall, rawRequest } from './raw-http.ts'

interface Printed {
  readonly mcp: URL
  readonly playground: URL
  readonly log: string
}

/** Starts a server and reads the addresses that it prints for whoever started it. */
async function printed(...args: readonly string[]): Promise<Printed> {
  const running = start([...binary, ...args])
  return vi.waitFor(
    () => {
      const log = running.stderr()
      const find = (path: string): string => new RegExp(`http://[^\\s"]+/${path}\\?token=[^\\s"]+`).exec(log)?.[0] ?? ''
      return { mcp: new URL(find('mcp')), playground: new URL(find('playground')), log }
    },
    { timeout: 60_000, interval: 100 },
  )
}

const asBrowser = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
const without = (url: URL, path = url.pathname): URL => new URL(path, url.origin)
const call = (ticket: string): string =>
  rawCall('orders_delete', JSON.stringify({ id: 'SO-1007', rationale, ticket, preview: false }))

describe('another user of the machine', () => {
  let desk: Printed

  beforeAll(async () => {
    desk = await printed('demo', '--port', '0', '--db', freshDatabase(), '--trusted-host')
  })

  test.each(['/playground', '/playground/gallery'])('does not get %s, as a browser neither', async (path) => {
    for (const token of ['', '?token=guess', '?token='])
      for (const headers of [{}, asBrowser, { ...asBrowser, cookie: 'countersign_playground=guess' }]) {
        const answer = await rawRequest(without(desk.mcp, `${path}${token}`), { method: 'GET', headers })
        expect(answer.status).toBe(401)
        expect(answer.text).not.toContain('countersign-page')
      }
  })

  test('previews, clicks and applies nothing', async () => {
    const agent = await overHttp(desk.mcp)
    const preview = await agent.call('orders_delete', { id: 'SO-1007' })
    const ticket = ticketOf(preview)
    const bodies = [
      rawCall('orders_delete', JSON.stringify({ id: 'SO-1007', rationale })),
      rawCall('countersign_plan_confirm', JSON.stringify({ ticket })),
      call(ticket),
    ]
    for (const body of bodies)
      for (const headers of [{}, asBrowser, { authorization: 'Bearer guess' }, { 'x-countersign-page': 'guess' }]) {
        const { status } = await rawRequest(without(desk.mcp), { body, headers })
        expect([401, 403]).toContain(status)
      }
    const rest = await rawRequest(without(desk.mcp, '/api/v1/tools/orders_delete'), {
      body: JSON.stringify({ id: 'SO-1007', rationale, ticket, preview: false }),
    })
    expect(rest.status).toBe(401)
    expect(rest.text).toContain('COUNTERSIGN_ACCESS_SECRET')
    const status = await agent.client.callTool({ name: 'countersign_plan_status', arguments: { ticket } })
    expect(status.structuredContent).toMatchObject({ state: 'open', clicked: false })
  })

  test('sees of the server what anybody may: that it is well', async () => {
    expect((await rawRequest(without(desk.mcp, '/healthz'), { method: 'GET' })).status).toBe(200)
  })
})

describe('whoever started the server', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  test('opens the printed address once; then the secret is out of it, and the browser is known', async () => {
    const desk = await printed('demo', '--port', '0', '--db', freshDatabase())
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(desk.playground.href)
    await page.getByText(/^Connected to/).waitFor()
    expect(page.url()).toBe(without(desk.playground).href)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/playground' })
    expect(desk.playground.search).not.toContain(cookie?.value)
    await page.goto(without(desk.mcp, '/').href)
    await page.getByText(/^Connected to/).waitFor()
    await (await browser.newContext()).newPage().then(async (stranger) => {
      await stranger.goto(without(desk.playground).href)
      await stranger.getByText('opens with the address that the server printed').waitFor()
    })
  })

  test('connects with the secret as a bearer token too, over MCP and over REST', async () => {
    const desk = await printed('demo', '--port', '0', '--db', freshDatabase())
    const authorization = `Bearer ${desk.mcp.searchParams.get('token') ?? ''}`
    const body = JSON.stringify({ id: 'SO-1007', rationale })
    const paths = [
      { path: '/mcp', body: rawCall('orders_get', body) },
      { path: '/api/v1/tools/orders_get', body },
    ]
    for (const each of paths) {
      const { status, text } = await rawRequest(without(desk.mcp, each.path), { ...each, headers: { authorization } })
      expect([status, text.includes('SO-1007')]).toStrictEqual([200, true])
    }
  })

  test('finds another secret at each start, and in no line of the log itself', async () => {
    const db = freshDatabase()
    const [one, two] = [
      await printed('demo', '--port', '0', '--db', db),
      await printed('demo', '--port', '0', '--db', db),
    ]
    const secrets = [one, two].map(({ mcp }) => mcp.searchParams.get('token') ?? '')
    expect(new Set(secrets).size).toBe(2)
    const lines = one.log.split('\n').filter((line) => line.includes('"time"'))
    expect(lines.join('\n')).not.toContain(secrets[0])
    expect(readFileSync(db).includes(Buffer.from(secrets[0] ?? '-'))).toBe(false)
  })

  test('of a command in the playground has the secret too, and nobody else', async () => {
    const file = new URL('../hosts/profiles-foreign-server.ts', import.meta.url).pathname
    const command = [process.execPath, '--no-warnings', file]
    const { mcp } = await printed('playground', '--port', '0', '--', ...command)
    const list = { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }
    expect((await rawRequest(without(mcp), list)).status).toBe(401)
    expect((await rawRequest(without(mcp, '/playground'), { method: 'GET', headers: asBrowser })).status).toBe(401)
    const agent = await overHttp(mcp)
    expect(agent.tools.map(({ name }) => name)).toContain('note')
  })
})

test('a secret from the environment stays the same, and is not printed', async () => {
  const web = await startDemo(freshDatabase())
  const { mcp } = web
  const secret = mcp.searchParams.get('token') ?? ''
  expect(secret).not.toBe('')
  expect(web.stderr()).not.toContain(secret)
  const agent = await overHttp(mcp)
  expect(agent.tools.length).toBeGreaterThan(0)
})
