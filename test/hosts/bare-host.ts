// Cards must work in hosts that nobody here wrote. This one is as small as a host can be, but its side of the wire is the
// official library, and it can be told to behave as badly as real ones do: to refuse, to hang, to only fill the message
// box, to leave out what the protocol promises. A test with a real server behind it hands over `callTool`.
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { build } from 'vite'

export interface WireEntry {
  readonly from: 'card' | 'host'
  readonly message: JSONRPCMessage
}

/** The host's context, loose on purpose: tests also send what makes no sense. */
export type HostContext = Record<string, unknown>

/** What the host does; all of it can be changed while a card is open. */
export interface Behaviour {
  /** What becomes of a message from the card. `lose` answers as if all were well. */
  message: 'accept' | 'refuse' | 'error' | 'hang' | 'prefill' | 'lose'
  /** `false`: refuses to open links. */
  links?: boolean
  serverTools: boolean
  /** `null`: the tool's input is never sent. */
  toolInput?: Record<string, unknown> | null
  /** Sent when the card is ready for it; nothing is sent without. */
  result?: CallToolResult | undefined
  /** Sends the result before the card has greeted. */
  early?: boolean
  context?: HostContext
  width: number
  /** `false`: ignores `size-changed`. */
  resize?: boolean
}

export interface BareHostOptions extends Partial<Behaviour> {
  /** The card; the built one by default. */
  readonly html?: string
  /** Scripts that the view loads from its own origin, by path. */
  readonly assets?: (path: string) => Promise<Buffer | undefined>
  /** Answers the card's tool calls. Without it the host has no server tools. */
  readonly callTool?: (name: string, args: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>
  /** Told each text that reached the chat: here the agent would take its turn. */
  readonly onMessage?: (text: string) => void | Promise<void>
  readonly browserContext?: BrowserContextOptions
  /** Installs a clock that the test can move. */
  readonly clock?: boolean
}

export interface BareHost {
  readonly page: Page
  /** Inside the iframe. */
  readonly card: FrameLocator
  /** Texts that reached the chat, in order. */
  readonly messages: readonly string[]
  readonly toolCalls: readonly { readonly name: string; readonly args: Record<string, unknown> }[]
  readonly links: readonly string[]
  /** What the browser had to complain about: policy violations and uncaught errors. */
  readonly complaints: readonly string[]
  wire(): Promise<readonly WireEntry[]>
  /** What stands in the message box. */
  composer(): Promise<string>
  behave(change: Partial<Behaviour>): Promise<void>
  sendResult(result: CallToolResult): Promise<void>
  cancelTool(reason: string): Promise<void>
  changeContext(context: HostContext): Promise<void>
  teardown(): Promise<unknown>
  post(message: unknown): Promise<void>
  postFromStranger(message: unknown): Promise<void>
  /** Loads the card anew, as hosts do on reload or scroll, with the same settings and these changes. */
  remount(change?: Partial<Behaviour>): Promise<void>
  close(): Promise<void>
}

/** What the specification tells hosts to enforce for a card that asks for nothing. */
const CARD_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

const HOST_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare host</title>
<style>body{margin:0;font:14px sans-serif}main{padding:0}iframe{display:block;border:0;height:200px}textarea{width:300px}</style>
<main></main><label>Message <textarea></textarea></label><script type="module" src="/host.js"></script></html>`

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The card as `npm run build:ui` leaves it. */
export const readCardHtml = async (): Promise<string> => {
  try {
    return await readFile(fromHere('../../dist/ui/card/index.html'), 'utf8')
  } catch (cause) {
    throw new Error('The card is not built. Run "npm run build:ui", then the tests again.', { cause })
  }
}

let script: Promise<string> | undefined

const hostScript = (): Promise<string> => {
  script ??= (async () => {
    const output = await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        minify: false,
        lib: { entry: fromHere('./bare-host.page.ts'), formats: ['es'], fileName: 'host' },
      },
    })
    const [first] = [output].flat()
    if (!first || !('output' in first)) throw new Error('Vite built no host page')
    return first.output[0].code
  })()
  return script
}

const listen = (answer: (path: string, response: ServerResponse) => void | Promise<void>): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => void answer(request.url ?? '/', response))
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** What the card's address answers. */
interface View {
  html: string
  assets?: ((path: string) => Promise<Buffer | undefined>) | undefined
}

const serve = async (view: View): Promise<{ hostUrl: string; cardUrl: string; close: () => void }> => {
  const code = await hostScript()
  const host = await listen((path, response) => {
    const isScript = path === '/host.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? code : HOST_PAGE)
  })
  // Another port is another origin: the card is as foreign to the page as it is in real hosts.
  const card = await listen(async (path, response) => {
    const asset = path === '/' ? undefined : await view.assets?.(path)
    if (asset) {
      response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/javascript')
      // A sandboxed frame has no origin of its own.
      response.setHeader('access-control-allow-origin', '*')
      response.end(asset)
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', CARD_POLICY)
    response.end(view.html)
  })
  const close = (): void => {
    for (const server of [host, card]) {
      server.close()
      server.closeAllConnections()
    }
  }
  return { hostUrl: addressOf(host), cardUrl: addressOf(card), close }
}

/** What happened around one card, and what answers it. */
interface Exchange {
  readonly messages: string[]
  readonly toolCalls: { readonly name: string; readonly args: Record<string, unknown> }[]
  readonly links: string[]
  readonly complaints: string[]
  readonly callTool?: BareHostOptions['callTool'] | undefined
  readonly onMessage?: BareHostOptions['onMessage'] | undefined
}

const newExchange = ({ callTool, onMessage }: Pick<Exchange, 'callTool' | 'onMessage'>): Exchange => ({
  messages: [],
  toolCalls: [],
  links: [],
  complaints: [],
  callTool,
  onMessage,
})

/** What a page is opened with, and keeps. */
interface PageOptions {
  readonly browserContext: BrowserContextOptions | undefined
  readonly clock: boolean | undefined
}

/** A page of the host. One card after another can be loaded in it. */
interface HostPage {
  readonly page: Page
  readonly cardUrl: string
  readonly view: View
  /** The settings of its browser context, as JSON. */
  readonly openedWith: string | undefined
  exchange: Exchange
}

const openPage = async (browser: Browser, { browserContext, clock }: PageOptions): Promise<HostPage> => {
  const view: View = { html: '' }
  const { hostUrl, cardUrl, close } = await serve(view)
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...browserContext })
  const page = await context.newPage()
  const openedWith = JSON.stringify(browserContext)
  const opened: HostPage = { page, cardUrl, view, openedWith, exchange: newExchange({}) }
  context.once('close', () => {
    closedPages.delete(opened)
    close()
  })

  page.on('pageerror', (error) => opened.exchange.complaints.push(String(error)))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('favicon')) opened.exchange.complaints.push(line.text())
  })
  await page.exposeFunction('bareHostCallTool', async (name: string, args: Record<string, unknown>) => {
    const { toolCalls, callTool } = opened.exchange
    toolCalls.push({ name, args })
    if (!callTool) throw new Error('This host passes no tool calls on')
    return callTool(name, args)
  })
  await page.exposeFunction('bareHostMessage', async (text: string) => {
    const { messages, onMessage } = opened.exchange
    messages.push(text)
    await onMessage?.(text)
  })
  await page.exposeFunction('bareHostLink', (url: string) => void opened.exchange.links.push(url))
  if (clock) await page.clock.install()
  await page.goto(hostUrl)
  await page.waitForFunction(() => 'bareHost' in window)
  return opened
}

/**
 * Pages whose card was closed. A page costs four times what the card in it costs; with its frames gone and its pointer in
 * the corner the next card finds nothing of the last one.
 */
const closedPages = new Set<HostPage>()

const takeClosedPage = (browser: Browser, { browserContext, clock }: PageOptions): HostPage | undefined => {
  // A clock that was moved stays moved.
  if (clock) return undefined
  const openedWith = JSON.stringify(browserContext)
  const found = [...closedPages].find(
    (one) => one.openedWith === openedWith && one.page.context().browser() === browser,
  )
  if (found) closedPages.delete(found)
  return found
}

/** Opens a page with one card in it. */
export const openBareHost = async (browser: Browser, options: BareHostOptions = {}): Promise<BareHost> => {
  const { html, assets, callTool, onMessage, browserContext, clock, ...behaviour } = options
  const opened =
    takeClosedPage(browser, { browserContext, clock }) ?? (await openPage(browser, { browserContext, clock }))
  const { page, cardUrl, view } = opened
  const exchange = newExchange({ callTool, onMessage })
  opened.exchange = exchange
  Object.assign(view, { html: html ?? (await readCardHtml()), assets })

  let settings: Behaviour = { message: 'accept', serverTools: callTool !== undefined, width: 480, ...behaviour }
  const mount = (): Promise<void> =>
    page.evaluate(([url, given]) => window.bareHost.mount(url, given), [cardUrl, settings] as const)
  await mount()

  return {
    page,
    card: page.frameLocator('main iframe'),
    ...exchange,
    wire: () => page.evaluate(() => window.bareHost.wire),
    composer: () => page.evaluate(() => window.bareHost.composer()),
    behave: (change) => page.evaluate((given) => window.bareHost.behave(given), change),
    sendResult: (result) => page.evaluate((given) => window.bareHost.sendResult(given), result),
    cancelTool: (reason) => page.evaluate((given) => window.bareHost.cancelTool(given), reason),
    changeContext: (given) => page.evaluate((context) => window.bareHost.changeContext(context), given),
    teardown: () => page.evaluate(() => window.bareHost.teardown()),
    post: (message) => page.evaluate((given) => window.bareHost.post(given), message),
    postFromStranger: (message) => page.evaluate((given) => window.bareHost.postFromStranger(given), message),
    async remount(change = {}): Promise<void> {
      settings = { ...settings, ...change }
      await mount()
    },
    async close(): Promise<void> {
      if (clock) return page.context().close()
      await page.evaluate(() => window.bareHost.reset())
      await page.mouse.move(0, 0)
      closedPages.add(opened)
    },
  }
}
