// Kysely ships a driver for better-sqlite3, a native module that must be compiled or downloaded; Node has SQLite built in.
// One connection a process, which Kysely's own mutex hands to one query or transaction at a time.
import { DeleteQueryNode, InsertQueryNode, SelectQueryNode, UpdateQueryNode } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { whileBusy } from './busy.ts'
import { createStatements } from './statements.ts'

/** For how long the next transaction may wait for the lock of the file, in milliseconds; five seconds when absent. */
export interface Patience {
  waitMs?: number | undefined
}

/** SQLite has taken back the transaction: for `or rollback`, for a trigger that says so, for a full disk. */
export class TransactionEnded extends Error {
  /** `cause`: what SQLite said of the statement that ended it. */
  constructor(cause: unknown) {
    super('SQLite has taken back the whole transaction, for an earlier statement in it.', { cause })
  }
}

/**
 * A Kysely driver over one open connection, which it closes when it is destroyed. `mayWrite` is asked before each write and
 * throws where it must not be.
 */
export const createSqliteDriver = (database: DatabaseSync, mayWrite: () => void, patience: Patience = {}): Driver => {
  const statements = createStatements(database)

  let inTransaction = false
  /** SQLite ends a transaction by itself: for `or rollback`, for a full disk. What follows would be written without one. */
  let isEnded = false
  let endedBy: unknown
  /** Node.js 22.16 and later. */
  const saysTransactions = 'isTransaction' in database
  const refuseEnded = (): void => {
    if (isEnded) throw new TransactionEnded(endedBy)
  }

  const run = (query: CompiledQuery): QueryResult<unknown> => {
    refuseEnded()
    try {
      return execute(query)
    } catch (error) {
      endedBy = error
      throw error
    } finally {
      isEnded = inTransaction && saysTransactions && !database.isTransaction
    }
  }

  const execute = (query: CompiledQuery): QueryResult<unknown> => {
    const parameters = query.parameters.map(bindable)
    if (ofSavepoint.test(query.sql)) {
      statements.prepare(query.sql).run()
      return { rows: [] }
    }
    const node = query.query
    const changesRows = InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
    // The schema may be about to change, and with it what a prepared `select *` means.
    if (!changesRows && !SelectQueryNode.is(node)) {
      statements.clear()
      return { rows: database.prepare(query.sql).all(...parameters) }
    }
    // A transaction has asked when it began, and what it writes is in the files that it began with.
    if (changesRows && !inTransaction) mayWrite()
    const statement = statements.prepare(query.sql)
    if (!changesRows || node.returning !== undefined) return { rows: statement.all(...parameters) }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  const connection: DatabaseConnection = {
    // The driver's interface lets the caller name the row's type; what comes from our tables is parsed by its reader.
    executeQuery: async <R>(query: CompiledQuery) => (await whileBusy(() => run(query))) as QueryResult<R>,
    streamQuery: () => {
      throw new Error('The SQLite driver does not stream; use execute().')
    },
  }
  const say = (statement: string, waitMs?: number) => whileBusy(() => void statements.prepare(statement).run(), waitMs)

  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    // A transaction that reads first and then writes fails in WAL mode when somebody else wrote in between; waiting
    // does not help it. Taking the write lock at once does.
    beginTransaction: async (_connection: DatabaseConnection, settings: TransactionSettings) => {
      const reads = settings.accessMode === 'read only'
      await say(reads ? 'begin' : 'begin immediate', patience.waitMs)
      if (reads) return
      try {
        // Once the lock is there: while it was waited for, the files may have been replaced.
        mayWrite()
      } catch (error) {
        await say('rollback')
        throw error
      }
      inTransaction = true
    },
    commitTransaction: async () => {
      refuseEnded()
      await say('commit')
      inTransaction = false
    },
    rollbackTransaction: async () => {
      inTransaction = false
      isEnded = false
      // A full disk or an I/O error has already rolled it back; that must not hide the error that led here.
      try {
        await say('rollback')
      } catch {
        // Nothing is open any more.
      }
    },
    destroy: () => {
      statements.clear()
      database.close()
      return Promise.resolve()
    },
  }
}

const ofSavepoint = /^(?:\/\*\w+\*\/)?(?:savepoint|release|rollback to) /

const bindable = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot keep a value of type ${value === undefined ? 'undefined' : typeof value}.`)
}
