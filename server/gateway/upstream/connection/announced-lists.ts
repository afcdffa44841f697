// A server may say that its list of tools has changed as often as it likes.
import { setTimeout as wait } from 'node:timers/promises'

/** The shortest time between two readings of a list that its server keeps announcing as changed. */
const pauseMs = 200

/** Answers what to call where a list is said to have changed: it is read once at a time, and once more afterwards. */
export function createAnnouncedLists(read: () => Promise<void>): () => Promise<void> {
  let isReading = false
  let isAnnounced = false
  return async () => {
    isAnnounced = true
    if (isReading) return
    isReading = true
    while (isAnnounced) {
      isAnnounced = false
      // Where that fails, the list stays as it was; a connection that broke says so itself.
      await read().catch(() => undefined)
      await wait(pauseMs)
    }
    isReading = false
  }
}
