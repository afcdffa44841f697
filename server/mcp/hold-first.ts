// What a server says of itself at `initialize`, and what it may tell the servers behind it, depends on the client; and the
// client says who it is in that very message. So the first message is looked at before a protocol server is made for it.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isInitializeRequest, type InitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

export interface Held {
  /** The client's own words, or `undefined` where its first message is another one or never comes. */
  readonly first: Promise<InitializeRequest['params'] | undefined>
  /** The same connection with nothing lost, for the server that is made now. */
  readonly transport: Transport
  /** Nothing more will come. */
  readonly end: () => void
}

/** Starts a connection and holds what arrives until a server takes it. */
export function holdFirst(inner: Transport, onError: (error: Error) => void): Held {
  const held: JSONRPCMessage[] = []
  const first = Promise.withResolvers<InitializeRequest['params'] | undefined>()
  inner.onmessage = (message: JSONRPCMessage) => {
    held.push(message)
    first.resolve(isInitializeRequest(message) ? message.params : undefined)
  }
  inner.onclose = () => first.resolve(undefined)
  inner.onerror = onError
  const transport: Transport = {
    start: () => {
      inner.onmessage = (message, extra) => transport.onmessage?.(message, extra)
      inner.onclose = () => transport.onclose?.()
      inner.onerror = (error) => transport.onerror?.(error)
      for (const message of held.splice(0)) transport.onmessage?.(message)
      return Promise.resolve()
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  inner.start().catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))))
  return { first: first.promise, transport, end: () => first.resolve(undefined) }
}
