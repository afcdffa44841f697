// The transaction in which a plan ends, as the run of its tool is given it: statements about rows, and nothing else of it.
import {
  type CompiledQuery,
  Kysely,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type Transaction,
} from 'kysely'
import type { PlanTransaction } from '../model/plan-store.ts'
import type { Tables } from './tables.ts'

/**
 * Statements about rows; any other could end the transaction, or a part of it. Nothing but brackets stands before the first
 * word: each database reads comments in its own way, and what hides behind one here may be a commit there.
 */
const isAboutRows = /^[\s(]*(?:select|values|with|insert|replace|update|delete)\b/i

/** SQLite takes back the whole transaction where such a statement fails, and Node.js before 22.16 does not tell. */
const mayRollBack = /\b(?:or|conflict)\s+rollback\b/i

/** Maybe several statements in one text, which PostgreSQL takes where no values come with it; the second could be a commit. */
const mayBeSeveral = ({ sql, parameters }: CompiledQuery): boolean => parameters.length === 0 && /;\s*[^\s;]/.test(sql)

/**
 * The transaction as a run is given it: its statements and nothing else of it. `close` waits for those that are under way;
 * whatever comes after that is refused, or it would be written behind the answer that nothing was. It answers whether all had
 * ended before.
 */
export function statementsIn(trx: Transaction<Tables>): {
  readonly db: PlanTransaction
  readonly close: () => Promise<boolean>
} {
  const executor = trx.getExecutor()
  const underWay = new Set<Promise<unknown>>()
  let isOver = false
  const refuse = (why: string) => Promise.reject(new Error(why))
  const noTransaction = () =>
    refuse(
      'The run of a transactional tool is in a transaction already: ctx.transaction takes statements that begin with select, values, with, insert, replace, update or delete, and none that rolls back.',
    )
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      if (isOver)
        return refuse('The run is over, and so is its transaction: await all that it writes before it returns.')
      if (!isAboutRows.test(query.sql) || mayRollBack.test(query.sql)) return noTransaction()
      if (mayBeSeveral(query))
        return refuse('One statement at a time: a text with ";" before its end needs its values as parameters.')
      const answer = executor.executeQuery<R>(query)
      const settled = answer.then(
        () => undefined,
        () => undefined,
      )
      underWay.add(settled)
      void settled.then(() => underWay.delete(settled))
      return answer
    },
    streamQuery: () => {
      throw new Error('The transaction of a plan does not stream; use execute().')
    },
  }
  const dialect: Dialect = {
    createAdapter: () => executor.adapter,
    createQueryCompiler: () => ({ compileQuery: (node, queryId) => executor.compileQuery(node, queryId) }),
    createIntrospector: () => {
      throw new Error('The transaction of a plan does not list tables.')
    },
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      releaseConnection: () => Promise.resolve(),
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      destroy: () => Promise.resolve(),
    }),
  }
  return {
    db: new Kysely<unknown>({ dialect }),
    close: async () => {
      isOver = true
      const isDone = underWay.size === 0
      await Promise.all(underWay)
      return isDone
    },
  }
}
