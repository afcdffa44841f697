// Pinned definitions of upstream tools.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const pins = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('countersign_pins')
      .addColumn('server', 'text', (col) => col.notNull())
      .addColumn('tool', 'text', (col) => col.notNull())
      .addColumn('definition', 'text', (col) => col.notNull())
      .addColumn('digest', 'text', (col) => col.notNull())
      .addColumn('held_definition', 'text')
      .addColumn('held_digest', 'text')
      .addPrimaryKeyConstraint('countersign_pins_key', ['server', 'tool'])
      .execute()
  },
})
