// Two databases, one store: this is all that it needs to know of either.
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { StoreResult } from './failure.ts'
import type { ColumnTypes } from './migrations/columns.ts'
import type { Tables } from './tables.ts'

/**
 * Runs a transaction whose commit does not wait for the disk. `waitMs`: for how long another process may hold the lock of the
 * file at most; five seconds when absent. PostgreSQL has no such lock.
 */
export type Relaxed<T> = <R>(work: (trx: Transaction<T>) => Promise<R>, waitMs?: number) => Promise<R>

/** An open database. */
export interface OpenDatabase {
  readonly db: Kysely<unknown>
  /** For single short reads outside of transactions: on a server, those at the same time share a connection. */
  readonly reads: Kysely<Tables>
  /** How to name it to people: an absolute path, `:memory:`, or an address without its password. */
  readonly name: string
  readonly types: ColumnTypes
  /** Epoch milliseconds, the same in every process on this database. */
  readonly now: () => number
  /** The same as SQL: read while a statement runs, not before a process may have slept. */
  readonly clock: RawBuilder<number>
  readonly relaxed: Relaxed<Tables>
  /**
   * Commits the renewal of a lease. On a file without waiting for the disk: what a power cut takes of it, it takes together
   * with the owner. A database server may stop alone, so there the renewal is on disk before its owner relies on it.
   */
  readonly renewing: <R>(renew: (db: Kysely<Tables>) => Promise<R>) => Promise<R>
  /** Empties what the database keeps beside its tables, so that erased texts are not still in it. */
  readonly flush: () => Promise<void>
  /** What an error of this database means to the person who named it. Throws what is no such error. */
  readonly refuse: (error: unknown) => StoreResult<never>
  /** Waits for what is running, then lets go. */
  readonly close: () => Promise<void>
}
