// The people who decide: their accounts and sessions, who stands in for whom, how often somebody has guessed, and the
// votes on an approval that takes more than one of them.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const accounts = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createAccounts(db)
    await createVotes(db)
  },
})

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('countersign_accounts')
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('name_key', 'text', (col) => col.notNull().unique())
    .addColumn('tenant', 'text')
    .addColumn('roles', 'text', (col) => col.notNull())
    .addColumn('subjects', 'text', (col) => col.notNull())
    .addColumn('password', 'text')
    .addColumn('provider', 'text', (col) => col.unique())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('created_at', 'bigint', (col) => col.notNull())
    .addColumn('changed_at', 'bigint', (col) => col.notNull())
    .addColumn('seen_at', 'bigint')
    .execute()
  await db.schema
    .createTable('countersign_sessions')
    .addColumn('hash', 'text', (col) => col.primaryKey().notNull())
    .addColumn('account_id', 'text', (col) => col.notNull())
    .addColumn('via', 'text', (col) => col.notNull())
    .addColumn('created_at', 'bigint', (col) => col.notNull())
    .addColumn('seen_at', 'bigint', (col) => col.notNull())
    .addColumn('expires_at', 'bigint', (col) => col.notNull())
    .execute()
  await index(db, 'countersign_sessions', ['account_id'])
  await index(db, 'countersign_sessions', ['expires_at'])
  await db.schema
    .createTable('countersign_guesses')
    .addColumn('key', 'text', (col) => col.primaryKey().notNull())
    .addColumn('tries', 'integer', (col) => col.notNull())
    .addColumn('until', 'bigint', (col) => col.notNull())
    .execute()
  await index(db, 'countersign_guesses', ['until'])
  await db.schema
    .createTable('countersign_delegations')
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('from_id', 'text', (col) => col.notNull())
    .addColumn('to_id', 'text', (col) => col.notNull())
    .addColumn('tools', 'text', (col) => col.notNull())
    .addColumn('until', 'bigint', (col) => col.notNull())
    .addColumn('created_at', 'bigint', (col) => col.notNull())
    .addColumn('created_by', 'text', (col) => col.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_by', 'text')
    .execute()
  await index(db, 'countersign_delegations', ['to_id'])
}

async function createVotes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('countersign_approvals')
    .addColumn('approvers', 'integer', (col) => col.notNull().defaultTo(1))
    .execute()
  await db.schema
    .alterTable('countersign_approvals')
    .addColumn('four_eyes', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('countersign_votes')
    .addColumn('approval_id', 'text', (col) => col.notNull())
    .addColumn('decision', 'text', (col) => col.notNull())
    .addColumn('person', 'text', (col) => col.notNull())
    .addColumn('authority', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('via', 'text', (col) => col.notNull())
    .addColumn('for_name', 'text')
    .addColumn('delegation', 'text')
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addPrimaryKeyConstraint('countersign_votes_person', ['approval_id', 'decision', 'person'])
    .addUniqueConstraint('countersign_votes_authority', ['approval_id', 'decision', 'authority'])
    .execute()
}

const index = (db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> =>
  db.schema
    .createIndex(`${table}_${columns.join('_')}`)
    .on(table)
    .columns([...columns])
    .execute()
