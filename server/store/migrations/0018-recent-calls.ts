// Where SQLite keeps the newest rows of the activity log before it moves them, many at a time (ADR 103): a table that has
// the columns of `countersign_activity` and one index. Migrations that add a column there add it here. A process of an older
// version knows nothing of it: it would give rows numbers that are taken, and miss rows that it should erase. So it is
// refused each row that it begins, and with it each call.
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
    await sql`create trigger countersign_activity_older before insert on countersign_activity
      when not exists (select 1 from countersign_activity_recent where id = new.id)
      begin
        select raise(abort, 'A newer Countersign has migrated this database. Restart this process with that version.');
      end`.execute(db)
  },
})
