import { useReducer } from 'preact/hooks'

/** What becomes of a state; a function of it where the change rests on what is there. */
export type Change<State> = Partial<State> | ((now: State) => Partial<State>)

/** The state of a form, and a function that lays changes over it. */
export const useFormState = <State extends object>(first: State): [State, (change: Change<State>) => void] =>
  useReducer(
    (state: State, change: Change<State>) => ({
      ...state,
      ...(typeof change === 'function' ? change(state) : change),
    }),
    first,
  )
