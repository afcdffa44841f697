// How a server behind us stands, in one line that agents and people read: since when, why, and when it is tried again.
// The server's own last words are not in it, because passwords stand in them; `countersign doctor` shows those.
import { plain } from './connection/call-failure.ts'
import { needText } from './login/login-need.ts'
import type { UpstreamState } from './connection/connection-lifecycle.ts'

/** "down since 14:03:10 UTC (2 min): it ended at once (exit code 3); it is started again in 8 s". `now`: epoch milliseconds. */
export function statusText(state: UpstreamState, now: number): string {
  const { kind, since, awaySince = since, reason } = state
  switch (kind) {
    case 'idle':
      return 'not started yet; the first call of one of its tools starts it'
    case 'ready':
      return 'up'
    case 'closed':
      return 'shut down'
    case 'starting':
      return `starting, ${duration(now - awaySince)} so far`
    case 'restarting':
    case 'failed': {
      if (state.need !== undefined) return `waiting for a login. ${needText(state.need)}`
      const why = reason === undefined ? '' : `: ${plain(reason)}${often(state)}`
      const remedy = state.remedy === undefined ? '' : `; ${state.remedy}`
      return `down since ${clock(awaySince)} (${duration(now - awaySince)})${why}${remedy}; ${nextTry(state, now)}`
    }
    default:
      return kind satisfies never
  }
}

/** Said from the third failure on: before that, waiting helps more often than not. */
const often = ({ failures = 0 }: UpstreamState): string =>
  hasFailedOften({ failures }) ? `, ${failures} times now` : ''

/** Whether waiting alone has not helped so far. */
export const hasFailedOften = ({ failures = 0 }: Pick<UpstreamState, 'failures'>): boolean => failures >= 3

/** The same as a sentence about a server. */
export const statusSentence = (server: { readonly name: string; state(): UpstreamState }, now: number): string =>
  `${server.name} is ${statusText(server.state(), now)}.`

/** Whole seconds until it is worth asking again: when it is tried again, or soon where that is now. */
export function secondsUntilTry({ kind, retryAt }: UpstreamState, now: number): number {
  if (retryAt === undefined) return kind === 'failed' ? late : soon
  return retryAt <= now ? soon : Math.ceil((retryAt - now) / 1000)
}

/** In seconds: what a start takes that is under way, and when to look again at what a person has to put right. */
const [soon, late] = [5, 60]

function nextTry(state: UpstreamState, now: number): string {
  if (state.retryAt === undefined) return 'it is not started again before that'
  return state.retryAt <= now
    ? 'it is being started again now'
    : `it is started again in ${secondsUntilTry(state, now)} s`
}

/** Rounded down, in the largest unit that fits. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

/** The time of day, which with the duration beside it needs no date. */
const clock = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`
