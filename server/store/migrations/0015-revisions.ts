// The call that a person made of an open plan on its card: the preview of that one takes its place (ADR 85).
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { index } from './columns.ts'

const TABLE = 'countersign_plans'

export const revisions = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable(TABLE).addColumn('revised_digest', 'text').execute()
    await index(db, TABLE, 'revised', 'revised_digest').where(sql.ref('revised_digest'), 'is not', null).execute()
  },
})
