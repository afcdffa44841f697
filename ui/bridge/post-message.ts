// Anyone who holds a window can post to it, so nothing is believed before its source is known: `event.source` must be
// the parent, then the message must be JSON-RPC 2.0, then it must be one that this view knows. All else is ignored
// without a word. Protocol: MCP Apps 2026-01-26, spoken without a library so that the frame stays small.
import { mergeContext } from './context.ts'
import type { Host, HostContext, HostListener, MessageAnswer, ToolAnswer, ToolResult, Welcome } from './host.ts'
import { isRecord, textOf } from './record.ts'

const PROTOCOL_VERSION = '2026-01-26'
const METHOD_NOT_FOUND = -32601

/** How long each kind of question may stay unanswered, in milliseconds. */
export interface Patience {
  readonly message: number
  readonly tool: number
  readonly link: number
}

/** What the bridge needs of a window; the real one fits. */
export interface Frame {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

type Reply =
  | { readonly kind: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly reason: string | undefined }
  | { readonly kind: 'timeout' }

type Arrival = (listener: HostListener) => void

/** Reads a tool result, or nothing when it is not even an object. */
export const readToolResult = (value: unknown): ToolResult | undefined => {
  if (!isRecord(value)) return undefined
  return {
    content: Array.isArray(value['content']) ? value['content'] : [],
    structuredContent: isRecord(value['structuredContent']) ? value['structuredContent'] : undefined,
    meta: isRecord(value['_meta']) ? value['_meta'] : {},
    isError: value['isError'] === true,
  }
}

/** Where hosts put the reason of a refusal: nowhere, in a text block, or in a field of their own. */
const refusal = (result: Readonly<Record<string, unknown>>): string | undefined => {
  const blocks = Array.isArray(result['content']) ? result['content'] : []
  const said = blocks.map((block) => (isRecord(block) ? textOf(block['text']) : undefined)).find(Boolean)
  return said ?? textOf(result['message']) ?? textOf(result['error'])
}

/** Connects to the window's parent. `close` stops listening; questions still open end as timeouts. */
export const createPostMessageHost = (
  frame: Frame,
  appInfo: { readonly name: string; readonly version: string },
  patience: Patience = { message: 10_000, tool: 10_000, link: 10_000 },
): Host & { close(): void } => {
  const waiting = new Map<number, (reply: Reply) => void>()
  const listeners = new Set<HostListener>()
  let early: Arrival[] = []
  let context: HostContext = { variables: {} }
  let lastId = 0

  const post = (message: Record<string, unknown>): void => frame.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

  const ask = (method: string, params: unknown, timeout?: number): Promise<Reply> =>
    new Promise((resolve) => {
      const id = ++lastId
      const timer = timeout === undefined ? undefined : setTimeout(() => settle({ kind: 'timeout' }), timeout)
      const settle = (reply: Reply): void => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(reply)
      }
      waiting.set(id, settle)
      post({ id, method, params })
    })

  const tell = (arrival: Arrival): void => {
    if (listeners.size === 0) early.push(arrival)
    for (const listener of listeners) arrival(listener)
  }

  const changeContext = (news: unknown): void => {
    context = mergeContext(context, news)
    // Who hears it late hears what has come since.
    tell((listener) => listener.onContextChanged?.(context))
  }

  const noticed = (method: string, params: Record<string, unknown>): void => {
    switch (method) {
      case 'ui/notifications/tool-result': {
        const result = readToolResult(params)
        return result && tell((listener) => listener.onToolResult?.(result))
      }
      case 'ui/notifications/tool-cancelled':
        return tell((listener) => listener.onToolCancelled?.(textOf(params['reason'])))
      case 'ui/notifications/host-context-changed':
        return changeContext(params)
    }
  }

  const asked = (id: string | number, method: string): void => {
    if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} })
    else post({ id, error: { code: METHOD_NOT_FOUND, message: `This view does not know ${method}` } })
  }

  const answered = (id: unknown, message: Record<string, unknown>): void => {
    const settle = typeof id === 'number' ? waiting.get(id) : undefined
    if (!settle) return
    if (isRecord(message['result'])) settle({ kind: 'result', result: message['result'] })
    else if (isRecord(message['error'])) settle({ kind: 'error', reason: textOf(message['error']['message']) })
  }

  const receive = (event: MessageEvent): void => {
    if (event.source !== frame.parent) return
    const message: unknown = event.data
    if (!isRecord(message) || message['jsonrpc'] !== '2.0') return
    const { id, method } = message
    if (typeof method !== 'string') return answered(id, message)
    if (typeof id === 'string' || typeof id === 'number') return asked(id, method)
    if (id === undefined) noticed(method, isRecord(message['params']) ? message['params'] : {})
  }

  frame.addEventListener('message', receive)

  return {
    async initialize(): Promise<Welcome> {
      const reply = await ask('ui/initialize', {
        appInfo,
        appCapabilities: { availableDisplayModes: ['inline'] },
        protocolVersion: PROTOCOL_VERSION,
      })
      if (reply.kind !== 'result') return { serverTools: false, context }
      const { hostCapabilities, hostContext } = reply.result
      context = mergeContext(context, hostContext)
      post({ method: 'ui/notifications/initialized', params: {} })
      return { serverTools: isRecord(hostCapabilities) && isRecord(hostCapabilities['serverTools']), context }
    },

    async sendMessage(message): Promise<MessageAnswer> {
      // An array with one block: the specification's text shows a bare block, its schema and every host want the array.
      const params = { role: 'user', content: [{ type: 'text', text: message }] }
      const reply = await ask('ui/message', params, patience.message)
      if (reply.kind === 'timeout') return reply
      if (reply.kind === 'error') return { kind: 'refused', reason: reply.reason }
      return reply.result['isError'] === true
        ? { kind: 'refused', reason: refusal(reply.result) }
        : { kind: 'accepted' }
    },

    async callTool(name, args): Promise<ToolAnswer> {
      const reply = await ask('tools/call', { name, arguments: args }, patience.tool)
      if (reply.kind === 'timeout') return reply
      const result = reply.kind === 'result' ? readToolResult(reply.result) : undefined
      return result
        ? { kind: 'answered', result }
        : { kind: 'refused', reason: reply.kind === 'error' ? reply.reason : undefined }
    },

    async openLink(url): Promise<boolean> {
      const reply = await ask('ui/open-link', { url }, patience.link)
      return reply.kind === 'result' && reply.result['isError'] !== true
    },

    sizeChanged: (height) => post({ method: 'ui/notifications/size-changed', params: { height } }),

    listen(listener): () => void {
      listeners.add(listener)
      const missed = early
      early = []
      for (const arrival of missed) arrival(listener)
      return () => void listeners.delete(listener)
    },

    close(): void {
      frame.removeEventListener('message', receive)
      for (const settle of waiting.values()) settle({ kind: 'timeout' })
    },
  }
}
