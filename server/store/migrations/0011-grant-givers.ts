// Who gave a grant, as a person and not as a name: today's rules are asked of today's person at every use.
// Rows from before have none, and cover nothing that a rule binds.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const grantGivers = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('countersign_grants').addColumn('giver', 'text').execute()
  },
})
