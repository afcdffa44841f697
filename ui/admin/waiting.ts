// The number beside "Approvals" must be right without anybody reloading: the server says when it changes, and where the
// stream cannot be had (a proxy that buffers, an old server), the list is asked for every few seconds instead. So it is in
// tabs that nobody looks at, because a browser has only six connections to a server and each stream takes one for good.
import { useEffect, useReducer } from 'preact/hooks'
import type { Client } from './client.ts'
import { listenWhileVisible } from './events.ts'
import type { Waiting } from './context.ts'

const EVERY = 5_000
const EVERY_UNSEEN = 15_000

/** What `GET /approvals/events` says. */
interface WaitingEvent {
  readonly pending: number
  readonly newest?: string
}

const reduce = (state: Waiting, now: WaitingEvent): Waiting =>
  state.pending === now.pending && state.newest === now.newest
    ? state
    : { pending: now.pending, newest: now.newest, turn: state.turn + 1 }

/** Follows the approvals that wait, while somebody is signed in. */
export const useWaiting = (client: Client, signedIn: boolean): Waiting => {
  const [waiting, tell] = useReducer<Waiting, WaitingEvent>(reduce, { pending: undefined, newest: undefined, turn: 0 })
  useEffect(() => {
    if (!signedIn) return undefined
    const poll = async (): Promise<void> => {
      const answer = await client.ask((api) => api.approvals.$get({ query: { state: 'pending', limit: '200' } }))
      if (!answer.ok) return
      const { approvals } = answer.value
      tell({ pending: approvals.length, ...(approvals[0] === undefined ? {} : { newest: approvals[0].id }) })
    }
    let timer: ReturnType<typeof setInterval> | undefined
    const pollEvery = (ms: number | undefined): void => {
      clearInterval(timer)
      timer = ms === undefined ? undefined : setInterval(() => void poll(), ms)
    }
    const start = () =>
      client.listen('/approvals/events', {
        event: (name, data) => name === 'approvals' && tell(data as WaitingEvent),
        line: (up) => pollEvery(up ? undefined : EVERY),
      })
    const stop = listenWhileVisible(start, (visible) => {
      void poll()
      pollEvery(visible ? EVERY : EVERY_UNSEEN)
    })
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [client, signedIn])
  return waiting
}
