// The people who decide: their accounts and sessions, who stands in for whom, how often somebody has guessed, and the
// votes on an approval that takes more than one of them.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required } from './columns.ts'

export const accounts = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createAccounts(db)
    await createVotes(db)
  },
})

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    'countersign_accounts',
    key('id'),
    required('text', 'name'),
    (table) => table.addColumn('name_key', 'text', (column) => column.notNull().unique()),
    optional('text', 'tenant'),
    required('text', 'roles', 'subjects'),
    optional('text', 'password'),
    (table) => table.addColumn('provider', 'text', (column) => column.unique()),
    required('text', 'state'),
    required('bigint', 'created_at', 'changed_at'),
    optional('bigint', 'seen_at'),
  )
  await createTable(
    db,
    'countersign_sessions',
    key('hash'),
    required('text', 'account_id', 'via'),
    required('bigint', 'created_at', 'seen_at', 'expires_at'),
  )
  await index(db, 'countersign_sessions', 'account_id', 'account_id').execute()
  await index(db, 'countersign_sessions', 'expires_at', 'expires_at').execute()
  await createTable(db, 'countersign_guesses', key('key'), required('integer', 'tries'), required('bigint', 'until'))
  await index(db, 'countersign_guesses', 'until', 'until').execute()
  await createTable(
    db,
    'countersign_delegations',
    key('id'),
    required('text', 'from_id', 'to_id', 'tools'),
    required('bigint', 'until', 'created_at'),
    required('text', 'created_by'),
    optional('bigint', 'revoked_at'),
    optional('text', 'revoked_by'),
  )
  await index(db, 'countersign_delegations', 'to_id', 'to_id').execute()
}

async function createVotes(db: Kysely<unknown>): Promise<void> {
  const approvals = db.schema.alterTable('countersign_approvals')
  await approvals.addColumn('approvers', 'integer', (column) => column.notNull().defaultTo(1)).execute()
  await approvals.addColumn('four_eyes', 'integer', (column) => column.notNull().defaultTo(0)).execute()
  await createTable(
    db,
    'countersign_votes',
    required('text', 'approval_id', 'decision', 'person', 'authority', 'name', 'via'),
    optional('text', 'for_name', 'delegation'),
    required('bigint', 'at'),
    (table) => table.addPrimaryKeyConstraint('countersign_votes_person', ['approval_id', 'decision', 'person']),
    (table) => table.addUniqueConstraint('countersign_votes_authority', ['approval_id', 'decision', 'authority']),
  )
}
