// One file, one connection a process, and the machine's own clock: all processes on a file are on one machine.
import { Kysely, sql } from 'kysely'
import { resolve } from 'node:path'
import type { OpenDatabase } from '../open-database.ts'
import type { StoreResult } from '../failure.ts'
import type { Tables } from '../tables.ts'
import { sqliteColumns, sqliteDialect } from './dialect.ts'
import type { Patience } from './driver.ts'
import { refuseSqlite } from './inspect.ts'
import { watchFiles } from './one-file.ts'
import { openSqlite } from './open.ts'
import { flushOn, relaxedOn } from './relaxed.ts'

/** The name of a file as it is opened: absolute, also because SQLite takes a relative path that starts with `file:` for an address. */
export const sqliteName = (file: string): string => (file === ':memory:' ? file : resolve(file))

/** Opens a database file, creating it where there is none; one in memory begins as a copy where bytes are given. */
export const openSqliteDatabase = async (name: string, copyOf?: Uint8Array): Promise<StoreResult<OpenDatabase>> => {
  const opened = await openSqlite(name, copyOf)
  if (!opened.ok) return opened
  const mayWrite = name === ':memory:' ? () => undefined : watchFiles(name)
  const patience: Patience = {}
  const db = new Kysely<unknown>({ dialect: sqliteDialect(opened.value, mayWrite, patience) })
  const tables = db.$extendTables<Tables>()
  const relaxed = relaxedOn(opened.value, tables, patience)
  return {
    ok: true,
    value: {
      db,
      reads: tables,
      name,
      types: sqliteColumns,
      now: Date.now,
      clock: sql`cast(unixepoch('subsec') * 1000 as integer)`,
      relaxed,
      renewing: relaxed,
      flush: flushOn(opened.value, tables),
      refuse: (error) => refuseSqlite(name, error),
      close: async () => {
        // Kysely closes under a running transaction; whoever gets the one connection knows that none runs.
        await db.connection().execute(() => Promise.resolve())
        await db.destroy()
      },
    },
  }
}
