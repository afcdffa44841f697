// Whether a server that said something odd is still there, and still knows this connection's session: a ping says so.
import { isSessionGone, isUnreached, plain } from './call-failure.ts'
import type { Connection } from './connection.ts'

/** How long a ping is waited for. */
const pingTimeoutMs = 5000

/** Why a connection is left whose session the server has forgotten. */
const sessionGone = 'it no longer knows this session'

/** Who keeps the connections. */
interface Owner {
  readonly isInUse: (connection: Connection) => boolean
  /** Whether requests may run over it, though another one is in use. */
  readonly isOpen: (connection: Connection) => boolean
  readonly lost: (connection: Connection, reason: string) => void
  readonly reconnect: (connection: Connection, reason: string) => Promise<void>
}

interface SessionChecks {
  /** Asks whether the server still knows this connection's session, and opens a new one where it does not. */
  readonly renew: (held: Connection, signal: AbortSignal) => Promise<void>
  /**
   * A remote stream that broke says nothing of the server behind it; a ping does. Calls that run end with the close, but not where
   * the session alone is gone: the server may still answer them, where each has a stream of its own.
   */
  readonly examine: (held: Connection, error: Error) => Promise<void>
}

export function createSessionChecks({ isInUse, isOpen, lost, reconnect }: Owner): SessionChecks {
  const probing = new Set<Connection>()
  return {
    renew: async (held, signal) => {
      if (!held.hasSession || !isInUse(held)) return
      try {
        await held.request('ping', {}, { timeoutMs: pingTimeoutMs, signal })
      } catch (error) {
        // Any other answer, or none: it is not the ping that decides whether the server works.
        if (isSessionGone(error, held)) await reconnect(held, sessionGone)
        else if (isUnreached(error)) lost(held, plain(error))
      }
    },
    examine: async (held, error) => {
      if (held.identity.transport === 'stdio' || probing.has(held) || !isOpen(held)) return
      if (!/disconnect|reconnect|terminated|SSE/i.test(error.message)) return
      probing.add(held)
      try {
        await held.request('ping', {}, { timeoutMs: pingTimeoutMs })
      } catch (trouble) {
        if (held.identity.transport === 'sse' || !isSessionGone(trouble, held))
          lost(held, `it does not answer any more (${plain(trouble)})`)
        else if (isInUse(held)) await reconnect(held, sessionGone)
      } finally {
        probing.delete(held)
      }
    },
  }
}
