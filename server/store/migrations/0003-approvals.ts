// What people decide about agents: approvals, the second factor that some of them ask for, the freeze; and what comes
// back from agents: feedback, and who still calls without a rationale.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required, type ColumnTypes } from './columns.ts'

export const approvals = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'countersign_approvals',
      key('id'),
      required('text', 'plan_id', 'digest', 'tenant', 'subject', 'client', 'tool', 'risk'),
      required('integer', 'step_up'),
      required(types.bytes, 'content'),
      required('text', 'state'),
      required('bigint', 'created_at', 'expires_at'),
      optional('bigint', 'decided_at'),
      optional('text', 'decided_by'),
      optional(types.bytes, 'reason'),
      optional('bigint', 'run_by'),
    )
    await index(db, 'countersign_approvals', 'same_call', 'digest', 'tenant', 'subject', 'state').execute()
    await index(db, 'countersign_approvals', 'to_run', 'state', 'run_by').execute()
    await index(db, 'countersign_approvals', 'created', 'created_at', 'id').execute()
    await createTable(
      db,
      'countersign_second_factor',
      key('name'),
      required(types.bytes, 'secret'),
      required('bigint', 'last_counter'),
      required('integer', 'tries'),
      required('bigint', 'paused_until', 'created_at'),
    )
    await createTable(
      db,
      'countersign_freezes',
      key('id'),
      optional('text', 'tenant'),
      required('text', 'reason', 'by'),
      required('bigint', 'at'),
      optional('bigint', 'lifted_at'),
    )
    await index(db, 'countersign_freezes', 'lifted', 'lifted_at', 'at').execute()
    await createFeedback(db, types)
  },
})

async function createFeedback(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(
    db,
    'countersign_feedback',
    key('id'),
    required('text', 'tenant', 'subject', 'severity'),
    required(types.bytes, 'content'),
    required('text', 'state'),
    optional(types.bytes, 'note'),
    required('bigint', 'created_at', 'changed_at'),
    optional('text', 'changed_by'),
  )
  await index(db, 'countersign_feedback', 'created', 'created_at', 'id').execute()
  await createTable(
    db,
    'countersign_grace_callers',
    required('text', 'tenant', 'subject', 'client', 'tool'),
    required('bigint', 'calls', 'first_at', 'last_at'),
    (table) => table.addPrimaryKeyConstraint('countersign_grace_callers_pk', ['tenant', 'subject', 'client', 'tool']),
  )
}
