// Tokens of callers, of which only the hash is here, what a principal of an authorization server came with last, and how
// often each has called.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required } from './columns.ts'

export const tokens = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'countersign_tokens',
      key('id'),
      required('text', 'hash', 'tenant', 'subject', 'permissions'),
      optional('text', 'label'),
      required('bigint', 'created_at'),
      required('text', 'created_by'),
      optional('bigint', 'expires_at', 'revoked_at'),
      optional('text', 'revoked_by'),
      optional('bigint', 'used_at'),
    )
    await index(db, 'countersign_tokens', 'hash', 'hash').unique().execute()
    await index(db, 'countersign_tokens', 'principal', 'tenant', 'subject').execute()
    await createTable(
      db,
      'countersign_verified',
      required('text', 'tenant', 'subject', 'permissions'),
      required('bigint', 'expires_at', 'seen_at'),
      (table) => table.addPrimaryKeyConstraint('countersign_verified_key', ['tenant', 'subject']),
    )
    // Columns as rate-limiter-flexible wants them, in this order.
    await createTable(db, 'countersign_limits', key('key'), required('integer', 'points'), optional('bigint', 'expire'))
  },
})
