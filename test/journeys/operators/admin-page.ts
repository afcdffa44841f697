// What an operator does at /admin, in words, and a real server to do it on: `countersign demo`,
// accounts in its database, an agent over HTTP whose client shows no cards, the built pages in Chromium.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import type { Role } from '../../../server/model/operators.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { freePort } from '../../free-port.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { passwordCost } from '../../server/store/store-fixture.ts'
import { overHttp, type Agent } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { webHere } from '../in-process.ts'
import { binary, letIn, startWeb } from '../processes.ts'
import { roundRobin } from '../round-robin.ts'

export const adminToken = 'the-admin-token-of-these-journeys'
export const password = 'correct horse battery staple'

export interface House {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly mcp: URL
  /** The same database through a connection of the test's own. */
  readonly records: Store
  /** An agent without cards: what needs a person goes to approval. */
  readonly agent: () => Promise<Agent>
  /** Makes an account; answers the codes of its authenticator, each usable once. */
  readonly account: (name: string, roles: readonly Role[], tenant?: string) => Promise<() => string>
  /** The cookie of somebody with an account who has signed in before. */
  readonly session: (name: string) => Promise<Cookie>
}

interface Cookie {
  readonly name: string
  readonly value: string
  /** Of the server that reads it. */
  readonly url: string
}

/** A running order desk, gone with the test file. */
export async function openHouse(...more: readonly string[]): Promise<House> {
  const file = freshDatabase()
  const { mcp } = await webHere(['demo', '--port', '0', '--db', file, ...more], { env })
  return houseOf(mcp, { file })
}

/** Two processes on one PostgreSQL behind a round-robin, where two people must agree to a deletion. */
export async function openTwoHouses(): Promise<House> {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const servers: URL[] = []
  const proxy = await roundRobin(servers)
  const config = join(place(), 'countersign.json')
  const approvals = [{ tools: ['orders_delete'], approvers: 2 }]
  writeFileSync(config, JSON.stringify({ http: { public_url: proxy.origin }, policy: { approvals } }))
  // A server prints the address at which it is reached, which is the proxy's; so its own port is given to it.
  for (const port of [await freePort(), await freePort()]) {
    const line = [...binary, 'demo', '--port', String(port), '--db', database.url, '--config', config]
    await startWeb(line, { env: { ...env, COUNTERSIGN_SECRET: testSecret } })
    servers.push(new URL(`http://127.0.0.1:${port}/mcp`))
  }
  return houseOf(letIn(proxy), { file: database.url, secret: testSecret })
}

const env = { COUNTERSIGN_ADMIN_TOKEN: adminToken }

async function houseOf(mcp: URL, store: { readonly file: string; readonly secret?: string }): Promise<House> {
  const opened = await openStore({ passwordCost, ...store })
  if (!opened.ok) throw new Error(opened.failure.message)
  const records = opened.value
  atEnd(() => records.close())
  return {
    url: mcp.origin,
    mcp,
    records,
    agent: () => overHttp(mcp, { cards: false }),
    account: async (name, roles, tenant) => {
      const { accounts } = records.operators
      const account = await accounts.add({ name, roles, tenant, subjects: [], password })
      if (account === undefined) throw new Error(`There is already an account ${name}.`)
      const factor = accounts.factor(account.id)
      const { secret } = await factor.begin(name)
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      const at = (step: number): string => totp.generate({ timestamp: Date.now() + step * 30_000 })
      // A code works once and a step to either side is accepted, so three can be had without waiting.
      let step = -1
      if (!(await factor.confirm(at(step)))) throw new Error('The authenticator was not enrolled.')
      return () => at(++step)
    },
    session: async (name) => {
      const { accounts, sessions } = records.operators
      const account = await accounts.find(name)
      if (account === undefined) throw new Error(`There is no account ${name}.`)
      const { value } = await sessions.open(account.id, 'session', 60 * 60 * 1000)
      return { name: `countersign_session_${mcp.port}`, value, url: mcp.origin }
    },
  }
}

