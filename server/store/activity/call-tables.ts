// Where the rows of calls and the heads of their chains are: on SQLite the newest rows are on their way to the log
// (`write/recent.ts`), and the heads are where no process finds them that knows nothing of that.
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect-locks.ts'
import type { Tables } from '../tables.ts'

export type CallTable = 'countersign_activity' | 'countersign_activity_recent'

/** The tables that hold rows of calls, the newest rows first. */
export const callTables = (db: Kysely<Tables>): readonly CallTable[] =>
  isPostgres(db) ? ['countersign_activity'] : ['countersign_activity_recent', 'countersign_activity']

/** The table of the heads of the chains. Both have the same columns: its name on PostgreSQL stands for either. */
export const headTable = (db: Pick<Kysely<Tables>, 'getExecutor'>): 'countersign_activity_heads' =>
  (isPostgres(db) ? 'countersign_activity_heads' : 'countersign_chain_heads') as 'countersign_activity_heads'
