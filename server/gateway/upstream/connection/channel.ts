// A server behind over stdio says by its answer to `server/discover` which generation of the protocol it speaks, and only then
// is it known whose client takes over the pipe (specification 2026-07-28, "stdio", "Backward Compatibility"). So the pipe is
// opened here, asked, and handed to that client, which may give it back where its `initialize` is refused.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { modernVersion, readDiscovered, type Found } from './generation.ts'
import type { WireParts } from './wire.ts'

const id = 'countersign-discover'

export type Channel = ReturnType<typeof createChannel>

/** The pipe to one server. */
export function createChannel(transport: Transport) {
  let client: Transport | undefined
  let started: Promise<void> | undefined
  let isOver = false
  let heard: Found | undefined
  let tell: (() => void) | undefined

  transport.onmessage = (message, extra) => {
    if (!('method' in message) && 'id' in message && message.id === id) heard = readDiscovered(message)
    else client?.onmessage?.(message, extra)
    if (heard !== undefined) tell?.()
  }
  transport.onerror = (error) => client?.onerror?.(error)
  transport.onclose = () => {
    isOver = true
    tell?.()
    client?.onclose?.()
  }
  const start = (): Promise<void> => (started ??= transport.start())

  return {
    /** Asks which versions the server speaks, and waits so long for its answer; an earlier one counts, too. */
    async discover({ version, downstream }: WireParts, withinMs: number): Promise<Found> {
      const answered = Promise.withResolvers<void>()
      tell = answered.resolve
      await start()
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': modernVersion,
        'io.modelcontextprotocol/clientInfo': { name: 'countersign', version },
        'io.modelcontextprotocol/clientCapabilities': downstream?.capabilities ?? {},
      }
      const asked = heard !== undefined || isOver
      if (asked) answered.resolve()
      else
        void transport
          .send({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta } })
          .catch(() => answered.resolve())
      const timer = setTimeout(answered.resolve, withinMs)
      await answered.promise
      clearTimeout(timer)
      return heard ?? { kind: isOver ? 'ended' : 'silent' }
    },
    /** What a client is given to speak through; the one before hears nothing any more. `keep`: its close does not end the server. */
    attach({ keep }: { readonly keep: boolean }): Transport & { own(): void } {
      let keeps = keep
      const attached: Transport & { own(): void } = {
        start,
        send: (message, options) => transport.send(message, options),
        close: async () => {
          if (!keeps) return transport.close()
          if (client === attached) client = undefined
          attached.onclose?.()
        },
        own: () => void (keeps = false),
      }
      client = attached
      return attached
    },
  }
}
