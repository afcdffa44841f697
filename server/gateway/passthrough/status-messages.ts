// A client hears as a log message when a server behind goes away and when it is back: once each, and not at each of a hundred
// attempts to start it.
import { statusSentence } from '../upstream/status.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Passed } from './resources-and-prompts.ts'

/** Remembers which servers are away. */
export function createStatusMessages() {
  const away = new Set<Upstream>()
  const message = (upstream: Upstream, level: 'warning' | 'notice'): Passed => ({
    level,
    logger: 'countersign',
    data: statusSentence(upstream, Date.now()),
  })
  return {
    /** What to tell clients of this server's new state, if anything. */
    of(upstream: Upstream): Passed | undefined {
      const { kind } = upstream.state()
      if (kind === 'ready') return away.delete(upstream) ? message(upstream, 'notice') : undefined
      if ((kind !== 'restarting' && kind !== 'failed') || away.has(upstream)) return undefined
      away.add(upstream)
      return message(upstream, 'warning')
    },
    /** What to tell a client that has just come: of each server that is not there. */
    now: (upstreams: readonly Upstream[]): readonly (readonly [Upstream, Passed])[] =>
      upstreams
        .filter((upstream) => !['ready', 'idle', 'closed'].includes(upstream.state().kind))
        .map((upstream) => {
          away.add(upstream)
          return [upstream, message(upstream, 'warning')] as const
        }),
  }
}
