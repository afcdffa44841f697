// Calls and what became of them, the heads of their chains, and what may cut or erase without breaking them. Every
// filter of the log has its index, ended by time, so that a page costs the same at any depth.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './columns.ts'

export const activity = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createCalls(db, types)
    await createChain(db)
  },
})

async function createCalls(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('countersign_activity')
    .addColumn('position', types.position, (col) => col.primaryKey().notNull())
    .addColumn('id', 'text', (col) => col.notNull().unique())
    .addColumn('change', 'bigint', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('subject', 'text', (col) => col.notNull())
    .addColumn('pseudonym', 'text', (col) => col.notNull())
    .addColumn('client', 'text', (col) => col.notNull())
    .addColumn('source', 'text', (col) => col.notNull())
    .addColumn('tool', 'text', (col) => col.notNull())
    .addColumn('variant', 'text')
    .addColumn('operation', 'text')
    .addColumn('operation_source', 'text')
    .addColumn('declared_risk', 'text')
    .addColumn('audit_event', 'text')
    .addColumn('outcome', 'text', (col) => col.notNull())
    .addColumn('verdict', 'text')
    .addColumn('risk', 'text')
    .addColumn('plan_id', 'text')
    .addColumn('approval_id', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('duration_ms', 'bigint')
    .addColumn('error_code', 'text')
    .addColumn('begin_seq', 'bigint', (col) => col.notNull())
    .addColumn('begin_digest', 'text', (col) => col.notNull())
    .addColumn('begin_link', 'text', (col) => col.notNull())
    .addColumn('end_seq', 'bigint')
    .addColumn('end_digest', 'text')
    .addColumn('end_link', 'text')
    .addColumn('erased_at', 'bigint')
    .addColumn('salt', 'text')
    .addColumn('rationale', 'text')
    .addColumn('intent', 'text')
    .addColumn('notes', 'text')
    .addColumn('error_message', 'text')
    .addColumn('args', 'text')
    .addColumn('result', 'text')
    .execute()
  const index = (name: string, ...columns: string[]) =>
    db.schema.createIndex(`countersign_activity_${name}`).on('countersign_activity').columns(columns)
  await index('at', 'at').execute()
  for (const filter of ['tool', 'outcome', 'operation', 'risk', 'tenant']) await index(filter, filter, 'at').execute()
  await index('begins', 'tenant', 'begin_seq').unique().execute()
  await index('ends', 'tenant', 'end_seq').unique().execute()
  await index('changes', 'change').execute()
  await index('plan', 'plan_id').where(sql.ref('plan_id'), 'is not', null).execute()
  await index('approval', 'approval_id').where(sql.ref('approval_id'), 'is not', null).execute()
}

async function createChain(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('countersign_activity_events')
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('seq', 'bigint', (col) => col.notNull())
    .addColumn('call_id', 'text', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('pseudonym', 'text', (col) => col.notNull())
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('digest', 'text', (col) => col.notNull())
    .addColumn('link', 'text', (col) => col.notNull())
    .addColumn('salt', 'text')
    .addColumn('data', 'text')
    .addPrimaryKeyConstraint('countersign_activity_events_key', ['tenant', 'seq'])
    .execute()
  await db.schema
    .createIndex('countersign_activity_events_call')
    .on('countersign_activity_events')
    .column('call_id')
    .execute()
  await db.schema
    .createTable('countersign_activity_erasures')
    .addColumn('tenant', 'text', (col) => col.notNull())
    .addColumn('seq', 'bigint', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('pseudonym', 'text', (col) => col.notNull())
    .addColumn('link', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('countersign_activity_erasures_key', ['tenant', 'seq'])
    .execute()
  await db.schema
    .createTable('countersign_activity_heads')
    .addColumn('tenant', 'text', (col) => col.primaryKey().notNull())
    .addColumn('seq', 'bigint', (col) => col.notNull())
    .addColumn('link', 'text', (col) => col.notNull())
    .addColumn('calls', 'bigint', (col) => col.notNull())
    .addColumn('bytes', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('countersign_activity_checkpoints')
    .addColumn('tenant', 'text', (col) => col.primaryKey().notNull())
    .addColumn('seq', 'bigint', (col) => col.notNull())
    .addColumn('link', 'text', (col) => col.notNull())
    .addColumn('at', 'bigint', (col) => col.notNull())
    .addColumn('kept', 'text', (col) => col.notNull())
    .addColumn('mac', 'text', (col) => col.notNull())
    .execute()
}
