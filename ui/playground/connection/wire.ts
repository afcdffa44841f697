// A card that does not do what one expects is understood by looking at what really crossed the frame. This keeps every
// message of every card, and of the connection to the server, in the order in which they happened.
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface WireRecord {
  readonly n: number
  readonly at: number
  /** Which wire: a card's frame, or the connection to the server. */
  readonly link: 'card' | 'server'
  /** True when the host sent it. */
  readonly sent: boolean
  /** The method, or for an answer the method that it answers. */
  readonly method: string
  readonly answer: 'no' | 'result' | 'error'
  readonly message: unknown
}

export type WireLog = ReturnType<typeof createWireLog>

const room = 600

export function createWireLog() {
  let records: readonly WireRecord[] = []
  let n = 0
  const listeners = new Set<() => void>()
  const change = (next: readonly WireRecord[]): void => {
    records = next
    for (const listener of listeners) listener()
  }
  return {
    records: () => records,
    /** How many there were, those that were dropped for room included. */
    count: () => n,
    clear: () => {
      n = 0
      change([])
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** A transport that behaves as the given one and is written down. */
    tap: (link: WireRecord['link'], transport: Transport) => {
      const asked = new Map<string, string>()
      return tapped(transport, (sent, message) => {
        const named = describe(message, sent, asked)
        n += 1
        change([...records.slice(1 - room), { n, at: Date.now(), link, sent, message, ...named }])
      })
    },
  }
}

/** Names a message; an answer is named after its request, which went the other way. */
function describe(
  message: JSONRPCMessage,
  sent: boolean,
  asked: Map<string, string>,
): Pick<WireRecord, 'method' | 'answer'> {
  if ('method' in message) {
    if ('id' in message) asked.set(`${sent}:${message.id}`, message.method)
    return { method: message.method, answer: 'no' }
  }
  const key = `${!sent}:${message.id}`
  const method = asked.get(key) ?? 'unknown request'
  asked.delete(key)
  return { method, answer: 'error' in message ? 'error' : 'result' }
}

function tapped(inner: Transport, seen: (sent: boolean, message: JSONRPCMessage) => void): Transport {
  const outer: Transport = {
    start: () => {
      Object.assign(inner, {
        onmessage: (message, extra) => {
          seen(false, message)
          outer.onmessage?.(message, extra)
        },
        onclose: () => outer.onclose?.(),
        onerror: (error) => outer.onerror?.(error),
      } satisfies Partial<Transport>)
      return inner.start()
    },
    send: (message, options) => {
      seen(true, message)
      return inner.send(message, options)
    },
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    get sessionId() {
      return inner.sessionId
    },
  }
  return outer
}
