// The words of rows, for whoever searches. No call pays for them: they are read off the rows when somebody asks, the newest
// first, and what was made once stays (ADR 87). Rows are known by the number of their last change: all of some ranges of
// changes have been looked at.
import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import { z } from 'zod'
import { isPostgres, takeTurns } from '../../dialect-locks.ts'
import { epoch } from '../../plan-row.ts'
import type { Relaxed } from '../../open-database.ts'
import type { Tables } from '../../tables.ts'
import { toNumber } from '../to-number.ts'
import { isBeforeRecent } from '../write/recent.ts'
import { searchedColumns, tenantWord, wordsOfRow } from './words.ts'

/** Rows of one step, each of which is a transaction. */
const STEP = 50

/** How long words are cut in one go, in milliseconds: calls wait for it. */
const GO_MS = 10

/** Steps of new rows that one question waits for. Where there are more, the newest come first, in a range of their own. */
const MOST_NEW = 100

/** Ranges that are remembered; what is left of them is closed when older rows are looked at. */
const MOST_RANGES = 20

/** Characters of one text that are read. */
const LONGEST = 20_000

/**
 * `activity_words` was of words that did not name their tenant. On SQLite the name has changed with the recent rows: an older
 * process goes on under the old one, and its ranges leave out rows that are moved later.
 */
const nameOf = (db: Kysely<Tables>): string =>
  isPostgres(db) ? 'activity_words_of_tenants' : 'activity_words_before_recent'

/** All changes from `low` to `high` have been looked at; the newest range first. */
const rangesJson = z.array(z.object({ low: epoch, high: epoch })).min(1)
type Ranges = readonly [{ readonly low: number; readonly high: number }, ...z.infer<typeof rangesJson>]

interface Step {
  /** All rows from this change on have been looked at. */
  readonly from: number
  /** What it looked at; `none` where all rows had their words. */
  readonly rows: 'new' | 'old' | 'none'
}

/**
 * Makes words until all rows have some, or for so long. Answers the number of change from which on all rows have theirs: 0
 * where that is all of them.
 */
export const indexWords = async (db: Kysely<Tables>, relaxed: Relaxed<Tables>, forMs: number): Promise<number> => {
  const until = performance.now() + forMs
  let step: Step
  let isOver: boolean
  let ofNew = 0
  do {
    step = await indexSome(db, relaxed, ofNew > MOST_NEW)
    ofNew = step.rows === 'new' ? ofNew + 1 : 0
    // What is new belongs to the answer; what is old may come with the next page.
    isOver = step.rows === 'none' || (step.rows === 'old' && (step.from === 0 || performance.now() >= until))
    // On SQLite nothing else has had a turn.
    await setImmediate()
  } while (!isOver)
  return step.from
}

/** Text columns, cut, of rows that are looked at. */
export const searchedTexts = () =>
  searchedColumns.map((name) => sql<string | null>`substr(${sql.ref(name)}, 1, ${sql.lit(LONGEST)})`.as(name))

/** Rows are read and their words cut before the transaction begins: it holds up calls, and texts may be long. */
async function indexSome(db: Kysely<Tables>, relaxed: Relaxed<Tables>, anew: boolean): Promise<Step> {
  const kept = await keptRanges(db)
  const ranges: Ranges = anew || kept === undefined ? [await noRange(db), ...(kept ?? [])] : kept
  const [range, below, ...others] = ranges
  const fresh = await rowsOf(db, (rows) => rows.where('change', '>', range.high).orderBy('change'))
  if (fresh.length === 0 && range.low === 0) return { from: 0, rows: 'none' }
  const rows =
    fresh.length > 0
      ? fresh
      : await rowsOf(db, (older) =>
          older
            .where('change', '<', range.low)
            .where('change', '>', below?.high ?? -1)
            .orderBy('change', 'desc'),
        )
  const last = toNumber(rows.at(-1)?.change ?? 0)
  const next: Ranges =
    fresh.length > 0
      ? [{ ...range, high: last }, ...ranges.slice(1)]
      : rows.length < STEP
        ? [{ low: below?.low ?? 0, high: range.high }, ...others]
        : [{ ...range, low: last }, ...ranges.slice(1)]
  const made = await cut(rows)
  const isKept = await relaxed(async (trx) => {
    await takeWords(trx)
    // Somebody else has made words meanwhile: the next step goes on from theirs.
    if (JSON.stringify(await keptRanges(trx)) !== JSON.stringify(kept)) return false
    await put(trx, await unchanged(trx, made))
    await keepRanges(trx, next.slice(0, MOST_RANGES))
    return true
  })
  return { from: isKept ? next[0].low : range.low, rows: fresh.length > 0 ? 'new' : 'old' }
}

type RowsQuery = ReturnType<typeof ofActivity>

