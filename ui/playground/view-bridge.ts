// One view, from an empty iframe to its undo. The order is the specification's: the sandbox says it is ready, gets the
// HTML, the view initialises, and only then is it sent its input and its result.
import { AppBridge, buildAllowAttribute } from '@modelcontextprotocol/ext-apps/app-bridge'
import type {
  CallToolRequest,
  CallToolResult,
  ContentBlock,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { ViewResource } from './connection.ts'
import { frameTransport } from './frame-transport.ts'
import type { HostContext } from './theme.ts'
import type { WireLog } from './wire.ts'

/** What the host does for a view. */
export interface ViewHost {
  callTool(params: CallToolRequest['params']): Promise<CallToolResult>
  readResource(uri: string): Promise<ReadResourceResult>
  /** A line for the chat, as the person's. */
  message(text: string): void
  resized(height: number): void
  ready(): void
}

export interface ViewInput {
  readonly view: ViewResource
  readonly args: Readonly<Record<string, unknown>>
  readonly result: CallToolResult
  readonly context: HostContext
}

export interface MountedView {
  update(context: HostContext): void
  /** Tells the view that it goes, and waits for its answer a moment. */
  unmount(): Promise<void>
}

/** The part of AppBridge's callbacks that this host answers. */
interface Handlers {
  onsandboxready(): void
  oninitialized(): void
  onsizechange(size: { readonly height?: number }): void
  oncalltool(params: CallToolRequest['params']): Promise<CallToolResult>
  onreadresource(params: { readonly uri: string }): Promise<ReadResourceResult>
  onopenlink(params: { readonly url: string }): Promise<{ isError?: boolean }>
  onrequestdisplaymode(): Promise<{ mode: string }>
  onloggingmessage(): void
  onmessage(params: { readonly content: readonly ContentBlock[] }): Promise<{ isError?: boolean }>
}

/** Puts a view into an iframe that is already in the document. */
export async function mountView(
  frame: HTMLIFrameElement,
  sandbox: string,
  input: ViewInput,
  host: ViewHost,
  wire: WireLog,
): Promise<MountedView> {
  const { view } = input
  const bridge = new AppBridge(
    null,
    { name: 'countersign-playground', version: '1' },
    {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      message: { text: {} },
      sandbox: { csp: view.csp ?? {}, permissions: view.permissions ?? {} },
    },
    { hostContext: input.context },
  )
  let initialized = false
  const handlers: Handlers = {
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
      void bridge.sendToolInput({ arguments: { ...input.args } })
      void bridge.sendToolResult(input.result)
    },
    onsizechange: ({ height }) => {
      if (height !== undefined) host.resized(height)
    },
    oncalltool: (params) => host.callTool(params),
    onreadresource: ({ uri }) => host.readResource(uri),
    onopenlink: ({ url }) => Promise.resolve(openLink(url) ? {} : { isError: true }),
    onrequestdisplaymode: () => Promise.resolve({ mode: 'inline' }),
    onloggingmessage: () => undefined,
    onmessage: ({ content }) => {
      const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
      if (text.trim() === '') return Promise.resolve({ isError: true })
      host.message(text)
      return Promise.resolve({})
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

  return {
    update: (context) => bridge.setHostContext(context),
    unmount: async () => {
      if (initialized) await bridge.teardownResource({}, { timeout: 500 }).catch(() => undefined)
      await transport.close()
    },
  }
}

function openLink(url: string): boolean {
  if (!/^https?:\/\//i.test(url)) return false
  window.open(url, '_blank', 'noopener,noreferrer')
  return true
}
