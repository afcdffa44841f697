// A list is asked for when its page opens, again when something happened, and once more when a filter changes; answers
// may overtake each other, and a failure must not take away what is already on the screen. One reducer holds all of it.
import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { Answer, Trouble } from './answer.ts'
import type { Api, Client, Given } from './client.ts'

type Loaded<T> =
  | { readonly at: 'loading' }
  /** `stale`: asked again, or asked again in vain; `trouble` says why. */
  | { readonly at: 'ready'; readonly value: T; readonly stale: boolean; readonly trouble: Trouble | undefined }
  | { readonly at: 'failed'; readonly trouble: Trouble }

type Event<T> =
  | { readonly type: 'asked'; readonly fresh: boolean }
  | { readonly type: 'answered'; readonly answer: Answer<T> }
  | { readonly type: 'put'; readonly value: T }

const reduce = <T>(state: Loaded<T>, event: Event<T>): Loaded<T> => {
  switch (event.type) {
    case 'asked':
      return event.fresh || state.at !== 'ready' ? { at: 'loading' } : { ...state, stale: true }
    case 'answered':
      if (event.answer.ok) return { at: 'ready', value: event.answer.value, stale: false, trouble: undefined }
      return state.at === 'ready'
        ? { ...state, stale: true, trouble: event.answer.trouble }
        : { at: 'failed', trouble: event.answer.trouble }
    case 'put':
      return { at: 'ready', value: event.value, stale: false, trouble: undefined }
    default:
      return event satisfies never
  }
}

export interface Loading<T> {
  readonly state: Loaded<T>
  /** What is shown; nothing while it is loading, or could not be loaded. */
  readonly value: T | undefined
  /** Asks again; what is shown stays until the answer is here. */
  readonly reload: () => void
  /** Puts a value that came in another way: the answer to a change. */
  readonly put: (value: T) => void
}

type Asking = Pick<Client, 'ask'>

/** How often a page asks again while it waits for something, or for the server, in milliseconds. */
const everyLook = 5_000

/** Counts up when the page is shown again, and every few seconds while it is shown and something on it is waited for. */
export function useLooks(isWaiting: boolean): number {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) setLooks((count) => count + 1)
    }
    document.addEventListener('visibilitychange', look)
    const timer = isWaiting ? setInterval(look, everyLook) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [isWaiting])
  return looks
}

/**
 * Calls a route when the page opens and whenever `key` changes; a change of `turn` calls again and keeps what is shown.
 * Answers to older questions are dropped. Where the server did not answer, it is asked again until it does.
 */
export const useLoaded = <Response>(
  app: Asking,
  key: string,
  call: (api: Api) => Promise<Response>,
  turn = 0,
): Loading<Given<Response>> => {
  type T = Given<Response>
  const [state, dispatch] = useReducer<Loaded<T>, Event<T>>(reduce, { at: 'loading' })
  const asked = useRef(0)
  const shown = useRef<string | undefined>(undefined)
  const latest = useRef(call)
  latest.current = call

  const ask = (): void => {
    const mine = ++asked.current
    void app.ask(latest.current).then((answer) => {
      if (mine === asked.current) dispatch({ type: 'answered', answer })
    })
  }
  const start = (fresh: boolean): void => {
    dispatch({ type: 'asked', fresh })
    ask()
  }

  useEffect(() => {
    start(shown.current !== key)
    shown.current = key
  }, [key, turn])
  useEffect(
    () => () => {
      asked.current = -1
    },
    [],
  )

  // The frame around the pages says that they come back by themselves. What is shown stays until the server answers.
  const isAway = state.at !== 'loading' && state.trouble?.kind === 'offline'
  useEffect(() => {
    if (!isAway) return undefined
    const again = (): void => {
      if (!document.hidden) ask()
    }
    addEventListener('online', again)
    const timer = setInterval(again, everyLook)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [isAway])

  return {
    state,
    value: state.at === 'ready' ? state.value : undefined,
    reload: () => start(false),
    put: (value) => {
      asked.current += 1
      dispatch({ type: 'put', value })
    },
  }
}

interface Further<T> {
  readonly key: string
  readonly pages: readonly T[]
  readonly busy: boolean
}

export interface Pages<T> {
  readonly first: Loading<T>
  /** Those that were asked for after the first one, with the same key. */
  readonly further: readonly T[]
  readonly busy: boolean
  /** Asks for the page after this cursor. */
  readonly more: (before: string) => void
}

/** A list that the server gives page by page: the first by `useLoaded`, others when they are asked for. */
export const usePages = <Response>(
  app: Asking,
  key: string,
  call: (api: Api, before?: string) => Promise<Response>,
  turn = 0,
): Pages<Given<Response>> => {
  const none: Further<Given<Response>> = { key, pages: [], busy: false }
  const first = useLoaded(app, key, call, turn)
  const [given, set] = useState(none)
  const own = given.key === key ? given : none
  const more = async (before: string): Promise<void> => {
    set({ ...own, busy: true })
    const answer = await app.ask((api) => call(api, before))
    // The pages belong to the filters that they were asked with.
    set((now) =>
      now.key === key ? { key, pages: answer.ok ? [...now.pages, answer.value] : now.pages, busy: false } : now,
    )
  }
  return { first, further: own.pages, busy: own.busy, more: (before) => void more(before) }
}
