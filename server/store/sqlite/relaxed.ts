// `synchronous=FULL` waits for the disk at every commit, and that wait is most of what a recorded call costs. Where the
// loss of the last moments before a power cut is honest by itself (an activity row that stays open), one commit may do
// without: it is still atomic, still ordered, and durable with the next commit that waits.
import type { Kysely } from 'kysely'
import type { DatabaseSync } from 'node:sqlite'
import type { Relaxed } from '../open-database.ts'
import type { Patience } from './driver.ts'

/** For one connection, which nobody else uses between the two settings: Kysely hands it out to one at a time. */
export const relaxedOn =
  <T>(database: DatabaseSync, db: Kysely<T>, patience: Patience): Relaxed<T> =>
  (work, waitMs) =>
    db.connection().execute(async (held) => {
      database.exec('pragma synchronous = normal')
      patience.waitMs = waitMs
      try {
        return await held.transaction().execute(work)
      } finally {
        patience.waitMs = undefined
        database.exec('pragma synchronous = full')
      }
    })

/**
 * Moves everything from the write-ahead log into the file and empties the log, so that erased texts are not still in it.
 * Where another process is reading, the log is emptied by whoever comes after.
 */
export const flushOn =
  <T>(database: DatabaseSync, db: Kysely<T>): (() => Promise<void>) =>
  () =>
    db.connection().execute(() => Promise.resolve(void database.prepare('pragma wal_checkpoint(truncate)').all()))
