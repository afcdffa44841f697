// A port on the loopback is open to every user and program of the machine. What another user there can send without the
// secret of the start is refused, whatever its headers claim; with the secret a person's browser and clients get in.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../free-port.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { longest } from '../../longest.ts'
import { casesOf } from '../../full.ts'
import { overHttp, rationale, ticketOf } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { startHere, webHere, type Here } from '../in-process.ts'
import { fixture } from '../processes.ts'
import { rawCall, rawRequest } from '../raw-http.ts'
import { runCommand } from '../terminal.ts'

interface Started {
  readonly mcp: URL
  readonly playground: URL
  /** The file that held both addresses. */
  readonly file: string
  readonly running: Here
}

/** Starts a server and reads its addresses where it says that they stand. */
async function started(...args: readonly string[]): Promise<Started> {
  const running = startHere(args)
  const file = await vi.waitFor(
    () => {
      // At the end of its line, or a member of a line of JSON; a path may have blanks.
      const [, found] = /(?:Secret +|"access_secret":")([^"\n]+\.addresses-\d+\.json)/.exec(running.stderr()) ?? []
      if (found === undefined) throw new Error(`It names no file: ${running.stderr()}`)
      return found
    },
    { timeout: longest, interval: 100 },
  )
  const { mcp, playground } = z
    .object({ mcp: z.string(), playground: z.string() })
    .parse(JSON.parse(readFileSync(file, 'utf8')))
  return { mcp: new URL(mcp), playground: new URL(playground), file, running }
}

/** The same with somebody at its terminal, who reads them there. */
async function startedAtTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const running = startHere(args, { env, isTTY: true })
  await vi.waitFor(() => expect(running.stderr()).toContain('Press Ctrl+C'), { timeout: longest, interval: 100 })
  return running.stderr()
}

const thirdParty = [process.execPath, ...fixture('third-party-server')]
/** Both have their addresses from one place: each is asked something in every run. */
const commands = [
  ['demo', ['demo', '--port', '0']],
  ['playground', ['playground', '--port', '0', '--', ...thirdParty]],
] as const
const asBrowser = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
const without = (url: URL, path = url.pathname): URL => new URL(path, url.origin)
const call = (ticket: string): string =>
  rawCall('orders_delete', JSON.stringify({ id: 'SO-1007', rationale, ticket, preview: false }))

describe('another user of the machine', () => {
  let desk: Started

  beforeAll(async () => {
    desk = await started('demo', '--port', '0', '--db', freshDatabase(), '--trusted-host')
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
  let desk: Started
  beforeAll(async () => {
    browser = await sharedBrowser()
    desk = await started('demo', '--port', '0', '--db', freshDatabase())
  })

  test('opens the printed address once; then the secret is out of it, and the browser is known', async () => {
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

  test('finds another secret at each start, in a file of their own for as long as the server is there', async () => {
    const db = freshDatabase()
    const both = [await started('demo', '--port', '0', '--db', db), await started('demo', '--port', '0', '--db', db)]
    const secrets = both.map(({ mcp }) => mcp.searchParams.get('token') ?? '')
    expect(new Set(secrets).size).toBe(2)
    for (const [at, { running, file, mcp }] of both.entries()) {
      expect(file).toBe(`${db}.addresses-${mcp.port}.json`)
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
      const { code, stdout, stderr } = await running.end()
      expect(code).toBe(0)
      expect(stdout + stderr).not.toContain(secrets[at])
      expect(existsSync(file)).toBe(false)
      expect(readFileSync(db).includes(Buffer.from(secrets[at] ?? '-'))).toBe(false)
    }
  })

  test.each(casesOf(commands, ([name]) => name, ['demo']))(
    'reads it at the terminal of %s, and it is written nowhere then',
    async (_, args) => {
      const home = place()
      const shown = await startedAtTerminal(args, { HOME: home, XDG_DATA_HOME: home })
      for (const path of ['mcp', 'playground'])
        expect(shown).toMatch(new RegExp(`http://\\S+/${path}\\?token=[0-9a-f]{48}\n`))
      const secret = /token=([0-9a-f]{48})/.exec(shown)?.[1] ?? ''
      const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secret))
      expect(holding.map(({ name }) => name)).toStrictEqual([])
    },
  )

  test('of a command in the playground has the secret too, and nobody else', async () => {
    const command = thirdParty
    const { mcp } = await started('playground', '--port', '0', '--', ...command)
    const list = { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }
    expect((await rawRequest(without(mcp), list)).status).toBe(401)
    expect((await rawRequest(without(mcp, '/playground'), { method: 'GET', headers: asBrowser })).status).toBe(401)
    const agent = await overHttp(mcp)
    expect(agent.tools.map(({ name }) => name)).toContain('note')
  })
})

describe('a secret from the environment', () => {
  const playground = ['playground', '--port', '0', '--', ...thirdParty]

  test.each(casesOf(commands, ([name]) => name, ['playground']))(
    'lets callers of %s in, and is not printed, at a terminal neither',
    async (_, args) => {
      const running = await webHere(args)
      const { mcp } = running
      const secret = mcp.searchParams.get('token') ?? ''
      expect(secret).not.toBe('')
      expect((await overHttp(mcp)).tools.length).toBeGreaterThan(0)
      const shown = await startedAtTerminal(args, { COUNTERSIGN_ACCESS_SECRET: secret })
      for (const said of [running.stderr(), shown]) {
        expect(said).not.toContain(secret)
        expect(said).toContain('COUNTERSIGN_ACCESS_SECRET')
      }
    },
  )

  test.each(['', 'short'])('is refused where it is %j', async (secret) => {
    for (const args of [['demo', '--port', '0'], playground]) {
      const { code, stderr } = await runCommand(args, { env: { COUNTERSIGN_ACCESS_SECRET: secret } })
      expect([code, stderr]).toStrictEqual([1, expect.stringContaining('COUNTERSIGN_ACCESS_SECRET')])
    }
  })
})

test('where its file cannot be written, the server says so and what to do instead', async () => {
  const db = freshDatabase()
  const port = await freePort()
  mkdirSync(`${db}.addresses-${port}.json`)
  const running = startHere(['demo', '--port', String(port), '--db', db])
  const says = /nowhere: [^"\n]+ cannot be written \(\w+\); set COUNTERSIGN_ACCESS_SECRET/
  await vi.waitFor(() => expect(running.stderr()).toMatch(says), { timeout: longest, interval: 100 })
  expect((await rawRequest(new URL(`http://127.0.0.1:${port}/mcp`), { body: '{}' })).status).toBe(401)
})
