// Rows that have all of some words, in the order of arrival, a slice at a time: SQLite reads words on the thread that serves
// calls, so one slice is a few milliseconds, and who takes several lets others run in between. PostgreSQL has an index, of
// which a question takes a bounded number of rows.
import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../../dialect-locks.ts'
import type { Tables } from '../../tables.ts'
import { filtered, type Filter } from '../read/filter.ts'
import { toNumber } from '../to-number.ts'
import { tenantWord, wordsIn } from './words.ts'

/** Rows of a slice. */
const SLICE = 2_000

/** More rows than any database has. */
const NO_LIMIT = 2 ** 40

/** Letters of a word for which an index is asked: nearly every row has a word that begins with a given letter. */
const SHORTEST_INDEXED = 3

export interface Range {
  readonly order: 'newest' | 'oldest'
  /** Where the last slice ended. */
  readonly after: number | undefined
  /** From this position on all rows have their words. */
  readonly from: number
}

interface Slice {
  /** Of rows that have the words and may fit the filter, in the order of the range. */
  readonly positions: readonly number[]
  /** Where the next slice goes on; `undefined` at the end of the range. */
  readonly to: number | undefined
}

/**
 * The next slice of a range. `how`: row by row, or by the index where the database has one. An index is slow for a word of
 * very many rows, and of such a word a slice has enough.
 */
export async function sliceOf(db: Kysely<Tables>, filter: Filter, range: Range, how: 'rows' | 'index'): Promise<Slice> {
  const { tools = [], search = [] } = filter
  // The name of the tool is among the words.
  const words = [...search, ...(tools.length === 1 ? wordsIn(tools[0] ?? '') : [])]
  const isIndexed = how === 'index' && isPostgres(db) && words.some(isLong)
  const inRange = within(db, range)
  const isNewest = range.order === 'newest'
  // Where it ends is asked first: rows that come or go between the two questions are neither seen twice nor left out.
  const end = isIndexed
    ? undefined
    : await inRange
        .clearSelect()
        .select('position')
        .limit(1)
        .offset(SLICE - 1)
        .executeTakeFirst()
  const to = end && toNumber(end.position)
  const slice = inRange.$if(to !== undefined, (q) => q.where('position', isNewest ? '>=' : '<=', to ?? 0))
  // A subquery with a limit is not taken apart, so the index is not asked for a word of very many rows.
  const rows = isIndexed ? inRange.limit(SLICE) : db.selectFrom(slice.limit(NO_LIMIT).as('countersign_activity_words'))
  const matching = isPostgres(db) ? matchingLexemes : matchingTexts
  const found = await rows
    .select('position')
    .where(matching(words, filter.tenants ?? []))
    .orderBy('position', isNewest ? 'desc' : 'asc')
    .execute()
  const positions = found.map(({ position }) => toNumber(position))
  return { positions, to: isIndexed ? positions[SLICE - 1] : to }
}

const within = (db: Kysely<Tables>, { order, after, from }: Range) =>
  db
    .selectFrom('countersign_activity_words')
    .select(['position', 'words'])
    .where('position', '>=', from)
    .$if(after !== undefined, (q) => q.where('position', order === 'newest' ? '<' : '>', after ?? 0))
    .orderBy('position', order === 'newest' ? 'desc' : 'asc')

const isLong = (word: string): boolean => word.length >= SHORTEST_INDEXED

const matchingTexts = (words: readonly string[], tenants: readonly string[]) => {
  const starts = tenants.map((tenant) => ` ${tenantWord(tenant)} `)
  const ofTenants = starts.map((start) => sql`substr(words, 1, ${start.length}) = ${start}`)
  return sql<boolean>`${sql.join(
    [
      ...(starts.length === 0 ? [] : [sql`(${sql.join(ofTenants, sql` or `)})`]),
      ...words.map((word) => sql`instr(words, ${` ${word}`}) > 0`),
    ],
    sql` and `,
  )}`
}

/**
 * Words hold letters and figures only, so none of them is an operator; a cast takes each as it is, where `to_tsquery` would
 * take `12e34ab` for a number and a word. Short ones are compared with what the index has found for the others.
 */
const matchingLexemes = (words: readonly string[], tenants: readonly string[]) => {
  const [long, short] = [words.filter(isLong), words.filter((word) => !isLong(word))].map((some) =>
    some.map((word) => `'${word}':*`),
  )
  const ofTenants = tenants.map((tenant) => `'${tenantWord(tenant)}'`).join(' | ')
  const all = [...(tenants.length === 0 ? [] : [`(${ofTenants})`]), ...(long ?? [])]
  return sql<boolean>`${sql.join(
    [
      ...(all.length === 0 ? [] : [sql`words @@ cast(${all.join(' & ')} as tsquery)`]),
      ...(short ?? []).map((word) => sql`(words || cast('' as tsvector)) @@ cast(${word} as tsquery)`),
    ],
    sql` and `,
  )}`
}

/** These rows, with the columns that filters look at. No other condition decides by which index they are found. */
export const rowsAt = (db: Kysely<Tables>, positions: readonly number[]) =>
  db
    .selectFrom('countersign_activity')
    .select(['position', 'at', ...filtered])
    .where(
      isPostgres(db)
        ? sql<boolean>`position = any(${positions}::bigint[])`
        : sql<boolean>`position in (select value from json_each(${JSON.stringify(positions)}))`,
    )
    .limit(Math.max(1, positions.length))
