// SQLite as Kysely sees it, and the words it spells its own way.
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Dialect } from 'kysely'
import type { DatabaseSync } from 'node:sqlite'
import type { ColumnTypes } from '../migrations/columns.ts'
import { createSqliteDriver, type Patience } from './driver.ts'

// Kysely assumes that a schema cannot change inside a transaction. In SQLite it can, and two processes that migrate at
// once depend on it.
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export const sqliteColumns: ColumnTypes = { bytes: 'blob', position: 'integer' }

/** Kysely's dialect over one open connection of `node:sqlite`. */
export const sqliteDialect = (database: DatabaseSync, mayWrite: () => void, patience?: Patience): Dialect => ({
  createDriver: () => createSqliteDriver(database, mayWrite, patience),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new TransactionalAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})
