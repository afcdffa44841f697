// One state of the database for all that is read: others write meanwhile, and what moves must not look like a loss.
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Reads in one transaction that sees nothing of what others write meanwhile. On SQLite they wait for it. */
export const inOneRead = <R>(db: Kysely<Tables>, read: (trx: Transaction<Tables>) => Promise<R>): Promise<R> =>
  db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(read)