export interface Desk {
  readonly page: Page
  /** What the browser complained about. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

/** What can be changed on a page that is open. */
type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors' | 'reducedMotion'>
type Options = Look & Pick<BrowserContextOptions, 'locale' | 'hasTouch'> & { readonly cookie?: Cookie }

const usual = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'light',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
} as const

/** The page that the last test is through with: a new one costs more than most visits do. */
const left = new WeakMap<Browser, Page>()
/** The pages on which Mia is signed in with the admin token, and at which origin. */
const signedIn = new WeakMap<Page, string>()

async function take(browser: Browser, look: Look): Promise<Page | undefined> {
  const page = left.get(browser)
  left.delete(browser)
  if (page === undefined || page.isClosed()) return undefined
  const { viewport, ...media } = { ...usual, ...look }
  await page.setViewportSize(viewport ?? usual.viewport)
  await page.emulateMedia(media)
  return page
}

/** As if its browser had never been at the server. */
async function forget(page: Page): Promise<void> {
  signedIn.delete(page)
  await page.context().clearCookies()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    // From where every address is another one, also one that differs in its hash, for which nothing would be loaded.
    history.replaceState(null, '', '/left')
  })
}

/** A page as a test has it; closed, it is there for the next one, unless there is one or it is of this test only. */
function deskOf(browser: Browser, page: Page, isOwn = false): Desk {
  const complaints: string[] = []
  const onError = (error: Error): unknown => complaints.push(error.message)
  const onMessage = (message: ConsoleMessage): void => {
    // Who is not signed in is told so with a 401, and the browser writes that down.
    const refused = message.text().includes('401') || message.text().includes('428')
    if (message.type() === 'error' && !refused) complaints.push(message.text())
  }
  page.on('pageerror', onError).on('console', onMessage)
  const close = async (): Promise<void> => {
    page.off('pageerror', onError).off('console', onMessage)
    if (isOwn || left.has(browser)) await page.context().close()
    else left.set(browser, page)
  }
  return { page, complaints, close }
}

/** Opens an address of the pages in a browser that knows nothing of the server, or this cookie of it and nothing else. */
export async function openPage(browser: Browser, address: string, { cookie, ...options }: Options = {}): Promise<Desk> {
  const { locale, hasTouch, ...look } = options
  const isOwn = locale !== undefined || hasTouch !== undefined
  const known = isOwn ? undefined : await take(browser, look)
  if (known !== undefined) await forget(known)
  const page = known ?? (await (await browser.newContext({ ...usual, locale: 'en-GB', ...options })).newPage())
  if (cookie !== undefined) await page.context().addCookies([cookie])
  const desk = deskOf(browser, page, isOwn)
  await page.goto(address)
  return desk
}

/** The same as Mia, with the admin token. Where she has signed in for another test, she comes from another page. */
export async function openSignedIn(browser: Browser, address: string, look: Look = {}): Promise<Desk> {
  const { origin } = new URL(address)
  const last = left.get(browser)
  const known = last !== undefined && signedIn.get(last) === origin ? await take(browser, look) : undefined
  if (known === undefined) {
    const desk = await openPage(browser, address, look)
    await withToken(desk.page)
    signedIn.set(desk.page, origin)
    return desk
  }
  await goTo(known, '/admin/elsewhere')
  await known.getByRole('heading', { name: 'There is no such page' }).waitFor()
  const desk = deskOf(browser, known)
  await goTo(known, address)
  return desk
}

/** Goes to an address of the same server as by one of its links: the page is not loaded anew. */
export const goTo = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

/** Signs in with the admin token, under a name for the record. */
export async function withToken(page: Page, name = 'Mia'): Promise<void> {
  // It stands there at once where nobody has an account yet.
  const token = page.getByLabel('Admin token')
  const other = page.getByRole('button', { name: 'Use the admin token' })
  await token.or(other).first().waitFor()
  if (await other.isVisible()) await other.click()
  await token.fill(adminToken)
  await page.getByLabel('Your name, for the record').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}

/** Signs in with name, password and the code that is asked for. */
export async function withPassword(page: Page, name: string, code: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Six digits of your authenticator').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}
