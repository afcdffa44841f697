// A list is asked for when its page opens, again when something happened, and once more when a filter changes; answers
// may overtake each other, and a failure must not take away what is already on the screen. One reducer holds all of it.
import { useEffect, useReducer, useRef } from 'preact/hooks'
import type { Answer, Trouble } from './answer.ts'

export type Loaded<T> =
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
  /** Asks again; what is shown stays until the answer is here. */
  readonly reload: () => void
  /** Puts a value that came in another way: the answer to a change. */
  readonly put: (value: T) => void
}

/**
 * Asks when the page opens and whenever `key` changes; a change of `turn` asks again and keeps what is shown. Answers to
 * older questions are dropped.
 */
export const useLoaded = <T>(key: string, ask: () => Promise<Answer<T>>, turn = 0): Loading<T> => {
  const [state, dispatch] = useReducer<Loaded<T>, Event<T>>(reduce, { at: 'loading' })
  const asked = useRef(0)
  const shown = useRef<string | undefined>(undefined)
  const latest = useRef(ask)
  latest.current = ask

  const start = (fresh: boolean): void => {
    const mine = ++asked.current
    dispatch({ type: 'asked', fresh })
    void latest.current().then((answer) => {
      if (mine === asked.current) dispatch({ type: 'answered', answer })
    })
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

  return {
    state,
    reload: () => start(false),
    put: (value) => {
      asked.current += 1
      dispatch({ type: 'put', value })
    },
  }
}
