// How long a run may take. A server behind may ask its client something in the middle of it, and what a person takes for an answer
// is no time of the run. The question is known where the call goes out, and the time where the run is waited for, with all of the
// rail between them: so it goes with the work.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The time of one run. */
export interface RunTime {
  /** Settles with what took it, once it is over; never, where it has ended before. */
  readonly over: Promise<'run' | 'questions'>
  /** Stands still from now on, until what is answered has been called, and what others were answered that hold it, too. */
  readonly hold: () => () => void
  /** Nobody waits any more. */
  readonly end: () => void
}

/** As long as the time of a run may stand still altogether, in milliseconds: a server that asks and asks ends, too. */
export const LONGEST_HELD_MS = 3_600_000

const ofRun = new AsyncLocalStorage<RunTime>()

/** Begins to count so many milliseconds. Of a run within another one, as a step of a bundle, both stand still. */
export function startRunTime(ms: number): RunTime {
  const around = ofRun.getStore()
  const { promise: over, resolve } = Promise.withResolvers<'run' | 'questions'>()
  let left = ms
  let heldLeft = LONGEST_HELD_MS
  let since = performance.now()
  let holders = 0
  let hasEnded = false
  let timer = setTimeout(resolve, left, 'run')
  /** Answers for how long the timer before had run. */
  const begin = (of: 'run' | 'questions', rest: () => number): number => {
    clearTimeout(timer)
    const now = performance.now()
    const ran = now - since
    since = now
    timer = setTimeout(resolve, Math.max(0, rest()), of)
    return ran
  }
  return {
    over,
    hold: () => {
      if (holders++ === 0 && !hasEnded) left -= begin('questions', () => heldLeft)
      const goOnAround = around?.hold()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        goOnAround?.()
        if (--holders === 0 && !hasEnded) heldLeft -= begin('run', () => left)
      }
    },
    end: () => {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

/** The time of the run that this is done for, if it is done for one. */
export const runTime = (): RunTime | undefined => ofRun.getStore()

/** Does the work of a run. */
export const inRunTime = <T>(time: RunTime, work: () => T): T => ofRun.run(time, work)
