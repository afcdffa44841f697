import { useReducer } from 'preact/hooks'

/** The state of a form, and a function that lays changes over it. */
export const useFormState = <State extends object>(first: State): [State, (change: Partial<State>) => void] =>
  useReducer((state: State, change: Partial<State>) => ({ ...state, ...change }), first)
