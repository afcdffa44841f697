// The scripted host: a page in a real browser, with the official AppBridge at its end of the wire. The page itself is
// only a pipe; the bridge runs here, so that the package ships no second bundle and a check can see every message.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, JSONRPCMessage, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Browser, Frame, Page } from 'playwright-core'
import { loadAppBridge } from './app-bridge.ts'
import type { Arguments } from '../arguments.ts'
import { openWindows, type HostWindow } from './host-window.ts'
import { passed, type HostProfile } from './profiles.ts'
import type { ViewPage } from '../session.ts'
import { viewPolicy } from './view-policy.ts'

/** What a view is drawn with. */
export interface ViewInput {
  /** Its page. */
  readonly page: ViewPage
  /** The tool that was called. */
  readonly tool: Tool
  /** The arguments of the call. */
  readonly args: Arguments
  /** `undefined`: the host has forgotten it. */
  readonly result: CallToolResult | undefined
}

/** One drawn view. */
export interface View {
  /** Its frame. */
  readonly frame: Frame
  /** Resolves once its result was sent to it; at once where it gets none. */
  readonly received: Promise<void>
  /** What a person can read in it. */
  text(): Promise<string>
  /** Sends it the result of its call. */
  sendResult(result: CallToolResult): Promise<void>
  /** Takes it away. */
  remove(): Promise<void>
}

/** A page that draws views as a host does. */
export interface HostPage {
  /** The page of the browser. */
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
  /** Draws a view. */
  draw(input: ViewInput): Promise<View>
  /** Lets time pass for the views without waiting for it. Only where the profile needs it. */
  passTime(ms: number): Promise<void>
  /** Closes the page. */
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

/** Opens a host of this profile in a window of its own. `callTool` answers what views call. */
export async function openHostPage(
  browser: Browser,
  profile: HostProfile,
  callTool: (name: string, args: Arguments) => Promise<CallToolResult>,
): Promise<HostPage> {
  const windows = await openWindows(browser)
  const window = await windows.take(profile)
  const close = async (): Promise<void> => {
    await window.close()
    await windows.close()
  }
  return { ...(await playHost(window, profile, callTool)), close }
}

/** Plays a host of this profile in a window, which stays open when the host is closed. */
export async function playHost(
  window: HostWindow,
  profile: HostProfile,
  callTool: (name: string, args: Arguments) => Promise<CallToolResult>,
): Promise<HostPage> {
  const { AppBridge } = await loadAppBridge()
  const { page } = window
  const messages: string[] = []
  const turns: string[] = []
  const toolCalls: { name: string; result: CallToolResult }[] = []
  const complaints: string[] = []
  let composer = profile.message === 'refuse' ? 'something half written' : ''
  window.onComplaint = (text) => void complaints.push(text)

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
    const id = window.newId()
    const bridge = new AppBridge(
      null,
      { name: `test-host-${profile.name}`, version: '1' },
      { openLinks: {}, message: { text: {} }, ...(profile.serverTools ? { serverTools: {} } : {}) },
      { hostContext: contextOf(profile, input.tool) },
    )
    const result = input.result === undefined ? undefined : passed(profile, input.result)
    const received = Promise.withResolvers<void>()
    Object.assign(bridge, {
      oninitialized: () => {
        if (profile.toolInput) void bridge.sendToolInput({ arguments: { ...input.args } })
        if (result !== undefined && profile.result === 'after-initialize')
          void bridge.sendToolResult(result).then(received.resolve, received.resolve)
      },
      onsizechange: ({ height }) => {
        if (profile.resizes && height !== undefined) void window.resize(id, height).catch(() => undefined)
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
      send: (message: JSONRPCMessage) => window.tell(id, JSON.stringify(message)),
      close: () => Promise.resolve(),
    }
    await bridge.connect(wire)
    const policy = viewPolicy(profile.csp === 'strict' ? {} : input.page.csp)
    const frame = await window.draw(id, wire, { body: input.page.html, policy })
    if (result !== undefined && profile.result === 'before-initialize') await sendRaw(wire, result)
    if (result === undefined || profile.result === 'before-initialize') received.resolve()
    return {
      frame,
      received: received.promise,
      text: () => readText(frame),
      sendResult: (other) => bridge.sendToolResult(passed(profile, other)),
      remove: () => window.drop(id),
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
    close: () => window.clear(),
  }
}

/** The bridge itself refuses to speak before the view has; a careless host does not ask it. */
const sendRaw = (wire: Transport, result: CallToolResult): Promise<void> =>
  wire.send({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { ...result } })

/** Not by a locator: what Playwright brings into a frame for those is three times as large as a view. */
const readText = async (frame: Frame): Promise<string> => {
  const text = await frame.evaluate<unknown>("document.body?.innerText ?? ''").catch(() => '')
  return String(text).replace(/\s+/g, ' ').trim()
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
