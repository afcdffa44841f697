// Plans and what became of them. `countersign_meta` holds single facts about the database itself.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required, zero, type ColumnTypes } from './columns.ts'

export const plans = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(db, 'countersign_meta', key('name'), required('text', 'value'))
    await createTable(
      db,
      'countersign_plans',
      key('id'),
      (table) => table.addColumn('ticket_hash', 'text', (column) => column.notNull().unique()),
      required('text', 'digest', 'tool', 'definition', 'tenant', 'subject'),
      optional('text', 'basis'),
      required(types.bytes, 'content'),
      required('text', 'state'),
      required('bigint', 'created_at', 'expires_at', 'changed_at'),
      zero('held'),
      optional('text', 'owner'),
      optional('bigint', 'lease_until', 'click_at'),
      zero('click_trusted'),
      optional(types.bytes, 'ending'),
    )
    await index(db, 'countersign_plans', 'same_call', 'digest', 'tenant', 'subject', 'state').execute()
    await index(db, 'countersign_plans', 'changed_at', 'changed_at').execute()
  },
})
