// When the rows were written that somebody asks for, by what became of them: for a picture above the list. Without filters
// all are counted; with some, the newest, for a bounded time.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { rowsAt, sliceOf } from '../search/candidates.ts'
import { toNumber } from '../to-number.ts'
import { statuses } from './entry.ts'
import { conditions, outcomeOf, type Filter } from './filter.ts'
import { endOf, indexOf, type Db, type Place } from './query.ts'

/** How long rows of a filter are counted, in milliseconds. */
const COUNT_MS = 1_000

/** Rows that are counted in one go. */
const SLICE = 2_000

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
  const { since: _, until: __, ...others } = filter
  const asksForTimeAlone = Object.values(others).every((values) => values.length === 0)
  const { counts, countedFrom } = asksForTimeAlone
    ? await countTimes(db, { first, until, barsFrom, step })
    : await countSlices(db, filter, { barsFrom, step, now, from })
  return {
    since: first,
    until,
    barsFrom,
    step,
    bars: counts.toSorted((one, other) => one.at - other.at || (one.outcome < other.outcome ? -1 : 1)),
    // Before the time that is asked for, there is nothing to count.
    countedFrom: countedFrom !== undefined && countedFrom > first ? countedFrom : undefined,
  }
}

interface Counted {
  readonly counts: Histogram['bars']
  readonly countedFrom: number | undefined
}

/** All rows of a time, however many: the database counts along its index of outcomes, a bar at a time. */
async function countTimes(
  db: Db,
  { first, until, barsFrom, step }: { first: number; until: number; barsFrom: number; step: number },
): Promise<Counted> {
  const counts: Histogram['bars'][number][] = []
  for (let at = barsFrom; at < until; at += step) {
    const rows = await db
      .selectFrom('countersign_activity')
      .select((is) => ['outcome', is.fn.countAll<number | string>().as('rows')])
      // Without their names, the rows themselves would be read.
      .where('outcome', 'in', [...new Set(statuses.map(outcomeOf))])
      .where('at', '>=', Math.max(at, first))
      .where('at', '<', Math.min(at + step, until))
      .groupBy('outcome')
      .execute()
    counts.push(...rows.map(({ outcome, rows: each }) => ({ at, outcome, rows: toNumber(each) })))
    await setImmediate()
  }
  return { counts, countedFrom: undefined }
}

interface Looked {
  /** The rows that are counted, before the filter's own conditions. */
  readonly rows: ReturnType<typeof rowsAt>
  /** The row where it ended; `undefined` where there are no more. */
  readonly to: number | undefined
}

/** The rows that a filter leaves, the newest first, a slice at a time: on SQLite they are counted where calls are served. */
async function countSlices(
  db: Db,
  filter: Filter,
  { barsFrom, step, now, from }: { barsFrom: number; step: number; now: number; from: number },
): Promise<Counted> {
  const counts = new Map<string, Histogram['bars'][number]>()
  const deadline = performance.now() + COUNT_MS
  const slices = (filter.search ?? []).length === 0 ? byIndex(db, filter) : byWords(db, filter, from)
  for await (const { rows, to } of slices) {
    const found = await db
      .selectFrom(rows.as('countersign_activity'))
      .select((is) => [
        sql<number | string>`(at - ${sql.lit(barsFrom)}) / ${sql.lit(step)}`.as('bar'),
        'outcome',
        is.fn.countAll<number | string>().as('rows'),
      ])
      .where((is) => is.and(conditions(is, filter, now)))
      .$if(filter.since !== undefined, (q) => q.where('at', '>=', filter.since ?? 0))
      .$if(filter.until !== undefined, (q) => q.where('at', '<', filter.until ?? 0))
      .groupBy(['bar', 'outcome'])
      .execute()
    for (const { bar, outcome, rows: more } of found) {
      const at = barsFrom + toNumber(bar) * step
      const key = `${at} ${outcome}`
      counts.set(key, { at, outcome, rows: (counts.get(key)?.rows ?? 0) + toNumber(more) })
    }
    if (to !== undefined && performance.now() >= deadline)
      return { counts: [...counts.values()], countedFrom: await atOf(db, to) }
    await setImmediate()
  }
  const isAll = (filter.search ?? []).length === 0 || from === 0
  return { counts: [...counts.values()], countedFrom: isAll ? undefined : ((await atOf(db, from)) ?? now) }
}

async function* byIndex(db: Db, filter: Filter): AsyncGenerator<Looked> {
  let after: Place | undefined
  do {
    const index = indexOf(db, filter, after === undefined ? {} : { after })
    after = await endOf(index, SLICE)
    yield { rows: index.limit(SLICE), to: after?.position }
  } while (after !== undefined)
}

async function* byWords(db: Db, filter: Filter, from: number): AsyncGenerator<Looked> {
  let after: number | undefined
  do {
    const { positions, to } = await sliceOf(
      db,
      filter,
      { order: 'newest', after, from },
      after === undefined ? 'rows' : 'index',
    )
    after = to
    yield { rows: rowsAt(db, positions), to }
  } while (after !== undefined)
}

/** When the first row from this position on was written. */
async function atOf(db: Db, position: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('countersign_activity')
    .select('at')
    .where('position', '>=', position)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row && toNumber(row.at)
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
