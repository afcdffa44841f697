// What is still to be told to whom. A notification is a row from the moment it is due until long after it was delivered,
// so that neither a restart nor a second process loses it or makes it twice.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required, type ColumnTypes } from './columns.ts'

export const notifications = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'countersign_outbox',
      key('id'),
      required('text', 'webhook', 'subject', 'tenant', 'event'),
      required(types.bytes, 'body'),
      required('text', 'state'),
      required('bigint', 'created_at', 'due_at'),
      required('integer', 'attempts'),
      optional('text', 'held_by'),
      required('bigint', 'held_until', 'changed_at'),
      optional('integer', 'status'),
      optional('text', 'trouble'),
      (table) => table.addUniqueConstraint('countersign_outbox_once', ['webhook', 'subject']),
    )
    await index(db, 'countersign_outbox', 'due', 'state', 'due_at').execute()
    await index(db, 'countersign_outbox', 'webhook', 'webhook', 'state', 'changed_at').execute()
    // Work that one process of many does in a period: whoever writes the row does it.
    await createTable(db, 'countersign_turns', key('name'), required('bigint', 'at'))
  },
})
