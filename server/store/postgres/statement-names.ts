// A statement with a name is parsed and planned once for each connection instead of at every call. The same few come
// again and again; those that come seldom, or in many shapes (a list of ids), are not worth the server's memory.
import { createHash } from 'node:crypto'

/** Seen so often, a statement gets a name. */
const OFTEN = 3
/** At most so many have one; a connection keeps them all. */
const NAMED = 400
/** At most so many are watched. */
const WATCHED = 2000

const preparable = /^(?:select|insert|update|delete|with)\b/

/** Names for the statements of one pool. */
export const createStatementNames = (): ((sql: string) => string | undefined) => {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= NAMED || !preparable.test(sql)) return known
    const times = (seen.get(sql) ?? 0) + 1
    if (times < OFTEN) {
      if (seen.size >= WATCHED) seen.clear()
      seen.set(sql, times)
      return undefined
    }
    seen.delete(sql)
    const name = `countersign_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`
    names.set(sql, name)
    return name
  }
}
