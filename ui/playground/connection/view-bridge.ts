// One view, from an empty iframe to its undo. The order is the specification's: the sandbox says it is ready, gets the
// HTML, the view initialises, and only then is it sent its input and its result. What a host may do otherwise is its
// profile's; this is the one place that acts on it.
import { AppBridge, buildAllowAttribute } from '@modelcontextprotocol/ext-apps/app-bridge'
import type {
  CallToolRequest,
  CallToolResult,
  ContentBlock,
  JSONRPCMessage,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { ViewResource } from './connection.ts'
import { frameTransport } from './frame-transport.ts'
import { passed, type HostProfile } from '../../../server/testing/host/profiles.ts'
import type { HostContext } from '../chat/theme.ts'
import type { WireLog } from './wire.ts'

/** What the host does for a view. */
interface ViewHost {
  callTool(params: CallToolRequest['params']): Promise<CallToolResult>
  readResource(uri: string): Promise<ReadResourceResult>
  /** A line for the chat, as the person's. What becomes of it is the profile's matter. */
  message(text: string): void
  /** Puts a line into the message box; `false` where something else stands there already. */
  prefill(text: string): boolean
  /** Whether the message box is empty. */
  isEmpty(): boolean
  resized(height: number): void
  ready(): void
}

export interface ViewInput {
  readonly view: ViewResource
  readonly args: Readonly<Record<string, unknown>>
  /** `undefined`: the host has forgotten it. */
  readonly result: CallToolResult | undefined
  readonly context: HostContext
  readonly profile: HostProfile
}

export type MountedView = Awaited<ReturnType<typeof mountView>>

/** Puts a view into an iframe that is already in the document. */
export async function mountView(
  frame: HTMLIFrameElement,
  sandbox: string,
  input: ViewInput,
  host: ViewHost,
  wire: WireLog,
) {
  const { profile } = input
  const view = profile.csp === 'strict' ? { ...input.view, csp: undefined } : input.view
  const result = input.result === undefined ? undefined : passed(profile, input.result)
  const bridge = new AppBridge(
    null,
    { name: 'countersign-playground', version: '1' },
    {
      openLinks: {},
      ...(profile.serverTools ? { serverTools: {} } : {}),
      serverResources: {},
      logging: {},
      message: { text: {} },
      sandbox: { csp: view.csp ?? {}, permissions: view.permissions ?? {} },
    },
    { hostContext: contextFor(profile, input.context) },
  )
  let initialized = false
  const handlers: Partial<AppBridge> = {
    onsandboxready: () => {
      void bridge.sendSandboxResourceReady({
        html: view.html,
        ...(view.csp === undefined ? {} : { csp: view.csp }),
        ...(view.permissions === undefined ? {} : { permissions: view.permissions }),
      })
    },
    oninitialized: () => {
      initialized = true
      host.ready()
      if (profile.toolInput) void bridge.sendToolInput({ arguments: { ...input.args } })
      if (result !== undefined && profile.result === 'after-initialize') void bridge.sendToolResult(result)
    },
    onsizechange: ({ height }) => {
      if (height !== undefined && profile.resizes) host.resized(height)
    },
    oncalltool: (params) =>
      profile.serverTools ? host.callTool(params) : Promise.reject(new Error('This host passes no tool calls on.')),
    onreadresource: ({ uri }) => host.readResource(uri),
    onopenlink: ({ url }) => Promise.resolve(openLink(url) ? {} : { isError: true }),
    onrequestdisplaymode: () => Promise.resolve({ mode: 'inline' }),
    onloggingmessage: () => undefined,
    onmessage: ({ content }: { readonly content: readonly ContentBlock[] }) => {
      const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
      if (text.trim() === '') return Promise.resolve({ isError: true })
      return answerMessage(profile, host, text)
    },
  }
  Object.assign(bridge, handlers)

  const query = new URLSearchParams({ host: location.origin })
  if (view.csp !== undefined) query.set('csp', JSON.stringify(view.csp))
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  frame.setAttribute('allow', buildAllowAttribute(view.permissions))
  if (frame.contentWindow === null) throw new Error('The frame is not in the document.')
  const transport = wire.tap('card', frameTransport(frame.contentWindow, sandbox))
  await bridge.connect(transport)
  frame.src = `${sandbox}/sandbox.html?${query.toString()}`
  if (result !== undefined && profile.result === 'before-initialize')
    sendEarly(frame, () => transport.send(resultMessage(result)))

  return {
    update: (context: HostContext) => bridge.setHostContext(contextFor(profile, context)),
    /** Sends a result of another call, as careless hosts do. */
    sendForeign: (other: CallToolResult) => void transport.send(resultMessage(passed(profile, other))),
    /** Tells the view that it goes, and waits for its answer a moment. */
    unmount: async () => {
      if (initialized) await bridge.teardownResource({}, { timeout: 500 }).catch(() => undefined)
      await transport.close()
    },
  }
}

/** What becomes of a view's message in this host. */
function answerMessage(profile: HostProfile, host: ViewHost, text: string): Promise<{ isError?: boolean }> {
  switch (profile.message) {
    case 'turn':
      host.message(text)
      return Promise.resolve({})
    case 'prefill':
      return Promise.resolve(host.prefill(text) ? {} : { isError: true })
    case 'refuse':
      if (!host.isEmpty()) return Promise.resolve({ isError: true })
      host.message(text)
      return Promise.resolve({})
    case 'hang':
      return new Promise(() => {})
    case 'lose':
      return Promise.resolve({})
    default:
      return profile.message satisfies never
  }
}

/** A host that is dark only by its style sheet says nothing of it to a view. */
function contextFor(profile: HostProfile, context: HostContext): HostContext {
  if (profile.theme === 'host') return context
  const { theme: _, styles: __, ...rest } = context
  return rest
}

const resultMessage = (result: CallToolResult): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'ui/notifications/tool-result',
  params: { ...result },
})

/** The bridge waits for the view's greeting; this does not. The inner frame needs a moment to listen at all. */
function sendEarly(frame: HTMLIFrameElement, send: () => Promise<void>): void {
  frame.addEventListener('load', () => [50, 150, 300].forEach((ms) => setTimeout(() => void send(), ms)), {
    once: true,
  })
}

function openLink(url: string): boolean {
  if (!/^https?:\/\//i.test(url)) return false
  window.open(url, '_blank', 'noopener,noreferrer')
  return true
}
