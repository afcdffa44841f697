// The words of rows, for whoever searches. No call pays for them: they are read off the rows when somebody asks, the newest
// first, and what was made once stays (ADR 87). Rows are known by the number of their last change: all between `low` and
// `high` have been looked at.
import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import { z } from 'zod'
import { isPostgres, takeTurns } from '../../dialect-locks.ts'
import { epoch } from '../../plan-row.ts'
import type { Relaxed } from '../../open-database.ts'
import type { Tables } from '../../tables.ts'
import { toNumber } from '../to-number.ts'
import { searchedColumns, wordsOfRow } from './words.ts'

/** Rows of one step, each of which is a transaction. */
const STEP = 50

/** How long words are cut in one go, in milliseconds: calls wait for it. */
const GO_MS = 10

/** Steps of new rows that one question waits for. Where there are more, all rows are old again, and the newest come first. */
const MOST_NEW = 100

/** Characters of one text that are read. */
const LONGEST = 20_000

const NAME = 'activity_words'

const markJson = z.object({ low: epoch, high: epoch })
type Mark = z.infer<typeof markJson>

interface Step {
  readonly mark: Mark
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
    isOver = step.rows === 'none' || (step.rows === 'old' && (step.mark.low === 0 || performance.now() >= until))
  } while (!isOver)
  return step.mark.low
}

/** Text columns, cut, of rows that are looked at. */
export const searchedTexts = () =>
  searchedColumns.map((name) => sql<string | null>`substr(${sql.ref(name)}, 1, ${sql.lit(LONGEST)})`.as(name))

/** Rows are read and their words cut before the transaction begins: it holds up calls, and texts may be long. */
async function indexSome(db: Kysely<Tables>, relaxed: Relaxed<Tables>, anew: boolean): Promise<Step> {
  const kept = await keptMark(db)
  const mark = (anew ? undefined : kept) ?? (await firstMark(db))
  const fresh = await rowsOf(db, (rows) => rows.where('change', '>', mark.high).orderBy('change'))
  const rows =
    fresh.length > 0 || mark.low === 0
      ? fresh
      : await rowsOf(db, (older) => older.where('change', '<', mark.low).orderBy('change', 'desc'))
  const last = toNumber(rows.at(-1)?.change ?? 0)
  const next = fresh.length > 0 ? { ...mark, high: last } : { ...mark, low: rows.length < STEP ? 0 : last }
  const step: Step = { mark: next, rows: fresh.length > 0 ? 'new' : rows.length > 0 ? 'old' : 'none' }
  if (!anew && isSame(kept, next)) return step
  const made = await cut(rows)
  await relaxed(async (trx) => {
    await takeWords(trx)
    // Somebody else has made words meanwhile: the next step goes on from theirs.
    if (!isSame(await keptMark(trx), kept)) return
    await put(trx, await unchanged(trx, made))
    await keepMark(trx, next)
  })
  return step
}

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one?.low === other?.low && one?.high === other?.high

type RowsQuery = ReturnType<typeof ofActivity>

const ofActivity = (db: Kysely<Tables>) =>
  db
    .selectFrom('countersign_activity')
    .select(['position', 'change', 'erased_at', ...searchedTexts()])
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
      words: wordsOfRow(row).join(' '),
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

/** Where the last step ended. */
const keptMark = async (db: Kysely<Tables>): Promise<Mark | undefined> => {
  const row = await db.selectFrom('countersign_meta').select('value').where('name', '=', NAME).executeTakeFirst()
  return row && markJson.parse(JSON.parse(row.value))
}

/** All rows are old. */
const firstMark = async (db: Kysely<Tables>): Promise<Mark> => {
  const newest = await db
    .selectFrom('countersign_activity')
    .select((of) => of.fn.max('change').as('change'))
    .executeTakeFirst()
  const high = toNumber(newest?.change ?? 0)
  return { low: high + 1, high }
}

const keepMark = async (trx: Transaction<Tables>, mark: Mark): Promise<void> => {
  const value = JSON.stringify(mark)
  await trx
    .insertInto('countersign_meta')
    .values({ name: NAME, value })
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

/**
 * The condition that all of these words occur. They hold letters and figures only, so none of them is an operator; a cast
 * takes each as it is, where `to_tsquery` would take `12e34ab` for a number and a word.
 */
export const matching = (db: Pick<Kysely<Tables>, 'getExecutor'>, words: readonly string[]) =>
  isPostgres(db)
    ? sql<boolean>`words @@ cast(${words.map((word) => `'${word}':*`).join(' & ')} as tsquery)`
    : sql<boolean>`${sql.join(
        words.map((word) => sql`instr(words, ${` ${word}`}) > 0`),
        sql` and `,
      )}`

/** Rows whose words one question looks at where the database has no index of them. */
const MOST_LOOKED = 100_000

interface Range {
  readonly order: 'newest' | 'oldest'
  /** Where the last page ended. */
  readonly after?: number | undefined
  /** From this position on all rows have their words. */
  readonly from: number
}

const within = ({ order, after, from }: Range) => {
  const beyond =
    after === undefined ? sql`true` : order === 'newest' ? sql`position < ${after}` : sql`position > ${after}`
  return sql`${beyond} and position >= ${from}`
}

const inOrder = ({ order }: Range) => (order === 'newest' ? sql`order by position desc` : sql`order by position`)

/**
 * Positions of the rows of a range that have all of these words, in its order. SQLite reads the words of a bounded number of
 * rows for it: `lookedTo` says up to which.
 */
export const positionsWith = (db: Pick<Kysely<Tables>, 'getExecutor'>, words: readonly string[], range: Range) => {
  const rows = isPostgres(db)
    ? sql`countersign_activity_words where ${within(range)} and`
    : sql`(select position, words from countersign_activity_words
        where ${within(range)} ${inOrder(range)} limit ${sql.lit(MOST_LOOKED)}) as looked where`
  return sql<{
    readonly position: number | string
  }>`select position from ${rows} ${matching(db, words)} ${inOrder(range)}`
}

/** The last position that `positionsWith` has looked at; `undefined` where it is the end of the range. */
export const lookedTo = async (db: Kysely<Tables>, range: Range): Promise<number | undefined> => {
  if (isPostgres(db)) return undefined
  const { rows } = await sql<{ readonly position: number }>`select position from countersign_activity_words
    where ${within(range)} ${inOrder(range)} limit 1 offset ${sql.lit(MOST_LOOKED - 1)}`.execute(db)
  return rows[0]?.position
}

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
