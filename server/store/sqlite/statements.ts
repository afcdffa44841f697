// Preparing costs more than running: the same few statements come again and again, so the last ones are kept.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

const KEPT = 200

export interface Statements {
  prepare(sql: string): StatementSync
  clear(): void
}

/** Prepared statements of one connection, the least recently used forgotten first. */
export const createStatements = (database: DatabaseSync): Statements => {
  const kept = new Map<string, StatementSync>()
  return {
    prepare: (sql) => {
      const statement = kept.get(sql) ?? database.prepare(sql)
      kept.delete(sql)
      kept.set(sql, statement)
      const oldest = kept.keys().next()
      if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value)
      return statement
    },
    clear: () => kept.clear(),
  }
}
