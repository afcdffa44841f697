// Plans and what became of them. `countersign_meta` holds single facts about the database itself.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './columns.ts'

export const plans = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('countersign_meta')
      .addColumn('name', 'text', (col) => col.primaryKey().notNull())
      .addColumn('value', 'text', (col) => col.notNull())
      .execute()
    await db.schema
      .createTable('countersign_plans')
      .addColumn('id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('ticket_hash', 'text', (col) => col.notNull().unique())
      .addColumn('digest', 'text', (col) => col.notNull())
      .addColumn('tool', 'text', (col) => col.notNull())
      .addColumn('definition', 'text', (col) => col.notNull())
      .addColumn('tenant', 'text', (col) => col.notNull())
      .addColumn('subject', 'text', (col) => col.notNull())
      .addColumn('basis', 'text')
      .addColumn('content', types.bytes, (col) => col.notNull())
      .addColumn('state', 'text', (col) => col.notNull())
      .addColumn('created_at', 'bigint', (col) => col.notNull())
      .addColumn('expires_at', 'bigint', (col) => col.notNull())
      .addColumn('changed_at', 'bigint', (col) => col.notNull())
      .addColumn('held', 'integer', (col) => col.notNull().defaultTo(0))
      .addColumn('owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('click_at', 'bigint')
      .addColumn('click_trusted', 'integer', (col) => col.notNull().defaultTo(0))
      .addColumn('ending', types.bytes)
      .execute()
    await db.schema
      .createIndex('countersign_plans_same_call')
      .on('countersign_plans')
      .columns(['digest', 'tenant', 'subject', 'state'])
      .execute()
    await db.schema.createIndex('countersign_plans_changed_at').on('countersign_plans').column('changed_at').execute()
  },
})
