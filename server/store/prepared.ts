// Building a query costs Kysely more than SQLite takes to run it, and the steps that every call takes are a dozen queries
// whose values alone differ. So they are built once for each database.
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'

export interface Prepared<Values, Row> {
  /** Runs the query with these values, in a transaction or without. */
  (db: Pick<Kysely<never>, 'executeQuery'>, values: Values): Promise<QueryResult<Row>>
  /** The query with these values, for whoever runs it. */
  readonly with: (values: Values) => CompiledQuery<Row>
}

/** What stands for a value while its query is built. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is built at its first use. `build` is given a stand-in for each value, which it may only hand on as a
 * parameter: it can neither look at it nor compute with it, nor ask whether it is there. `finish`: what is done to it once.
 */
export function prepared<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (values: Values) => Compilable<Row>,
  finish: (query: CompiledQuery<Row>) => CompiledQuery<Row> = (query) => query,
): Prepared<Values, Row> {
  let built: CompiledQuery<Row> | undefined
  const standIns = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  const withValues = (values: Values): CompiledQuery<Row> => {
    built ??= finish(build(standIns).compile())
    const parameters = built.parameters.map((each) => {
      if (!(each instanceof Placeholder)) return each
      const value = values[each.name]
      // To PostgreSQL it would be null.
      if (value === undefined) throw new TypeError(`The query has no value for ${each.name}.`)
      return value
    })
    return { ...built, parameters }
  }
  const run = (db: Pick<Kysely<never>, 'executeQuery'>, values: Values): Promise<QueryResult<Row>> =>
    db.executeQuery<Row>(withValues(values))
  return Object.assign(run, { with: withValues })
}
