// When the rows were written that somebody asks for, by what became of them: for a picture above the list. A bounded number
// of rows is counted, the newest, so that a record of years is drawn as soon as one of a day.
import { sql } from 'kysely'
import { toNumber } from '../to-number.ts'
import { lookedTo, positionsWith } from '../search/index-words.ts'
import { conditions, filtered, outcomeOf, type Filter } from './filter.ts'
import { dimensions, type Db } from './query.ts'

/** Rows that are counted. */
const MOST = 100_000

/** Bars at most, and one more where the time does not begin with one. */
const BARS = 60

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const steps = [
  ...[1, 5, 15, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((each) => each * DAY),
]

/** Rows by time and outcome. All times in epoch milliseconds. */
export interface Histogram {
  /** The time that is looked at. */
  readonly since: number
  readonly until: number
  /** Where the first bar begins: bars begin at whole steps, so it may be before that time. */
  readonly barsFrom: number
  /** How long each bar is. */
  readonly step: number
  /** Those with rows, in their order. */
  readonly bars: readonly { readonly at: number; readonly outcome: string; readonly rows: number }[]
  /** Rows before this time were not counted; absent where all were. */
  readonly countedFrom: number | undefined
}

/** `from`: the position from which on all rows have their words, where the filter asks for some. */
export const histogram = async (db: Db, filter: Filter, now: number, from: number): Promise<Histogram> => {
  const until = filter.until ?? now + 1
  const first = filter.since ?? (await firstAt(db, filter.tenants ?? [])) ?? until - HOUR
  const long = Math.max(until - first, SECOND)
  const step = steps.find((each) => long / each <= BARS) ?? Math.ceil(long / BARS / DAY) * DAY
  const barsFrom = Math.floor(first / step) * step
  const looked = newestOf(db, filter, from)
  const rows = await db
    .selectFrom(looked.as('countersign_activity'))
    .select((is) => [
      sql<number | string>`(at - ${sql.lit(barsFrom)}) / ${sql.lit(step)}`.as('bar'),
      'outcome',
      is.fn.countAll<number | string>().as('rows'),
    ])
    .where((is) => is.and(conditions(is, filter, now)))
    .groupBy(['bar', 'outcome'])
    .orderBy('bar')
    .orderBy('outcome')
    .execute()
  const last =
    (await looked.clearSelect().select('at').limit(1).offset(MOST).executeTakeFirst()) ??
    (await wordsBegin(db, filter, from))
  return {
    since: first,
    until,
    barsFrom,
    step,
    bars: rows.map((row) => ({
      at: barsFrom + toNumber(row.bar) * step,
      outcome: row.outcome,
      rows: toNumber(row.rows),
    })),
    countedFrom: last === undefined ? undefined : toNumber(last.at),
  }
}

/** The newest rows that the most telling filter, the time and the words leave. */
const newestOf = (db: Db, { search = [], ...filter }: Filter, from: number) => {
  const driver = dimensions.find(([, name]) => filter[name]?.length === 1)
  return db
    .selectFrom('countersign_activity')
    .select(['position', 'at', ...filtered])
    .$if(driver !== undefined, (q) => {
      const [column, name] = driver ?? dimensions[0]
      const value = filter[name]?.[0] ?? ''
      return q.where(column, '=', column === 'outcome' ? outcomeOf(value) : value)
    })
    .$if(filter.since !== undefined, (q) => q.where('at', '>=', filter.since ?? 0))
    .$if(filter.until !== undefined, (q) => q.where('at', '<', filter.until ?? 0))
    .$if(search.length > 0, (q) =>
      q.where(sql<boolean>`position in (${positionsWith(db, search, { order: 'newest', from })})`),
    )
    .orderBy('at', 'desc')
    .limit(MOST)
}

/** The first row whose words were looked at, where there are rows before it. */
const wordsBegin = async (
  db: Db,
  { search = [] }: Filter,
  from: number,
): Promise<{ readonly at: number } | undefined> => {
  const first = search.length === 0 ? 0 : ((await lookedTo(db, { order: 'newest', from })) ?? from)
  if (first === 0) return undefined
  return await db
    .selectFrom('countersign_activity')
    .select('at')
    .where('position', '>=', first)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** When the record of these tenants begins; of all where none is named. */
const firstAt = async (db: Db, tenants: readonly string[]): Promise<number | undefined> => {
  const row = await db
    .selectFrom('countersign_activity')
    .select('at')
    .$if(tenants.length > 0, (q) => q.where('tenant', 'in', tenants))
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row && toNumber(row.at)
}
