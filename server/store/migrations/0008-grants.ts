// Grants, each use of them, and the tools that they can be given for: whoever gives one at a terminal has
// no server at hand to ask for a tool's schema.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './columns.ts'

export const grants = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('countersign_grants')
      .addColumn('id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('tenant', 'text', (col) => col.notNull())
      .addColumn('subject', 'text')
      .addColumn('tool', 'text', (col) => col.notNull())
      .addColumn('definition', 'text', (col) => col.notNull())
      .addColumn('risk', 'text', (col) => col.notNull())
      .addColumn('times', 'integer', (col) => col.notNull())
      .addColumn('per', 'text', (col) => col.notNull())
      .addColumn('until_at', 'bigint', (col) => col.notNull())
      .addColumn('content', types.bytes, (col) => col.notNull())
      .addColumn('approval_id', 'text')
      .addColumn('created_at', 'bigint', (col) => col.notNull())
      .addColumn('created_by', 'text', (col) => col.notNull())
      .addColumn('renewed_at', 'bigint')
      .addColumn('renewed_by', 'text')
      .addColumn('revoked_at', 'bigint')
      .addColumn('revoked_by', 'text')
      .addColumn('touched_at', 'bigint', (col) => col.notNull())
      .execute()
    await db.schema
      .createIndex('countersign_grants_tool')
      .on('countersign_grants')
      .columns(['tenant', 'tool', 'until_at'])
      .execute()
    await db.schema
      .createIndex('countersign_grants_created')
      .on('countersign_grants')
      .columns(['created_at', 'id'])
      .execute()
    await db.schema
      .createTable('countersign_grant_uses')
      .addColumn('plan_id', 'text', (col) => col.primaryKey().notNull())
      .addColumn('grant_id', 'text', (col) => col.notNull())
      .addColumn('subject', 'text', (col) => col.notNull())
      .addColumn('at', 'bigint', (col) => col.notNull())
      .addColumn('returned_at', 'bigint')
      .execute()
    await db.schema
      .createIndex('countersign_grant_uses_counted')
      .on('countersign_grant_uses')
      .columns(['grant_id', 'at'])
      .execute()
    await db.schema
      .createTable('countersign_grant_tools')
      .addColumn('name', 'text', (col) => col.primaryKey().notNull())
      .addColumn('title', 'text', (col) => col.notNull())
      .addColumn('operation', 'text', (col) => col.notNull())
      .addColumn('risk', 'text', (col) => col.notNull())
      .addColumn('risk_depends', 'integer', (col) => col.notNull())
      .addColumn('step_up', 'text', (col) => col.notNull())
      .addColumn('definition', 'text', (col) => col.notNull())
      .addColumn('schema', 'text', (col) => col.notNull())
      .addColumn('seen_at', 'bigint', (col) => col.notNull())
      .execute()
  },
})
