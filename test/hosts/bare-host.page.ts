// The host's side of the frame, in the page: the official AppBridge around one sandboxed iframe, as bare as a host can
// be. What it does with a message, and what it leaves out, is set from the test.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Behaviour, HostContext, WireEntry } from './bare-host.ts'

declare global {
  interface Window {
    bareHost: ReturnType<typeof createHost>
    /** Answered by the test's process. */
    bareHostCallTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>
    bareHostMessage(text: string): Promise<void>
    bareHostLink(url: string): Promise<void>
  }
}

/** Everything that crosses the frame, in order, from the side of the host. */
const recording = (inner: Transport, wire: WireEntry[]): Transport => {
  const outer: Transport = {
    start: async () => {
      inner.onmessage = (message, extra) => {
        wire.push({ from: 'card', message })
        outer.onmessage?.(message, extra)
      }
      inner.onclose = () => outer.onclose?.()
      inner.onerror = (error) => outer.onerror?.(error)
      await inner.start()
    },
    send: (message, options) => {
      wire.push({ from: 'host', message })
      return inner.send(message, options)
    },
    close: () => inner.close(),
  }
  return outer
}

const never = new Promise<never>(() => {})

const createHost = () => {
  const wire: WireEntry[] = []
  const composer = document.querySelector('textarea') as HTMLTextAreaElement
  let behaviour: Behaviour | undefined
  let bridge: AppBridge | undefined
  let transport: Transport | undefined
  let frame: HTMLIFrameElement | undefined

  const textIn = (content: readonly unknown[]): string =>
    content.map((block) => (block as { text?: string }).text ?? '').join('\n')

  const onMessage = async (text: string): Promise<{ isError?: boolean; content?: unknown }> => {
    switch (behaviour?.message) {
      case 'refuse':
        return { isError: true, content: [{ type: 'text', text: 'The message box is not empty' }] }
      case 'error':
        throw new Error('Messages from cards are not allowed here')
      case 'hang':
        return never
      case 'prefill':
        composer.value = text
        return {}
      case 'lose':
        return {}
      default:
        await window.bareHostMessage(text)
        return {}
    }
  }

  const mount = async (frameUrl: string, settings: Behaviour): Promise<void> => {
    behaviour = settings
    frame?.remove()
    frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.style.width = `${settings.width}px`
    document.querySelector('main')?.append(frame)
    const target = frame.contentWindow as Window
    const next = new AppBridge(
      null,
      { name: 'bare-host', version: '1' },
      { openLinks: {}, ...(settings.serverTools ? { serverTools: {} } : {}) },
      { hostContext: settings.context ?? {} },
    )
    bridge = next
    next.onmessage = ({ content }) => onMessage(textIn(content))
    next.onopenlink = async ({ url }) => {
      await window.bareHostLink(url)
      return settings.links === false ? { isError: true } : {}
    }
    next.oncalltool = ({ name, arguments: args }) => window.bareHostCallTool(name, args ?? {})
    next.onsizechange = ({ height }) => {
      if (frame && height && settings.resize !== false) frame.style.height = `${height}px`
    }
    next.oninitialized = () => {
      if (settings.toolInput !== null) void next.sendToolInput({ arguments: settings.toolInput ?? {} })
      if (settings.result && settings.early !== true) void next.sendToolResult(settings.result)
    }
    await transport?.close()
    transport = recording(new PostMessageTransport(target, target) as Transport, wire)
    await next.connect(transport)
    const loaded = new Promise((resolve) => frame?.addEventListener('load', resolve, { once: true }))
    frame.src = frameUrl
    if (settings.early && settings.result) {
      const { result } = settings
      await loaded
      target.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result }, '*')
      wire.push({
        from: 'host',
        message: { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result },
      })
    }
  }

  return {
    wire,
    mount,
    /** As when the page was loaded: no frame, nothing said, an empty message box. */
    reset: async (): Promise<void> => {
      for (const one of document.querySelectorAll('iframe')) one.remove()
      await transport?.close()
      behaviour = undefined
      bridge = undefined
      frame = undefined
      wire.length = 0
      composer.value = ''
    },
    behave: (change: Partial<Behaviour>): void => {
      if (behaviour) Object.assign(behaviour, change)
    },
    composer: (): string => composer.value,
    sendResult: (result: CallToolResult): Promise<void> | undefined => bridge?.sendToolResult(result),
    cancelTool: (reason: string): Promise<void> | undefined => bridge?.sendToolCancelled({ reason }),
    changeContext: (context: HostContext): void => void bridge?.sendHostContextChange(context),
    teardown: (): Promise<unknown> | undefined => bridge?.teardownResource({}),
    /** Posts anything at all into the frame, as a careless host would. */
    post: (message: unknown): void => frame?.contentWindow?.postMessage(message, '*'),
    /** Posts from another window than the card's parent. It stays: a message of a window that is gone has no source. */
    postFromStranger: (message: unknown): void => {
      const stranger = document.createElement('iframe')
      document.body.append(stranger)
      const index = [...document.querySelectorAll('iframe')].indexOf(frame as HTMLIFrameElement)
      const script = stranger.contentDocument?.createElement('script')
      if (!script) return
      script.textContent = `parent.frames[${index}].postMessage(${JSON.stringify(message)}, '*')`
      stranger.contentDocument?.body.append(script)
    },
  }
}

window.bareHost = createHost()
