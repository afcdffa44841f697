// Tokens of callers, of which only the hash is here, what a principal of an authorization server came with last, and how
// often each has called.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const tokens = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('countersign_tokens')
      .addColumn('id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('hash', 'text', (col) => col.notNull())
      .addColumn('tenant', 'text', (col) => col.notNull())
      .addColumn('subject', 'text', (col) => col.notNull())
      .addColumn('permissions', 'text', (col) => col.notNull())
      .addColumn('label', 'text')
      .addColumn('created_at', 'bigint', (col) => col.notNull())
      .addColumn('created_by', 'text', (col) => col.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('revoked_by', 'text')
      .addColumn('used_at', 'bigint')
      .execute()
    await db.schema.createIndex('countersign_tokens_hash').unique().on('countersign_tokens').column('hash').execute()
    await db.schema
      .createIndex('countersign_tokens_principal')
      .on('countersign_tokens')
      .columns(['tenant', 'subject'])
      .execute()
    await db.schema
      .createTable('countersign_verified')
      .addColumn('tenant', 'text', (col) => col.notNull())
      .addColumn('subject', 'text', (col) => col.notNull())
      .addColumn('permissions', 'text', (col) => col.notNull())
      .addColumn('expires_at', 'bigint', (col) => col.notNull())
      .addColumn('seen_at', 'bigint', (col) => col.notNull())
      .addPrimaryKeyConstraint('countersign_verified_key', ['tenant', 'subject'])
      .execute()
    // Columns as rate-limiter-flexible wants them, in this order.
    await db.schema
      .createTable('countersign_limits')
      .addColumn('key', 'text', (col) => col.primaryKey().notNull())
      .addColumn('points', 'integer', (col) => col.notNull())
      .addColumn('expire', 'bigint')
      .execute()
  },
})
