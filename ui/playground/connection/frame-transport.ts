// The official PostMessageTransport sends to any origin and prints every message, tickets included, to the console.
// This one speaks to exactly one window on exactly one origin.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

/** Carries JSON-RPC to a frame of the given origin. */
export function frameTransport(frame: Window, origin: string): Transport {
  const transport: Transport = {
    start: () => {
      window.addEventListener('message', receive)
      return Promise.resolve()
    },
    send: (message) => {
      frame.postMessage(message, origin)
      return Promise.resolve()
    },
    close: () => {
      window.removeEventListener('message', receive)
      transport.onclose?.()
      return Promise.resolve()
    },
  }
  function receive(event: MessageEvent<unknown>): void {
    if (event.source !== frame || event.origin !== origin) return
    const parsed = JSONRPCMessageSchema.safeParse(event.data)
    if (parsed.success) transport.onmessage?.(parsed.data)
    else transport.onerror?.(new Error('The view sent something that is not JSON-RPC.'))
  }
  return transport
}