const ofActivity = (db: Kysely<Tables>) =>
  db
    .selectFrom('countersign_activity')
    .select(['position', 'change', 'tenant', 'erased_at', ...searchedTexts()])
    .where(isBeforeRecent(db))
    .limit(STEP)

const rowsOf = (db: Kysely<Tables>, which: (rows: RowsQuery) => RowsQuery) => which(ofActivity(db)).execute()

interface Made {
  readonly position: number
  readonly change: number
  readonly words: string
}

/** The words of rows, with a pause for others wherever it takes longer. What is erased has none. */
async function cut(rows: Awaited<ReturnType<typeof rowsOf>>): Promise<readonly Made[]> {
  const made: Made[] = []
  let until = performance.now() + GO_MS
  for (const row of rows) {
    if (row.erased_at !== null) continue
    made.push({
      position: toNumber(row.position),
      change: toNumber(row.change),
      words: [tenantWord(row.tenant), ...wordsOfRow(row)].join(' '),
    })
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + GO_MS
  }
  return made
}

/** Those whose rows are as they were read: others were erased or removed meanwhile, or have ended and are new. */
async function unchanged(trx: Transaction<Tables>, made: readonly Made[]): Promise<readonly Made[]> {
  if (made.length === 0) return made
  const rows = await trx
    .selectFrom('countersign_activity')
    .select(['position', 'change'])
    .where(
      'position',
      'in',
      made.map(({ position }) => position),
    )
    .where('erased_at', 'is', null)
    .execute()
  const changes = new Map(rows.map(({ position, change }) => [toNumber(position), toNumber(change)]))
  return made.filter(({ position, change }) => changes.get(position) === change)
}

/** What the steps so far have looked at. */
const keptRanges = async (db: Kysely<Tables>): Promise<Ranges | undefined> => {
  const row = await db.selectFrom('countersign_meta').select('value').where('name', '=', nameOf(db)).executeTakeFirst()
  const [first, ...others] = row === undefined ? [] : rangesJson.parse(JSON.parse(row.value))
  return first && [first, ...others]
}

/** Of nothing: all rows are old. */
const noRange = async (db: Kysely<Tables>): Promise<Ranges[0]> => {
  const newest = await db
    .selectFrom('countersign_activity')
    .select((of) => of.fn.max('change').as('change'))
    .where(isBeforeRecent(db))
    .executeTakeFirst()
  const high = toNumber(newest?.change ?? 0)
  return { low: high + 1, high }
}

const keepRanges = async (trx: Transaction<Tables>, ranges: readonly Ranges[0][]): Promise<void> => {
  const value = JSON.stringify(ranges)
  await trx
    .insertInto('countersign_meta')
    .values({ name: nameOf(trx), value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

async function put(trx: Transaction<Tables>, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return
  const values = isPostgres(trx)
    ? sql`select position, array_to_tsvector(string_to_array(words, ' '))
        from unnest(${made.map(({ position }) => position)}::bigint[], ${made.map(({ words }) => words)}::text[])
          as made (position, words)`
    : sql`values ${sql.join(made.map(({ position, words }) => sql`(${position}, ${` ${words}`})`))}`
  await sql`insert into countersign_activity_words (position, words) ${values}
    on conflict (position) do update set words = excluded.words`.execute(trx)
}

/** Nobody makes words meanwhile, until the transaction ends. Before rows are changed whose words are to go. */
export const takeWords = (trx: Transaction<Tables>): Promise<void> => takeTurns(trx, 'activity words')

/** Words of rows that are gone, or whose texts are. */
export const dropWords = async (trx: Transaction<Tables>, positions: readonly number[]): Promise<void> => {
  if (positions.length === 0) return
  await sql`delete from countersign_activity_words where position in (${sql.join(positions)})`.execute(trx)
}

/** Words that one look for stray ones goes through. */
const MOST_SWEPT = 10_000

/**
 * Deletes words of rows that are gone or erased: a process of an older version, which knows no words, may have done that.
 * Looks at a bounded number of them from a position on, and answers where the next look goes on; 0 is the beginning.
 */
export const sweepWords = (relaxed: Relaxed<Tables>, from: number): Promise<number> =>
  relaxed(async (trx) => {
    await takeWords(trx)
    const { rows } = await sql<{ readonly position: number | string }>`select position from countersign_activity_words
      where position >= ${from} order by position limit 1 offset ${sql.lit(MOST_SWEPT)}`.execute(trx)
    const to = rows[0] && toNumber(rows[0].position)
    await sql`delete from countersign_activity_words
      where position >= ${from} and ${to === undefined ? sql`true` : sql`position < ${to}`}
        and not exists (select 1 from countersign_activity as kept
          where kept.position = countersign_activity_words.position and kept.erased_at is null)`.execute(trx)
    return to ?? 0
  })
