// A connection that several processes can share and whose commits survive a power cut. Neither is what SQLite does by
// itself.
import { DatabaseSync } from './node-sqlite.ts'
import { refuse } from '../failure.ts'
import type { StoreResult } from '../failure.ts'
import { whileBusy } from './busy.ts'
import { inspect, refuseSqlite } from './inspect.ts'
import { onlyOneName } from './one-file.ts'

/** Opens a database file for writing, or one in memory for `:memory:`, which is empty or a copy of these bytes. */
export const openSqlite = async (file: string, copyOf?: Uint8Array): Promise<StoreResult<DatabaseSync>> => {
  if (file !== ':memory:') {
    const inspected = await inspect(file)
    if (!inspected.ok) return inspected
    const named = onlyOneName(file)
    if (!named.ok) return named
  }
  let database: DatabaseSync | undefined
  try {
    const opened = (database = new DatabaseSync(file))
    if (file === ':memory:' && copyOf !== undefined) opened.deserialize(copyOf)
    const journal = await whileBusy(() => opened.prepare('pragma journal_mode = wal').get()?.['journal_mode'])
    if (file !== ':memory:' && journal !== 'wal') {
      opened.close()
      return refuse(
        'cannot-open',
        file,
        `The file system of ${file} does not allow several processes on one database (journal mode ${String(journal)}).`,
        'Name a database file on a local disk.',
      )
    }
    // The wait for a lock is in `busy.ts`. Erased results are overwritten, not only forgotten.
    opened.exec(
      'pragma busy_timeout = 0; pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on',
    )
    // The first look opens the write-ahead log, which stays open from then on.
    await whileBusy(() => opened.prepare('select count(*) from sqlite_master').get())
    return { ok: true, value: opened }
  } catch (error) {
    database?.close()
    return refuseSqlite(file, error)
  }
}
