// Sessions of whoever holds the admin token, who has no account, and links of the terminal that open one (ADR 88). Both
// name the token that they were opened with, as a keyed hash, because another token must end them.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, key, optional, required } from './columns.ts'

const SESSIONS = 'countersign_sessions'

export const tokenSessions = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // SQLite takes one column at a time.
    for (const name of ['credential', 'name']) await db.schema.alterTable(SESSIONS).addColumn(name, 'text').execute()
    await createTable(
      db,
      'countersign_sign_in_links',
      key('hash'),
      required('text', 'name', 'credential'),
      required('bigint', 'created_at', 'expires_at'),
      optional('bigint', 'used_at'),
    )
  },
})
