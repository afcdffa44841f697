// Logins at servers behind: everything of one lies sealed, and beside it only who is refreshing it.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, key, optional, required, type ColumnTypes } from './columns.ts'

export const logins = (types: ColumnTypes): Migration => ({
  up: (db: Kysely<unknown>): Promise<void> =>
    createTable(
      db,
      'countersign_logins',
      key('id'),
      required(types.bytes, 'login'),
      optional('text', 'held_by'),
      required('bigint', 'held_until'),
    ),
})
