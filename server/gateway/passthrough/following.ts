// Many clients follow the same resource over one connection to its server, and come and go at the same time: who reconnects
// opens the next stream before the last one is closed. So the server is told that nobody follows a resource any more
// only while nobody asks for it, and who asks for it meanwhile waits for that.
import { ok, type Result } from '../../errors/result.ts'
import type { CallFailure } from '../upstream/connection/call-failure.ts'
import type { Upstream } from '../upstream/upstream.ts'

type Server = Pick<Upstream, 'name' | 'request'>

/** What this process has asked one server for about one resource. */
interface Asked {
  /** How many ask the server to tell of it now. */
  asking: number
  /** Whether the server may be telling of it. */
  isHeld: boolean
  /** That the server is told to stop, while that lasts. */
  ending?: Promise<void>
}

/** What servers are asked to tell of. `isWanted` says whether a client waits for it, or has asked for it. */
export function createFollowing<S extends Server>(
  isWanted: (upstream: S, uri: string) => boolean,
  report: (error: unknown, where: string) => void,
) {
  const servers = new Map<S, Map<string, Asked>>()

  function askedOf(upstream: S, uri: string): Asked {
    const known = servers.get(upstream) ?? new Map<string, Asked>()
    servers.set(upstream, known)
    const asked = known.get(uri) ?? { asking: 0, isHeld: false }
    known.set(uri, asked)
    return asked
  }

  function tidy(upstream: S, uri: string, { asking, isHeld, ending }: Asked): void {
    if (asking === 0 && !isHeld && ending === undefined) servers.get(upstream)?.delete(uri)
  }

  async function end(upstream: S, uri: string): Promise<void> {
    const answer = await upstream.request('resources/unsubscribe', { uri })
    if (!answer.ok) report(new Error(answer.failure.message), `unsubscribing from ${upstream.name}`)
  }

  return {
    /** Asks the server to tell of a resource. The client that asks has put it down before, and calls `release` if it is refused. */
    async follow(upstream: S, uri: string, signal?: AbortSignal): Promise<Result<void, CallFailure>> {
      const asked = askedOf(upstream, uri)
      // From here on no other end begins.
      asked.asking++
      try {
        await asked.ending
        const answer = await upstream.request('resources/subscribe', { uri }, signal === undefined ? {} : { signal })
        asked.isHeld ||= answer.ok || mayHaveAgreed(answer.failure)
        return answer.ok ? ok(undefined) : answer
      } finally {
        asked.asking--
        tidy(upstream, uri, asked)
      }
    },
    /** Tells the server to stop where nobody wants a resource any more. Where somebody is just asking for it, they do so after. */
    async release(upstream: S, uri: string): Promise<void> {
      const asked = servers.get(upstream)?.get(uri)
      if (asked === undefined || asked.asking > 0 || isWanted(upstream, uri)) return
      if (asked.ending === undefined && asked.isHeld) {
        asked.isHeld = false
        asked.ending = end(upstream, uri).finally(() => {
          delete asked.ending
          tidy(upstream, uri, asked)
        })
      }
      await asked.ending
    },
  }
}

/** Nobody on this side can say whether the server has agreed: it was asked, and has not answered with an error, which refuses. */
const mayHaveAgreed = ({ effect, kind }: CallFailure): boolean => effect === 'may-have-happened' && kind !== 'error'
