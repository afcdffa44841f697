// What the activity log says of a call: one row, as it is listed and as it is read with everything.
import { outcomes, type Outcome } from '../../../model/outcome.ts'
import type { toBrief, toLine } from './row.ts'

/**
 * What a row says of its call: an outcome, `open` while it runs, `unknown` where its end was never written because the
 * process died.
 */
export type Status = Outcome | 'open' | 'unknown'

/** All that can be said of a row's state, for whoever must name the choices. */
export const statuses: readonly Status[] = [...outcomes, 'open', 'unknown']

/** One row, without what can be long. Its subject is the pseudonym, once erased. */
export type CallLine = Readonly<ReturnType<typeof toLine>>

/** One row of a list. `args` and `result` are `undefined` where they are long; the message of an error is its beginning. */
export type CallBrief = Readonly<ReturnType<typeof toBrief>>

/** One row, with everything. */
export interface CallRecord extends CallLine {
  /** JSON text, redacted; `undefined` once erased. */
  readonly args: string | undefined
  readonly notes: readonly string[]
  readonly result: string | undefined
  readonly errorMessage: string | undefined
  readonly events: readonly CallEvent[]
}

export interface CallEvent {
  readonly at: number
  readonly name: string
  readonly data: string | undefined
}
