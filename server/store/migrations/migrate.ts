// Brings a database to the present shape at start. All of it is one transaction that takes the write lock first, so that
// two processes on a new file follow each other instead of meeting half way; a database that is up to date is only read.
import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { plans } from './0001-plans.ts'
import { activity } from './0002-activity.ts'
import { approvals } from './0003-approvals.ts'
import { pins } from './0004-pins.ts'
import { tokens } from './0006-tokens.ts'
import { accounts } from './0007-accounts.ts'
import { grants } from './0008-grants.ts'
import { notifications } from './0009-notifications.ts'
import { activityFormats } from './0010-activity-formats.ts'
import { grantGivers } from './0011-grant-givers.ts'
import { logins } from './0012-logins.ts'
import { guidance } from './0013-guidance.ts'
import { activitySums } from './0014-activity-sums.ts'
import { revisions } from './0015-revisions.ts'
import { tokenSessions } from './0016-token-sessions.ts'
import { activityWords } from './0017-activity-words.ts'
import { recentCalls } from './0018-recent-calls.ts'
import { isPostgres, takeTurns } from '../dialect-locks.ts'
import type { ColumnTypes } from './columns.ts'

const TABLE = 'countersign_migration'
const LOCK = 'countersign_migration_lock'

/** All migrations in order. The SQL of a released one never changes; a new one gets the next number. */
export const migrations = (types: ColumnTypes): Record<string, Migration> => ({
  '0001-plans': plans(types),
  '0002-activity': activity(types),
  '0003-approvals': approvals(types),
  '0004-pins': pins(),
  '0006-tokens': tokens(),
  '0007-accounts': accounts(),
  '0008-grants': grants(types),
  '0009-notifications': notifications(types),
  '0010-activity-formats': activityFormats(),
  '0011-grant-givers': grantGivers(),
  '0012-logins': logins(types),
  '0013-guidance': guidance(),
  '0014-activity-sums': activitySums(),
  '0015-revisions': revisions(),
  '0016-token-sessions': tokenSessions(),
  '0017-activity-words': activityWords(),
  '0018-recent-calls': recentCalls(),
})

type Migrated =
  | { readonly kind: 'migrated' }
  /** Written by a newer version, whose migrations these are. */
  | { readonly kind: 'newer'; readonly names: readonly string[] }

/** Runs what is missing. Throws only what the database itself throws. */
export const migrate = async (db: Kysely<unknown>, types: ColumnTypes): Promise<Migrated> => {
  const known = migrations(types)
  const done = await doneMigrations(db)
  const names = done.filter((name) => !Object.hasOwn(known, name))
  if (names.length > 0) return { kind: 'newer', names }
  if (done.length < Object.keys(known).length)
    await db.transaction().execute(async (trx) => {
      // SQLite's transaction is alone from its start.
      await takeTurns(trx, 'migration')
      const migrator = new Migrator({
        db: trx,
        provider: { getMigrations: () => Promise.resolve(known) },
        migrationTableName: TABLE,
        migrationLockTableName: LOCK,
      })
      const { error } = await migrator.migrateToLatest()
      // Only a throw makes the transaction take everything back.
      if (error !== undefined) throw error
    })
  return { kind: 'migrated' }
}

/** What this version needs and the database has not, and what the database has and this version does not know. */
export const schemaState = async (
  db: Kysely<unknown>,
): Promise<{ readonly missing: readonly string[]; readonly unknown: readonly string[] }> => {
  // Their names are the same whatever a database calls its columns.
  const known = Object.keys(migrations({ bytes: 'blob', position: 'integer' }))
  const done = await doneMigrations(db)
  return {
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  }
}

const doneMigrations = async (db: Kysely<unknown>): Promise<string[]> => {
  if (!(await hasTable(db, TABLE))) return []
  const typed = db.$extendTables<{ [TABLE]: { readonly name: string } }>()
  return (await typed.selectFrom(TABLE).select('name').execute()).map((row) => row.name)
}

/** PostgreSQL has a table of this name in each schema; ours is the one that the connection finds. */
const hasTable = async (db: Kysely<unknown>, name: string): Promise<boolean> => {
  const found = isPostgres(db)
    ? sql`to_regclass(${name}) is not null`
    : sql`exists (select 1 from sqlite_master where type = 'table' and name = ${name})`
  const { rows } = await sql<{ readonly found: boolean | number }>`select ${found} as found`.execute(db)
  return Boolean(rows[0]?.found)
}
