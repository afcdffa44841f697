// Reads the first message of a connection before a protocol server exists for it: what the server answers to `initialize`, and
// what it may tell its upstreams, depends on the client, which says who it is in that message.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isInitializeRequest, type InitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

export interface FirstMessage {
  /** The params of `initialize`; `undefined` where the first message is another one or never comes. */
  readonly first: Promise<InitializeRequest['params'] | undefined>
  /** The same connection for the protocol server, with all messages since the first. */
  readonly transport: Transport
  /** Says that no message will come. */
  readonly end: () => void
}

/** Starts a connection and keeps its messages until a protocol server is connected. */
export function readFirstMessage(inner: Transport, onError: (error: Error) => void): FirstMessage {
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
