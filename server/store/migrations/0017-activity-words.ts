// Words of the activity log's rows, for those who search (ADR 87). Empty at first: they are made when somebody asks.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../dialect-locks.ts'
import { createTable, key, required } from './columns.ts'

export const activityWords = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (isPostgres(db)) {
      await sql`create table countersign_activity_words (position bigint primary key, words tsvector not null)`.execute(
        db,
      )
      await sql`create index countersign_activity_words_words on countersign_activity_words using gin (words)`.execute(
        db,
      )
    } else await createTable(db, 'countersign_activity_words', key('position', 'integer'), required('text', 'words'))
  },
})
