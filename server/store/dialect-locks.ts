// In SQLite a transaction that writes is alone. In PostgreSQL (read committed) two of them run side by side, and each
// reads what was committed before its statement began: what is read first and written then must be locked in between.
// These say so in one word each and do nothing on SQLite. Every single statement whose condition and effect stand
// together needs none of them.
import { CompiledQuery, PostgresAdapter, sql } from 'kysely'
import type { Kysely, QueryResult, Transaction } from 'kysely'
import { createHash } from 'node:crypto'
import { FETCH_ANSWER, SENT_AHEAD, UNAWAITED } from './postgres/connection.ts'

/** Whether this database is PostgreSQL; for the few places where the two differ. */
export const isPostgres = (db: Pick<Kysely<unknown>, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/**
 * Transactions that take the same turn follow each other until they end; others run on. To be taken first, before
 * anything is read that another one may write. For facts that have no row to lock yet: "one open plan of this call".
 */
export const takeTurns = async <T>(trx: Transaction<T>, ...name: readonly string[]): Promise<void> => {
  if (!isPostgres(trx)) return
  await sql`select pg_advisory_xact_lock(${turnNumber(name)})`.execute(trx)
}

/**
 * The same without waiting for the turn, which spares a way to the server: what is sent next is run when the turn has come.
 * Whoever calls this awaits something of the database before relying on the turn, be it for the time alone.
 */
export const takeTurnsAhead = async <T>(trx: Transaction<T>, ...name: readonly string[]): Promise<void> => {
  if (!isPostgres(trx)) return
  await sql`${sql.raw(UNAWAITED)}select pg_advisory_xact_lock(${turnNumber(name)})`.execute(trx)
}

/**
 * Runs statements whose answers do not depend on each other: on PostgreSQL they are sent together, in one round trip. Answers
 * one function for each of them; called in the same order, it gives the answer.
 */
export const runTogether = async <T>(
  trx: Transaction<T>,
  queries: readonly CompiledQuery[],
): Promise<readonly (() => Promise<QueryResult<unknown>>)[]> => {
  if (queries.length === 0) return []
  if (!isPostgres(trx)) return queries.map((query) => () => trx.executeQuery(query))
  for (const query of queries) await trx.executeQuery({ ...query, sql: `${SENT_AHEAD}${query.sql}` })
  return queries.map(() => () => trx.executeQuery(CompiledQuery.raw(FETCH_ANSWER)))
}

/** The number of a turn. Two names may share one by chance; then their transactions wait a little for nothing. */
export const turnNumber = (name: readonly string[]): bigint =>
  createHash('sha256')
    .update(JSON.stringify(['countersign', ...name]))
    .digest()
    .readBigInt64BE(0)

/** Reads rows that this transaction is going to change: nobody else changes them, or locks them so, until it ends. */
export const toChange = <T, Query extends { forUpdate(): Query }>(trx: Transaction<T>, query: Query): Query =>
  isPostgres(trx) ? query.forUpdate() : query

/** The same, without those that somebody else has locked: for work that any process may do, and no row needs twice. */
export const toTakeFrom = <T, Query extends { forUpdate(): { skipLocked(): Query } }>(
  db: Kysely<T>,
  query: Query,
): Query => (isPostgres(db) ? query.forUpdate().skipLocked() : query)

/**
 * Nobody else writes to these tables, or locks a row of them, until the transaction ends. Always in this order:
 * approvals, plans, then others; two transactions that lock in different orders wait for each other.
 */
export const closeTables = async <T>(trx: Transaction<T>, ...tables: readonly (keyof T & string)[]): Promise<void> => {
  if (!isPostgres(trx)) return
  for (const table of tables) await sql`lock table ${sql.table(table)} in exclusive mode`.execute(trx)
}
