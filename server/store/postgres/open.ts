// A database that many machines share. What SQLite gives by having one writer is given here by locks (`dialect-locks.ts`)
// and by statements whose condition and effect cannot be torn apart; ADR 14 says which and why.
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { ColumnTypes } from '../migrations/columns.ts'
import type { OpenDatabase } from '../open-database.ts'
import { refuse, type StoreResult } from '../failure.ts'
import type { Tables } from '../tables.ts'
import { isPostgresAddress, shownAddress } from './address.ts'
import { startClock } from './clock.ts'
import { UNAWAITED } from './connection.ts'
import { createPool } from './pool.ts'
import { refusePostgres } from './refuse.ts'
import { sharedReads } from './shared-reads.ts'

/** The oldest server that its makers still look after. */
const OLDEST = 14
const CONNECTIONS = 10
const PATIENCE_MS = 5000

const postgresColumns: ColumnTypes = { bytes: 'bytea', position: 'bigserial' }

/** Connects to a database. The secret has been looked at before. */
export const openPostgresDatabase = async (address: string): Promise<StoreResult<OpenDatabase>> => {
  const name = shownAddress(address)
  if (!isPostgresAddress(address) || !URL.canParse(address))
    return refuse(
      'cannot-open',
      name,
      'The address of the database cannot be read.',
      'Write it as postgres://user:password@host:5432/database; signs like @ : / % in user or password as %40 %3A %2F %25.',
    )
  const pool = createPool({ address, connections: CONNECTIONS, patienceMs: PATIENCE_MS })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const tables = db.$extendTables<Tables>()
  const reads = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharedReads(pool) }) })
  let stopClock: (() => void) | undefined
  const close = async (): Promise<void> => {
    stopClock?.()
    // Kysely closes under a running transaction. Whoever asked before this gets a connection before it.
    await new Promise(setImmediate)
    await pool.idle()
    await Promise.all([reads.destroy(), db.destroy()])
    // Kysely ends a pool only where it has asked it for a connection.
    await pool.end()
  }
  try {
    const unfit = await unfitness(reads, name)
    if (unfit !== undefined) {
      await close()
      return unfit
    }
    const clock = await startClock(db)
    stopClock = clock.stop
    return {
      ok: true,
      value: {
        db,
        reads,
        name,
        types: postgresColumns,
        now: clock.now,
        clock: sql`(extract(epoch from clock_timestamp()) * 1000)::int8`,
        relaxed: (work) =>
          tables.transaction().execute(async (trx) => {
            await sql.raw(`${UNAWAITED}set local synchronous_commit = off`).execute(trx)
            return await work(trx)
          }),
        renewing: (renew) => renew(tables),
        flush: () => vacuum(db),
        refuse: (error) => refusePostgres(name, error),
        close,
      },
    }
  } catch (error) {
    await close()
    return refusePostgres(name, error)
  }
}

/** What speaks against this server or database, before anything is written. */
const unfitness = async (db: Kysely<Tables>, name: string): Promise<StoreResult<never> | undefined> => {
  const { rows } = await sql<{
    readonly version: string
    readonly number: number
    readonly encoding: string
    readonly standby: boolean
    readonly fsync: string
  }>`select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as standby,
      current_setting('fsync') as fsync`.execute(db)
  const [server] = rows
  if (server === undefined) return undefined
  if (server.number < OLDEST * 10_000)
    return refuse(
      'server-too-old',
      name,
      `PostgreSQL at ${name} has version ${server.version}; Countersign needs ${OLDEST} or newer.`,
      'Upgrade the server, or name a database on another one.',
    )
  if (server.encoding !== 'UTF8')
    return refuse(
      'cannot-open',
      name,
      `The database ${name} keeps its texts as ${server.encoding}; they need UTF8.`,
      'Create another one with `createdb --encoding=UTF8 --template=template0 <name>`.',
    )
  if (server.standby)
    return refuse(
      'read-only',
      name,
      `The server of ${name} is a standby and cannot be written.`,
      'Name the primary server.',
    )
  // `full_page_writes=off` passes: on a file system that never tears a page it is right, and nobody can tell from here.
  if (server.fsync === 'off')
    return refuse(
      'commits-not-kept',
      name,
      `PostgreSQL at ${name} runs with fsync=off: a power cut takes back what was committed, and a call that was applied would run again.`,
      'Set `fsync = on` in postgresql.conf (or `alter system set fsync = on`), then `select pg_reload_conf()` and start again.',
    )
  return undefined
}

/** Rows that an erasure has replaced are still in their pages until somebody cleans up. */
const vacuum = async (db: Kysely<unknown>): Promise<void> => {
  await sql`vacuum countersign_activity, countersign_activity_events`.execute(db)
}
