// Where SQLite keeps the newest rows of the activity log before it moves them, many at a time (ADR 103): a table that has
// the columns of `countersign_activity` and one index. Migrations that add a column there add it here. A process of an older
// version knows nothing of it: it would give rows numbers that are taken, call the record broken and stop all changes, and
// leave texts that it should erase. Nearly all of that begins with the heads of the chains, which it finds no more.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../dialect-locks.ts'
import { index } from './columns.ts'

const TABLE = 'countersign_activity_recent'

export const recentCalls = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (isPostgres(db)) return
    await sql`create table ${sql.table(TABLE)} as select * from countersign_activity where false`.execute(db)
    await index(db, TABLE, 'id', 'id').unique().execute()
    await db.schema.alterTable('countersign_activity_heads').renameTo('countersign_chain_heads').execute()
    // The search of an older process passes over rows that are moved later: its ranges are not ours.
    await sql`update countersign_meta set name = 'activity_words_before_recent'
      where name = 'activity_words_of_tenants'`.execute(db)
  },
})
