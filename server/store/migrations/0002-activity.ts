// Calls and what became of them, the heads of their chains, and what may cut or erase without breaking them. Every
// filter of the log has its index, ended by time, so that a page costs the same at any depth.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required, type ColumnTypes } from './columns.ts'

export const activity = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createCalls(db, types)
    await createChain(db)
  },
})

async function createCalls(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(
    db,
    'countersign_activity',
    key('position', types.position),
    (table) => table.addColumn('id', 'text', (column) => column.notNull().unique()),
    required('bigint', 'change', 'at'),
    required('text', 'tenant', 'subject', 'pseudonym', 'client', 'source', 'tool'),
    optional('text', 'variant', 'operation', 'operation_source', 'declared_risk', 'audit_event'),
    required('text', 'outcome'),
    optional('text', 'verdict', 'risk', 'plan_id', 'approval_id'),
    optional('bigint', 'ended_at', 'duration_ms'),
    optional('text', 'error_code'),
    required('bigint', 'begin_seq'),
    required('text', 'begin_digest', 'begin_link'),
    optional('bigint', 'end_seq'),
    optional('text', 'end_digest', 'end_link'),
    optional('bigint', 'erased_at'),
    optional('text', 'salt', 'rationale', 'intent', 'notes', 'error_message', 'args', 'result'),
  )
  const table = 'countersign_activity'
  await index(db, table, 'at', 'at').execute()
  for (const filter of ['tool', 'outcome', 'operation', 'risk', 'tenant'])
    await index(db, table, filter, filter, 'at').execute()
  await index(db, table, 'begins', 'tenant', 'begin_seq').unique().execute()
  await index(db, table, 'ends', 'tenant', 'end_seq').unique().execute()
  await index(db, table, 'changes', 'change').execute()
  await index(db, table, 'plan', 'plan_id').where(sql.ref('plan_id'), 'is not', null).execute()
  await index(db, table, 'approval', 'approval_id').where(sql.ref('approval_id'), 'is not', null).execute()
}

async function createChain(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    'countersign_activity_events',
    required('text', 'tenant'),
    required('bigint', 'seq'),
    required('text', 'call_id'),
    required('bigint', 'at'),
    required('text', 'pseudonym', 'name', 'digest', 'link'),
    optional('text', 'salt', 'data'),
    (table) => table.addPrimaryKeyConstraint('countersign_activity_events_key', ['tenant', 'seq']),
  )
  await index(db, 'countersign_activity_events', 'call', 'call_id').execute()
  await createTable(
    db,
    'countersign_activity_erasures',
    required('text', 'tenant'),
    required('bigint', 'seq', 'at'),
    required('text', 'pseudonym', 'link'),
    (table) => table.addPrimaryKeyConstraint('countersign_activity_erasures_key', ['tenant', 'seq']),
  )
  await createTable(
    db,
    'countersign_activity_heads',
    key('tenant'),
    required('bigint', 'seq'),
    required('text', 'link'),
    required('bigint', 'calls', 'bytes'),
  )
  await createTable(
    db,
    'countersign_activity_checkpoints',
    key('tenant'),
    required('bigint', 'seq'),
    required('text', 'link'),
    required('bigint', 'at'),
    required('text', 'kept', 'mac'),
  )
}
