// Where the rows of calls are: on SQLite the newest ones are on their way to the log (`write/recent.ts`).
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect-locks.ts'
import type { Tables } from '../tables.ts'

export type CallTable = 'countersign_activity' | 'countersign_activity_recent'

/** The tables that hold rows of calls, the newest rows first. */
export const callTables = (db: Kysely<Tables>): readonly CallTable[] =>
  isPostgres(db) ? ['countersign_activity'] : ['countersign_activity_recent', 'countersign_activity']
