// What operators count of guidance stands beside each call: its session, what that one is told, and the error. Nothing vouches
// for these columns: they are figures, and no evidence of what was done. Null in rows from before.
import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { index } from './columns.ts'

const TABLE = 'countersign_activity'
const columns = ['session', 'told', 'ended', 'error_type', 'error_rule', 'fingerprint', 'error_sample']

export const guidance = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of columns) await db.schema.alterTable(TABLE).addColumn(column, 'text').execute()
    // Looked for: the errors of a time, and what a session called next.
    await index(db, TABLE, 'errors', 'tenant', 'at').where(sql.ref('error_type'), 'is not', null).execute()
    await index(db, TABLE, 'sessions', 'session', 'tool', 'at').where(sql.ref('session'), 'is not', null).execute()
  },
})
