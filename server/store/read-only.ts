// For those who only look: an operator checks settings before a restart, or asks what is wrong, and a look must neither make
// a database nor migrate or change the one that a server, perhaps of an older version, is working on.
import { Kysely } from 'kysely'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from './sqlite/node-sqlite.ts'
import { pathToFileURL } from 'node:url'
import type { OpenDatabase } from './open-database.ts'
import type { StoreResult } from './failure.ts'
import { isPostgresAddress } from './postgres/address.ts'
import { openPostgres } from './postgres/load.ts'
import { whileBusy } from './sqlite/busy.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import { sqliteName } from './sqlite/database.ts'
import { refuseSqlite } from './sqlite/inspect.ts'

/** A database that is only read. */
type ReadOnly = Pick<OpenDatabase, 'db' | 'name' | 'now' | 'refuse' | 'close'>

/**
 * Opens a database for reading; `undefined` where there is none.
 * @param file a path, or the address of a PostgreSQL database.
 */
export async function openToRead(file: string): Promise<StoreResult<ReadOnly | undefined>> {
  if (isPostgresAddress(file)) return openPostgres(file)
  const name = sqliteName(file)
  if (name === ':memory:' || !existsSync(name)) return { ok: true, value: undefined }
  try {
    const database = await whileBusy(() => openUnchanged(name))
    const db = new Kysely<unknown>({ dialect: sqliteDialect(database, onlyReads) })
    const refuse = (error: unknown): StoreResult<never> => refuseSqlite(name, error)
    return { ok: true, value: { db, name, now: Date.now, refuse, close: () => db.destroy() } }
  } catch (error) {
    return refuseSqlite(name, error)
  }
}

/**
 * Opens a file without leaving one beside it: a reader of a database in WAL mode makes `-wal` and `-shm`, and cannot remove
 * them. Where there is no `-wal`, nobody has the database open, and all of it is in the one file. One with a rollback
 * journal is written in place while its writer holds a lock, so its readers have to ask for theirs, and leave nothing.
 */
function openUnchanged(name: string): DatabaseSync {
  if (isInWalMode(name) && !existsSync(`${name}-wal`))
    try {
      return new DatabaseSync(`${pathToFileURL(name).href}?immutable=1`, { readOnly: true })
    } catch {
      // Node before 22.15 knows no such addresses; what else is wrong shows again below.
    }
  return new DatabaseSync(name, { readOnly: true })
}

/** By the version of the format that a reader has to know, in the header of the file. What is wrong with one says SQLite. */
function isInWalMode(name: string): boolean {
  try {
    const file = openSync(name, 'r')
    try {
      const version = Buffer.alloc(1)
      return readSync(file, version, 0, 1, 19) === 1 && version[0] === 2
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

function onlyReads(): never {
  throw new Error('This connection only reads.')
}
