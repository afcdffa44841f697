// What people decide about agents: approvals, the second factor that some of them ask for, the freeze; and what comes
// back from agents: feedback, and who still calls without a rationale.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './columns.ts'

export const approvals = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createApprovals(db, types)
    await db.schema
      .createTable('countersign_second_factor')
      .addColumn('name', 'text', (col) => col.primaryKey().notNull())
      .addColumn('secret', types.bytes, (col) => col.notNull())
      .addColumn('last_counter', 'bigint', (col) => col.notNull())
      .addColumn('tries', 'integer', (col) => col.notNull())
      .addColumn('paused_until', 'bigint', (col) => col.notNull())
      .addColumn('created_at', 'bigint', (col) => col.notNull())
      .execute()
    await db.schema
      .createTable('countersign_freezes')
      .addColumn('id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('tenant', 'text')
      .addColumn('reason', 'text', (col) => col.notNull())
      .addColumn('by', 'text', (col) => col.notNull())
      .addColumn('at', 'bigint', (col) => col.notNull())
      .addColumn('lifted_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('countersign_freezes_lifted')
      .on('countersign_freezes')
      .columns(['lifted_at', 'at'])
      .execute()
    await createFeedback(db, types)
  },
})

async function createApprovals(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('countersign_approvals')
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('plan_id', 'text', (col) => col.notNull())
    .addColumn('digest', 'text', (col) => col.notNull())
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('subject', 'text', (col) => col.notNull())
    .addColumn('client', 'text', (col) => col.notNull())
    .addColumn('tool', 'text', (col) => col.notNull())
    .addColumn('risk', 'text', (col) => col.notNull())
    .addColumn('step_up', 'integer', (col) => col.notNull())
    .addColumn('content', types.bytes, (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('created_at', 'bigint', (col) => col.notNull())
    .addColumn('expires_at', 'bigint', (col) => col.notNull())
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('reason', types.bytes)
    .addColumn('run_by', 'bigint')
    .execute()
  await db.schema
    .createIndex('countersign_approvals_same_call')
    .on('countersign_approvals')
    .columns(['digest', 'tenant', 'subject', 'state'])
    .execute()
  await db.schema
    .createIndex('countersign_approvals_to_run')
    .on('countersign_approvals')
    .columns(['state', 'run_by'])
    .execute()
  await db.schema
    .createIndex('countersign_approvals_created')
    .on('countersign_approvals')
    .columns(['created_at', 'id'])
    .execute()
}

async function createFeedback(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('countersign_feedback')
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('subject', 'text', (col) => col.notNull())
    .addColumn('severity', 'text', (col) => col.notNull())
    .addColumn('content', types.bytes, (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('note', types.bytes)
    .addColumn('created_at', 'bigint', (col) => col.notNull())
    .addColumn('changed_at', 'bigint', (col) => col.notNull())
    .addColumn('changed_by', 'text')
    .execute()
  await db.schema
    .createIndex('countersign_feedback_created')
    .on('countersign_feedback')
    .columns(['created_at', 'id'])
    .execute()
  await db.schema
    .createTable('countersign_grace_callers')
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('subject', 'text', (col) => col.notNull())
    .addColumn('client', 'text', (col) => col.notNull())
    .addColumn('tool', 'text', (col) => col.notNull())
    .addColumn('calls', 'bigint', (col) => col.notNull())
    .addColumn('first_at', 'bigint', (col) => col.notNull())
    .addColumn('last_at', 'bigint', (col) => col.notNull())
    .addPrimaryKeyConstraint('countersign_grace_callers_pk', ['tenant', 'subject', 'client', 'tool'])
    .execute()
}
