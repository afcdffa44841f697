// Grants, each use of them, and the tools that they can be given for: whoever gives one at a terminal has
// no server at hand to ask for a tool's schema.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required, type ColumnTypes } from './columns.ts'

export const grants = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'countersign_grants',
      key('id'),
      required('text', 'tenant'),
      optional('text', 'subject'),
      required('text', 'tool', 'definition', 'risk'),
      required('integer', 'times'),
      required('text', 'per'),
      required('bigint', 'until_at'),
      required(types.bytes, 'content'),
      optional('text', 'approval_id'),
      required('bigint', 'created_at'),
      required('text', 'created_by'),
      optional('bigint', 'renewed_at'),
      optional('text', 'renewed_by'),
      optional('bigint', 'revoked_at'),
      optional('text', 'revoked_by'),
      required('bigint', 'touched_at'),
    )
    await index(db, 'countersign_grants', 'tool', 'tenant', 'tool', 'until_at').execute()
    await index(db, 'countersign_grants', 'created', 'created_at', 'id').execute()
    await createTable(
      db,
      'countersign_grant_uses',
      key('plan_id'),
      required('text', 'grant_id', 'subject'),
      required('bigint', 'at'),
      optional('bigint', 'returned_at'),
    )
    await index(db, 'countersign_grant_uses', 'counted', 'grant_id', 'at').execute()
    await createTable(
      db,
      'countersign_grant_tools',
      key('name'),
      required('text', 'title', 'operation', 'risk'),
      required('integer', 'risk_depends'),
      required('text', 'step_up', 'definition', 'schema'),
      required('bigint', 'seen_at'),
    )
  },
})
