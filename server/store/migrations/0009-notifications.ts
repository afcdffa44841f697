// What is still to be told to whom. A notification is a row from the moment it is due until long after it was delivered,
// so that neither a restart nor a second process loses it or makes it twice.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './columns.ts'

export const notifications = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('countersign_outbox')
      .addColumn('id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('webhook', 'text', (col) => col.notNull())
      .addColumn('subject', 'text', (col) => col.notNull())
      .addColumn('tenant', 'text', (col) => col.notNull())
      .addColumn('event', 'text', (col) => col.notNull())
      .addColumn('body', types.bytes, (col) => col.notNull())
      .addColumn('state', 'text', (col) => col.notNull())
      .addColumn('created_at', 'bigint', (col) => col.notNull())
      .addColumn('due_at', 'bigint', (col) => col.notNull())
      .addColumn('attempts', 'integer', (col) => col.notNull())
      .addColumn('held_by', 'text')
      .addColumn('held_until', 'bigint', (col) => col.notNull())
      .addColumn('changed_at', 'bigint', (col) => col.notNull())
      .addColumn('status', 'integer')
      .addColumn('trouble', 'text')
      .addUniqueConstraint('countersign_outbox_once', ['webhook', 'subject'])
      .execute()
    await db.schema
      .createIndex('countersign_outbox_due')
      .on('countersign_outbox')
      .columns(['state', 'due_at'])
      .execute()
    await db.schema
      .createIndex('countersign_outbox_webhook')
      .on('countersign_outbox')
      .columns(['webhook', 'state', 'changed_at'])
      .execute()
    // Work that one process of many does in a period: whoever writes the row does it.
    await db.schema
      .createTable('countersign_turns')
      .addColumn('name', 'text', (col) => col.primaryKey().notNull())
      .addColumn('at', 'bigint', (col) => col.notNull())
      .execute()
  },
})
