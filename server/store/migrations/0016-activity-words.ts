// Words of the activity log's rows, for those who search (ADR 87). Empty at first: they are made when somebody asks.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../dialect-locks.ts'

export const activityWords = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (isPostgres(db)) {
      await sql`create table countersign_activity_words (position bigint primary key, words tsvector not null)`.execute(
        db,
      )
      await sql`create index countersign_activity_words_words on countersign_activity_words using gin (words)`.execute(
        db,
      )
      return
    }
    // Of ASCII the words hold letters and figures; of other signs what they hold has been chosen already.
    await sql`create virtual table countersign_activity_words
      using fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0)`.execute(db)
    // What is deleted is to be gone from the file.
    await sql`insert into countersign_activity_words (countersign_activity_words, rank) values ('secure-delete', 1)`.execute(
      db,
    )
  },
})
