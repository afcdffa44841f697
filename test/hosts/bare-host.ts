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

const serve = async (
  html: string,
  assets?: (path: string) => Promise<Buffer | undefined>,
): Promise<{ hostUrl: string; cardUrl: string; close(): Promise<void> }> => {
  const code = await hostScript()
  const host = await listen((path, response) => {
    const isScript = path === '/host.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? code : HOST_PAGE)
  })
  // Another port is another origin: the card is as foreign to the page as it is in real hosts.
  const card = await listen(async (path, response) => {
    const asset = path === '/' ? undefined : await assets?.(path)
    if (asset) {
      response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/javascript')
      // A sandboxed frame has no origin of its own.
      response.setHeader('access-control-allow-origin', '*')
      response.end(asset)
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', CARD_POLICY)
    response.end(html)
  })
  const shut = (server: Server): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    hostUrl: addressOf(host),
    cardUrl: addressOf(card),
    close: async () => void (await Promise.all([shut(host), shut(card)])),
  }
}

/** Opens a page with one card in it. */
export const openBareHost = async (browser: Browser, options: BareHostOptions = {}): Promise<BareHost> => {
  const { html, assets, callTool, onMessage, browserContext, clock, ...behaviour } = options
  const site = await serve(html ?? (await readCardHtml()), assets)
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...browserContext })
  const page = await context.newPage()
  const messages: string[] = []
  const toolCalls: { name: string; args: Record<string, unknown> }[] = []
  const links: string[] = []
  const complaints: string[] = []

  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('favicon')) complaints.push(line.text())
  })
  await page.exposeFunction('bareHostCallTool', async (name: string, args: Record<string, unknown>) => {
    toolCalls.push({ name, args })
    if (!callTool) throw new Error('This host passes no tool calls on')
    return callTool(name, args)
  })
  await page.exposeFunction('bareHostMessage', async (text: string) => {
    messages.push(text)
    await onMessage?.(text)
  })
  await page.exposeFunction('bareHostLink', (url: string) => void links.push(url))
  if (clock) await page.clock.install()
  await page.goto(site.hostUrl)
  await page.waitForFunction(() => 'bareHost' in window)

  let settings: Behaviour = { message: 'accept', serverTools: callTool !== undefined, width: 480, ...behaviour }
  const mount = (): Promise<void> =>
    page.evaluate(([url, given]) => window.bareHost.mount(url, given), [site.cardUrl, settings] as const)
  await mount()

  return {
    page,
    card: page.frameLocator('main iframe'),
    messages,
    toolCalls,
    links,
    complaints,
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
      await context.close()
      await site.close()
    },
  }
}
