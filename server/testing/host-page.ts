// The scripted host: a page in a real browser, with the official AppBridge at its end of the wire. The page itself is
// only a pipe; the bridge runs here, so that the package ships no second bundle and a check can see every message.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  JSONRPCMessageSchema,
  type CallToolResult,
  type JSONRPCMessage,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { loadAppBridge } from './app-bridge.ts'
import type { Arguments } from './arguments.ts'
import { passed, type HostProfile } from './profiles.ts'
import type { ViewPage } from './session.ts'
import { viewPolicy } from './view-policy.ts'

export interface ViewInput {
  readonly page: ViewPage
  readonly tool: Tool
  readonly args: Arguments
  /** `undefined`: the host has forgotten it. */
  readonly result: CallToolResult | undefined
}

/** One drawn view. */
export interface View {
  readonly frame: FrameLocator
  /** What a person can read in it. */
  text(): Promise<string>
  sendResult(result: CallToolResult): Promise<void>
  remove(): Promise<void>
}

export interface HostPage {
  readonly page: Page
  /** Texts that views handed over as the person's, whatever became of them. */
  readonly messages: readonly string[]
  /** Texts that reached the chat by themselves. */
  readonly turns: readonly string[]
  /** What stands in the message box. */
  composer(): string
  /** The person empties the message box. */
  clearComposer(): void
  /** Tools that views called, with their answers. */
  readonly toolCalls: readonly { readonly name: string; readonly result: CallToolResult }[]
  /** What the browser had to complain about: policy violations and uncaught errors. */
  readonly complaints: readonly string[]
  draw(input: ViewInput): Promise<View>
  /** Lets time pass for the views without waiting for it. Only where the profile needs it. */
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

/** The part of AppBridge's callbacks that this host answers. */
interface Handlers {
  oninitialized(): void
  onsizechange(size: { readonly height?: number }): void
  oncalltool(params: { readonly name: string; readonly arguments?: Arguments }): Promise<CallToolResult>
  onopenlink(): Promise<{ isError?: boolean }>
  onloggingmessage(): void
  onmessage(params: { readonly content: readonly { readonly type: string; readonly text?: string }[] }): Promise<{
    isError?: boolean
  }>
}

const hostOrigin = 'https://host.test'
const viewOrigin = 'https://view.test'

const hostHtml = (dark: boolean): string => `<!doctype html><meta charset="utf-8"><title>Scripted host</title>
<meta name="color-scheme" content="${dark ? 'light dark' : 'light'}">
<style>body{margin:0;width:480px}iframe{display:block;border:0;width:480px;height:220px}</style><body><script>
const frames = new Map()
addEventListener('message', ({ source, data }) => {
  for (const [id, frame] of frames) if (source === frame.contentWindow) hear(id, JSON.stringify(data ?? null))
})
globalThis.draw = (id, url) => {
  const frame = document.createElement('iframe')
  frame.id = id
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
</script>`

/** Opens a host of this profile. `callTool` answers what views call. */
export async function openHostPage(
  browser: Browser,
  profile: HostProfile,
  callTool: (name: string, args: Arguments) => Promise<CallToolResult>,
): Promise<HostPage> {
  const { AppBridge } = await loadAppBridge()
  const dark = profile.theme === 'media'
  const context = await browser.newContext({
    viewport: { width: 520, height: 900 },
    locale: 'en-GB',
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  const messages: string[] = []
  const turns: string[] = []
  const toolCalls: { name: string; result: CallToolResult }[] = []
  const complaints: string[] = []
  const wires = new Map<string, Transport>()
  const pages = new Map<string, ViewPage>()
  let composer = profile.message === 'refuse' ? 'something half written' : ''
  let made = 0

  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().includes('favicon')) complaints.push(line.text())
  })
  await page.exposeFunction('hear', (id: string, message: string) => {
    const parsed = JSONRPCMessageSchema.safeParse(JSON.parse(message))
    if (parsed.success) wires.get(id)?.onmessage?.(parsed.data)
  })
  await context.route(`${hostOrigin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: hostHtml(dark) }),
  )
  await context.route(`${viewOrigin}/**`, (route) => {
    const view = pages.get(new URL(route.request().url()).pathname.slice(1))
    if (view === undefined) return route.fulfill({ status: 404, body: '' })
    const policy = viewPolicy(profile.csp === 'strict' ? {} : view.csp)
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
      body: view.html,
    })
  })
  // Only hosts that keep the person waiting need a clock that can be moved; a view's own timers run on it.
  if (profile.message === 'hang' || profile.message === 'lose') await page.clock.install()
  await page.goto(`${hostOrigin}/`)

  const run = (name: 'draw' | 'tell' | 'resize' | 'drop', ...values: readonly unknown[]): Promise<unknown> =>
    page.evaluate(`${name}(${values.map((value) => JSON.stringify(value)).join(',')})`)

  const onMessage = async (text: string): Promise<{ isError?: boolean }> => {
    messages.push(text)
    switch (profile.message) {
      case 'turn':
        turns.push(text)
        return {}
      case 'prefill':
        composer = text
        return {}
      case 'refuse':
        if (composer !== '') return { isError: true }
        turns.push(text)
        return {}
      case 'hang':
        return new Promise(() => {})
      case 'lose':
        return {}
      default:
        return profile.message satisfies never
    }
  }

  const draw = async (input: ViewInput): Promise<View> => {
    const id = `view-${(made += 1)}`
    pages.set(id, input.page)
    const bridge = new AppBridge(
      null,
      { name: `test-host-${profile.name}`, version: '1' },
      { openLinks: {}, message: { text: {} }, ...(profile.serverTools ? { serverTools: {} } : {}) },
      { hostContext: contextOf(profile, input.tool) },
    )
    const result = input.result === undefined ? undefined : passed(profile, input.result)
    Object.assign(bridge, {
      oninitialized: () => {
        if (profile.toolInput) void bridge.sendToolInput({ arguments: { ...input.args } })
        if (result !== undefined && profile.result === 'after-initialize') void bridge.sendToolResult(result)
      },
      onsizechange: ({ height }) => {
        if (profile.resizes && height !== undefined) void run('resize', id, height).catch(() => undefined)
      },
      oncalltool: async ({ name, arguments: args }) => {
        if (!profile.serverTools) throw new Error('This host passes no tool calls on.')
        const answer = await callTool(name, args ?? {})
        toolCalls.push({ name, result: answer })
        return answer
      },
      onopenlink: () => Promise.resolve({}),
      onloggingmessage: () => undefined,
      onmessage: ({ content }) => onMessage(content.map((block) => block.text ?? '').join('\n')),
    } satisfies Handlers)
    const wire: Transport = {
      start: () => Promise.resolve(),
      send: async (message: JSONRPCMessage) => void (await run('tell', id, JSON.stringify(message))),
      close: () => Promise.resolve(),
    }
    wires.set(id, wire)
    await bridge.connect(wire)
    await run('draw', id, `${viewOrigin}/${id}`)
    if (result !== undefined && profile.result === 'before-initialize') await sendRaw(wire, result)
    const frame = page.frameLocator(`#${id}`)
    return {
      frame,
      text: () => readText(frame),
      sendResult: (other) => bridge.sendToolResult(passed(profile, other)),
      remove: async () => {
        wires.delete(id)
        await run('drop', id)
      },
    }
  }

  return {
    page,
    messages,
    turns,
    toolCalls,
    complaints,
    composer: () => composer,
    clearComposer: () => void (composer = ''),
    draw,
    passTime: (ms) => page.clock.fastForward(ms),
    close: () => context.close(),
  }
}

/** The bridge itself refuses to speak before the view has; a careless host does not ask it. */
const sendRaw = (wire: Transport, result: CallToolResult): Promise<void> =>
  wire.send({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { ...result } })

const readText = async (frame: FrameLocator): Promise<string> => {
  const text = await frame
    .locator('body')
    .innerText({ timeout: 2000 })
    .catch(() => '')
  return text.replace(/\s+/g, ' ').trim()
}

const contextOf = (profile: HostProfile, tool: Tool): Record<string, unknown> => ({
  ...(profile.theme === 'host' ? { theme: 'light' } : {}),
  locale: 'en-GB',
  timeZone: 'UTC',
  displayMode: 'inline',
  availableDisplayModes: ['inline'],
  containerDimensions: { maxWidth: 480 },
  platform: 'web',
  userAgent: 'countersign-test-host',
  toolInfo: { tool },
})
