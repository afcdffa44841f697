// What a person does in the playground, in words, and a real server to do it on. Everything is real: compose, store,
// MCP door, web door with its two listeners, the built page in Chromium.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser, Frame, FrameLocator, Locator, Page } from 'playwright-core'
import { compose, type ComposeOptions } from '../../server/compose/compose.ts'
import { demoOptions } from '../../server/compose/demo-options.ts'
import { playgroundAssets } from '../../server/compose/package-files.ts'
import { openWebDoor, type WebDoor } from '../../server/http/playground/web-door.ts'
import { createHttpDoor } from '../../server/mcp/http-door.ts'
import { identifyAllAs } from '../../server/mcp/identity.ts'
import { localPrincipal } from '../../server/mcp/local-principal.ts'
import { expect } from 'vitest'
import { sharedBrowser } from '../hosts/browser.ts'
import { freshDatabase } from './at-end.ts'

export interface Desk {
  readonly door: WebDoor
  close(): Promise<void>
}

/** The demo's order desk on a fresh database. */
export async function openDesk(more: Pick<ComposeOptions, 'sandbox'> = {}): Promise<Desk> {
  const composed = await compose({ ...demoOptions('orders'), ...more, file: freshDatabase() })
  if (!composed.ok) throw new Error(`${composed.failure.message} ${composed.failure.next}`)
  const { parts, sessionKey } = composed.value
  const mcp = createHttpDoor(parts, { sessionKey, identify: identifyAllAs(localPrincipal('http')) })
  const door = await openWebDoor({ mcp, port: 0, playground: { assets: playgroundAssets() } })
  if (!door.ok) throw new Error(door.failure.message)
  return {
    door: door.value,
    close: async () => {
      await door.value.close()
      await composed.value.close()
    },
  }
}

/** Somebody else who works on the same orders, with an MCP client of their own. */
export async function otherClient(door: WebDoor): Promise<Client> {
  const client = new Client(
    { name: 'somebody-else', version: '1' },
    {
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
    },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(door.mcpUrl)))
  return client
}

export interface Playground {
  readonly page: Page
  /** What the browser complained about. */
  readonly complaints: string[]
  /** Takes a first step as it is offered, which is the agent's call. */
  readonly suggest: (label: string) => Promise<void>
  /** Takes a step that is offered below the conversation. */
  readonly next: (label: string) => Promise<void>
  /** Picks a tool, fills its fields by label, and has the agent call it. */
  readonly call: (title: string, fields?: Readonly<Record<string, string>>) => Promise<void>
  /** The nth card of the conversation. */
  readonly card: (index: number) => FrameLocator
  /** The nth card's own frame, to act as its script would. */
  readonly view: (index: number) => Promise<Frame>
  readonly personLines: Locator
  readonly cards: Locator
}

/** Opens the playground in a tab of its own. */
export async function openPlayground(browser: Browser, door: Pick<WebDoor, 'playgroundUrl'>): Promise<Playground> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  // What the policy of the page forbids is told here alone.
  await page.exposeFunction('forbidden', (what: string) => void complaints.push(what))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => forbidden(\`\${event.violatedDirective} \${event.blockedURI} \${event.sourceFile}\`))`,
  )
  await page.goto(door.playgroundUrl ?? '')
  await page.getByText(/^Connected to/).waitFor()
  const submit = () => page.getByRole('button', { name: 'Let the agent call it' }).click()
  const cards = page.locator('.card-frame.shown iframe')
  return {
    page,
    complaints,
    suggest: async (label) => {
      await page.getByRole('list', { name: 'First steps' }).locator('.take', { hasText: label }).click()
    },
    next: (label) =>
      page.getByRole('list', { name: 'Next steps' }).getByRole('button', { name: label, exact: true }).click(),
    call: async (title, fields = {}) => {
      const back = page.getByRole('button', { name: 'All tools' })
      if (await back.isVisible()) await back.click()
      await page.getByRole('complementary', { name: 'Tools' }).getByRole('button', { name: title }).click()
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
      await submit()
    },
    card: (index) => cards.nth(index).contentFrame().locator('iframe').contentFrame(),
    view: async (index) => {
      const outer = await (await cards.nth(index).elementHandle())?.contentFrame()
      const inner = outer?.childFrames()[0]
      if (inner === undefined) throw new Error(`There is no card ${index}.`)
      return inner
    },
    personLines: page.locator('.said.person'),
    cards,
  }
}

/** A desk in a browser for the tests of one file: what is open now, and how it is opened and closed. */
export function playgroundOfTests() {
  let [desk, playground]: [Desk | undefined, Playground | undefined] = [undefined, undefined]
  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('It is not open yet.')
    return value
  }
  return {
    open: async (): Promise<void> => {
      desk = await openDesk()
      playground = await openPlayground(await sharedBrowser(), desk.door)
    },
    close: async (): Promise<void> => {
      await playground?.page.context().close()
      await desk?.close()
    },
    desk: (): Desk => opened(desk),
    playground: (): Playground => opened(playground),
    /** The newest list of orders in the chat. */
    orders: (): Locator => opened(playground).page.getByRole('region', { name: 'Orders' }).last(),
    /** Nothing was complained about. */
    quiet: (): void => expect(opened(playground).complaints).toEqual([]),
  }
}
