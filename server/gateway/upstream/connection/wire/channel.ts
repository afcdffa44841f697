// A server behind over stdio says by its answer to `server/discover` which generation of the protocol it speaks, and only then
// is it known whose client takes over the pipe (specification 2026-07-28, "stdio", "Backward Compatibility"). So the pipe is
// opened here, asked, and handed to that client, which may give it back where its `initialize` is refused.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { discoverRequest, readDiscovered, type Found } from './generation.ts'
import type { WireParts } from './wire.ts'

const id = 'countersign-discover'

/** What a client is given to speak through. */
export interface Attached extends Transport {
  /** Its close ends the server from now on. */
  own(): void
}

/** The way to one server whose generation is not known yet. */
export interface Channel {
  /**
   * Asks which versions the server speaks, and waits so long for its answer; an earlier one counts, too. Throws the reason
   * of the signal of `parts` where the attempt is called off meanwhile.
   */
  discover(parts: WireParts, withinMs: number): Promise<Found>
  /** For a client that says `initialize`. `keep`: its close does not end the server. */
  older(settings: { readonly keep: boolean }): Attached
  /** For one that does not. */
  modern(): Transport | Promise<Transport>
}

/** The pipe to one server over stdio. A client that is given it takes it from the one before, which hears nothing any more. */
export function createChannel(transport: Transport): Channel {
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

  function attach({ keep }: { readonly keep: boolean }): Attached {
    let keeps = keep
    const attached: Attached = {
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
  }

  return {
    async discover(parts, withinMs) {
      const answered = Promise.withResolvers<void>()
      const { signal } = parts
      tell = answered.resolve
      signal.addEventListener('abort', tell, { once: true })
      await start()
      signal.throwIfAborted()
      const asked = heard !== undefined || isOver
      if (asked) answered.resolve()
      else void transport.send(discoverRequest(id, parts)).catch(() => answered.resolve())
      const timer = setTimeout(answered.resolve, withinMs)
      await answered.promise
      clearTimeout(timer)
      signal.removeEventListener('abort', tell)
      signal.throwIfAborted()
      return heard ?? { kind: isOver ? 'ended' : 'silent' }
    },
    older: attach,
    modern: () => attach({ keep: false }),
  }
}
