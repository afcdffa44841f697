// Reads the first message of a connection before a protocol server exists for it: what the server answers to `initialize`, and
// what it may tell its upstreams, depends on the client, which says who it is in that message. So does the protocol's version.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { capabilitiesIn, isModern } from './modern/protocol-server.ts'

interface FirstFacts {
  /** What the client can do, as it says. */
  readonly capabilities: unknown
  /** Whether it speaks a version of the protocol without `initialize`. */
  readonly isModern: boolean
}

export interface FirstMessage {
  /** `undefined` where the first message says nothing of the client, or never comes. */
  readonly first: Promise<FirstFacts | undefined>
  /** The same connection for the protocol server, with all messages since the first. */
  readonly transport: Transport
  /** Says that no message will come. */
  readonly end: () => void
}

/** Starts a connection and keeps its messages until a protocol server is connected. */
export function readFirstMessage(inner: Transport, onError: (error: Error) => void): FirstMessage {
  const held: JSONRPCMessage[] = []
  const first = Promise.withResolvers<FirstFacts | undefined>()
  inner.onmessage = (message: JSONRPCMessage) => {
    held.push(message)
    if (isInitializeRequest(message)) first.resolve({ capabilities: message.params.capabilities, isModern: false })
    else first.resolve(isModern(message) ? { capabilities: capabilitiesIn(message), isModern: true } : undefined)
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
