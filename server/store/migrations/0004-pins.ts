// Pinned definitions of upstream tools.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, optional, required } from './columns.ts'

export const pins = (): Migration => ({
  up: (db: Kysely<unknown>): Promise<void> =>
    createTable(
      db,
      'countersign_pins',
      required('text', 'server', 'tool', 'definition', 'digest'),
      optional('text', 'held_definition', 'held_digest'),
      (table) => table.addPrimaryKeyConstraint('countersign_pins_key', ['server', 'tool']),
    ),
})
