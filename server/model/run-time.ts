// How long a run may take. A server behind may ask its client something in the middle of it, and what a person takes for an answer
// is no time of the run. The question is known where the call goes out, and the time where the run is waited for, with all of the
// rail between them: so it goes with the work.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The time of one run. */
export interface RunTime {
  /** Settles once it is over; never, where it has ended before. */
  readonly over: Promise<void>
  /** Stands still from now on, until what is answered has been called, and what others were answered that hold it, too. */
  readonly hold: () => () => void
  /** Nobody waits any more. */
  readonly end: () => void
}

/** Begins to count so many milliseconds. */
export function startRunTime(ms: number): RunTime {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let left = ms
  let since = performance.now()
  let holders = 0
  let hasEnded = false
  let timer = setTimeout(resolve, left)
  return {
    over,
    hold: () => {
      if (holders++ === 0) {
        clearTimeout(timer)
        left -= performance.now() - since
      }
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (--holders > 0 || hasEnded) return
        since = performance.now()
        timer = setTimeout(resolve, Math.max(0, left))
      }
    },
    end: () => {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

const ofRun = new AsyncLocalStorage<RunTime>()

/** The time of the run that this is done for, if it is done for one. */
export const runTime = (): RunTime | undefined => ofRun.getStore()

/** Does the work of a run. */
export const inRunTime = <T>(time: RunTime, work: () => T): T => ofRun.run(time, work)
