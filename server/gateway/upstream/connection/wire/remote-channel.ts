// A remote server is asked for its generation with the headers of a modern request, which no client of `initialize` sends, and
// what it answers stands in the body also where the status is an error (specification 2026-07-28, "Streamable HTTP", "Backward
// Compatibility"). So the question has a transport of its own, and each generation of the SDK another one.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import { needOf } from '../../login/login-need.ts'
import { isUnreached } from '../call-failure.ts'
import type { Attached, Channel } from './channel.ts'
import { discoverRequest, modernVersion, readDiscovered, readRefusal, type Found } from './generation.ts'

/** The transports to one server over HTTP that are made where they are needed. */
export interface RemoteTransports {
  /** For one request with these headers. `seen` is shown what HTTP answers, before the transport reads it. */
  question(headers: Readonly<Record<string, string>>, seen: (response: Response) => Promise<void>): Transport
  /** For a client of the SDK's second generation. */
  modern(): Promise<Transport>
}

const id = 'countersign-discover'

const headers = { 'mcp-protocol-version': modernVersion, 'mcp-method': 'server/discover' } as const

const refusal = z.looseObject({ error: z.unknown() })

/** The way to one server over HTTP. `older`: the transport of a client that says `initialize`. */
export function createRemoteChannel(older: Transport, remote: RemoteTransports): Channel {
  return {
    async discover(parts, withinMs) {
      const answered = Promise.withResolvers<Found>()
      const asking = remote.question(headers, async (response) => {
        // A redirect within its origin is followed, and what it leads to counts. Any other one is thrown where it is sent.
        if (response.status >= 300 && response.status < 400) return
        if (!response.ok) answered.resolve(await readError(response.clone()))
        // Taken for a notification.
        else if (response.status === 202) answered.resolve({ kind: 'older' })
      })
      asking.onmessage = (message) => {
        if (!('method' in message) && message.id === id) answered.resolve(readDiscovered(message))
      }
      const timer = setTimeout(() => answered.resolve({ kind: 'silent' }), withinMs)
      const { signal } = parts
      // How a request ends that is torn off would be taken for an answer of an older server.
      const callOff = (): void => answered.reject(signal.reason)
      try {
        await asking.start()
        signal.throwIfAborted()
        signal.addEventListener('abort', callOff, { once: true })
        asking.send(discoverRequest(id, parts)).catch((error: unknown) => {
          // Whatever is said to it next would end the same way.
          if (needOf(error) !== undefined || isUnreached(error)) answered.reject(error)
          else answered.resolve({ kind: 'older' })
        })
        return await answered.promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', callOff)
        await asking.close()
      }
    },
    older: () => Object.assign(older, { own: () => undefined }) satisfies Attached,
    modern: () => remote.modern(),
  }
}

/** What a status of an error says, with its body. */
async function readError(response: Response): Promise<Found> {
  const body: unknown = await response.json().catch(() => undefined)
  return readRefusal(refusal.safeParse(body).data?.error)
}
