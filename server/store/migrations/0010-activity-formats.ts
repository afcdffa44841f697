// The chain vouches for more than it did, and what is written already stays provable as it was written. So each entry of a
// call says in which format it is. Instant on both databases: no row is rewritten.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const activityFormats = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('countersign_activity')
      .addColumn('begin_format', 'integer', (col) => col.notNull().defaultTo(1))
      .execute()
    // A process of an older version that still runs ends calls without naming a format.
    await db.schema.alterTable('countersign_activity').addColumn('end_format', 'integer').execute()
  },
})
