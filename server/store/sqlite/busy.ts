// SQLite's own busy timeout sleeps on the thread: for up to five seconds no other request of this process is answered,
// and where the lock's holder is a second connection of the same process it can never let go. So the wait is ours, on
// the event loop. A statement that is told BUSY has done nothing and may simply be asked again.
import { setTimeout as sleep } from 'node:timers/promises'
import { FilesReplaced } from './one-file.ts'

const WAIT_MS = 5000
/** Nobody queues for the lock, so who sleeps long is overtaken again and again by those who do not. */
const LONGEST_PAUSE_MS = 5
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const FULL = 13
const CONSTRAINT = 19
const MISMATCH = 20

/** SQLite's primary result code, or nothing where the error is not SQLite's. */
export const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined

/** Whether another connection held the lock for as long as it was waited for. */
export const isBusy = (error: unknown): boolean => {
  const code = sqliteCode(error)
  return code === BUSY || code === LOCKED
}

/** Whether what is written keeps it from being written: it would be there twice, or lacks what it needs. */
export const isOfARow = (error: unknown): boolean => {
  const code = sqliteCode(error)
  return code === CONSTRAINT || code === MISMATCH
}

/** Whether nothing can be written at present: the lock is held, the disk is full or fails, the file is another or only read. */
export const takesNoWrite = (error: unknown): boolean => {
  const code = sqliteCode(error)
  return isBusy(error) || code === FULL || code === READ_ONLY || code === IO_ERROR || error instanceof FilesReplaced
}

/** Runs a step, again while another connection holds the lock, for five seconds at most. */
export const whileBusy = async <T>(step: () => T, waitMs = WAIT_MS): Promise<T> => {
  const deadline = performance.now() + waitMs
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return step()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    // Uneven, so that two processes do not keep meeting.
    await sleep(pause * (0.5 + Math.random()))
  }
}
