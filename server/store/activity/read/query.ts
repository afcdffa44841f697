// Somebody asks a log of millions of rows for the few that match, at any depth. One filter walks its index in the order
// of the answer; the others are checked on the way, for a bounded number of rows. A page may therefore be shorter than
// asked and still have a next one, but it never takes long.
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { claimedPlan } from '../chain/digest-columns.ts'
import type { CallBrief, CallEvent, CallLine, CallRecord } from './entry.ts'
import { conditions, filtered, matches, outcomeOf, type Filter } from './filter.ts'
import { briefColumns, recordColumns, toBrief, toRecord } from './row.ts'
import { toNumber } from '../to-number.ts'
import { isBeforeRecent } from '../write/recent.ts'
import { searchedTexts } from '../search/index-words.ts'
import { searchWalk } from '../search/search-walk.ts'
import { hasWords } from '../search/words.ts'

/** Where a page ended. */
export interface Place {
  readonly at: number
  readonly position: number
}

/** What a search needs beside its words: from which change on all rows have theirs. */
export type IndexedFrom = (request: PageRequest) => Promise<number>

export interface PageRequest {
  readonly filter?: Filter
  readonly after?: Place
  /** Newest first when absent. */
  readonly order?: 'newest' | 'oldest'
  readonly limit: number
}

export interface Page<Row> {
  readonly calls: readonly Row[]
  /** Absent where there is nothing more. */
  readonly next: Place | undefined
}

/** How many rows of the walked index one page looks at. */
const BUDGET = 5000

export type Db = Kysely<Tables>

/** The rows of one page, as short lines. */
export const pageLines = async (
  db: Db,
  request: PageRequest,
  now: number,
  indexed: IndexedFrom,
): Promise<Page<CallBrief>> => {
  const { found, next } = await positionsOf(db, request, now, indexed)
  const rows =
    found.length === 0
      ? []
      : await db.selectFrom('countersign_activity').select(briefColumns()).where('position', 'in', found).execute()
  return { calls: inOrder(found, rows).map((row) => toBrief(row, now)), next }
}

/** The rows of one page, with everything. */
export const pageRecords = async (
  db: Db,
  request: PageRequest,
  now: number,
  indexed: IndexedFrom,
): Promise<Page<CallRecord>> => {
  const { found, next } = await positionsOf(db, request, now, indexed)
  const rows =
    found.length === 0
      ? []
      : await db.selectFrom('countersign_activity').select(recordColumns).where('position', 'in', found).execute()
  return { calls: await withEvents(db, inOrder(found, rows), now), next }
}

const inOrder = <Row extends { readonly position: number }>(order: readonly number[], rows: readonly Row[]): Row[] => {
  const byPosition = new Map(rows.map((row) => [toNumber(row.position), row]))
  return order.flatMap((position) => byPosition.get(position) ?? [])
}

/** Positions of the rows of a page, and where the next one starts; by their words where some are asked for. */
async function positionsOf(
  db: Db,
  request: PageRequest,
  now: number,
  indexed: IndexedFrom,
): Promise<{ readonly found: readonly number[]; readonly next: Place | undefined }> {
  const { filter = {}, after, order = 'newest', limit } = request
  if ((filter.search ?? []).length === 0) return walk(db, request, now)
  const from = await indexed(request)
  const { found, next } = await searchWalk(db, { filter, order, limit, after: after?.position, from }, now)
  // A search goes by the order of arrival alone.
  return { found, next: next === undefined ? undefined : { at: 0, position: next } }
}

/** In the order in which an index is chosen: a plan has few calls. */
const dimensions = [
  ['plan_id', 'plans'],
  ['approval_id', 'approvals'],
  ['tool', 'tools'],
  ['outcome', 'statuses'],
  ['risk', 'risks'],
  ['operation', 'intentTypes'],
  ['tenant', 'tenants'],
] as const

/** Rows of the time of a filter in the order of the index that the most telling of its conditions has, from a place on. */
export const indexOf = (db: Db, filter: Filter, { after, order = 'newest' }: Pick<PageRequest, 'after' | 'order'>) => {
  const direction = order === 'newest' ? 'desc' : 'asc'
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
    .$if(after !== undefined, (q) =>
      q.where((is) =>
        is(
          is.refTuple('at', 'position'),
          direction === 'desc' ? '<' : '>',
          is.tuple(after?.at ?? 0, after?.position ?? 0),
        ),
      ),
    )
    .orderBy('at', direction)
    .orderBy('position', direction)
}

/** The last row of a budget of rows of an index; `undefined` where it has no more of them. */
export const endOf = async (index: ReturnType<typeof indexOf>, budget: number): Promise<Place | undefined> =>
  toPlace(
    await index
      .clearSelect()
      .select(['position', 'at'])
      .limit(1)
      .offset(budget - 1)
      .executeTakeFirst(),
  )

/** Positions of the rows of a page, and where the next one starts. */
async function walk(
  db: Db,
  { filter = {}, after, order = 'newest', limit }: PageRequest,
  now: number,
): Promise<{ readonly found: readonly number[]; readonly next: Place | undefined }> {
  const index = indexOf(db, filter, { order, ...(after === undefined ? {} : { after }) })
  const rows = await db
    .selectFrom(index.limit(BUDGET).as('countersign_activity'))
    .select(['position', 'at'])
    .where((is) => is.and(conditions(is, filter, now)))
    .limit(limit + 1)
    .execute()
  const found = rows.slice(0, limit).map((row) => toNumber(row.position))
  if (rows.length > limit) return { found, next: toPlace(rows[limit - 1]) }
  return { found, next: await endOf(index, BUDGET) }
}

const toPlace = (row: { readonly at: number; readonly position: number } | undefined): Place | undefined =>
  row && { at: toNumber(row.at), position: toNumber(row.position) }

/** One row, by its id. */
export const findCall = async (db: Db, id: string, now: number): Promise<CallRecord | undefined> => {
  const rows = await db.selectFrom('countersign_activity').select(recordColumns).where('id', '=', id).execute()
  return (await withEvents(db, rows, now))[0]
}

/** Rows that were written or completed after this change, in the order of their changes. */
export const changesSince = async (
  db: Db,
  { change, filter = {}, limit }: { readonly change: number; readonly filter?: Filter; readonly limit: number },
  now: number,
): Promise<{ readonly calls: readonly CallBrief[]; readonly change: number }> => {
  const { search = [] } = filter
  const rows = await db
    .selectFrom('countersign_activity')
    .select(briefColumns())
    .where('change', '>', change)
    .where(isBeforeRecent(db))
    .orderBy('change')
    .limit(limit)
    .execute()
  const lines = rows.map((row) => toBrief(row, now))
  const fitting = lines.filter((line) => matches(line, filter))
  const calls = search.length === 0 ? fitting : await havingWords(db, fitting, search)
  return { calls, change: lines.at(-1)?.change ?? change }
}

/** Those of a few lines in which all of these words occur. */
const havingWords = async <Line extends CallLine>(
  db: Db,
  lines: readonly Line[],
  words: readonly string[],
): Promise<readonly Line[]> => {
  if (lines.length === 0) return []
  const ids = lines.map(({ id }) => id)
  const rows = await db
    .selectFrom('countersign_activity')
    .select(['id', ...searchedTexts()])
    .where('id', 'in', ids)
    .execute()
  const having = new Set(rows.filter((row) => hasWords(row, words)).map(({ id }) => id))
  return lines.filter(({ id }) => having.has(id))
}

/** The number of the newest change that a watcher goes on from. */
export const newestChange = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('countersign_activity')
    .select((is) => is.fn.max('change').as('change'))
    .where(isBeforeRecent(db))
    .executeTakeFirst()
  return toNumber(row?.change ?? 0)
}

/** These rows as records, with what their tools have added. */
export const withEvents = async (
  db: Db,
  rows: readonly { readonly id: string }[],
  now: number,
): Promise<CallRecord[]> => {
  const events = await eventsOf(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => toRecord(row, events.get(row.id) ?? [], now))
}

const eventsOf = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, readonly CallEvent[]>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('countersign_activity_events')
    .select(['call_id', 'at', 'name', 'data'])
    .where('call_id', 'in', ids)
    .orderBy('tenant')
    .orderBy('seq')
    .execute()
  // Which plan a call has claimed, its row says itself.
  const told = rows.filter(({ name }) => claimedPlan(name) === undefined)
  const toEvent = ({ at, name, data }: (typeof rows)[number]) => ({ at: toNumber(at), name, data: data ?? undefined })
  return new Map([...Map.groupBy(told, (row) => row.call_id)].map(([id, events]) => [id, events.map(toEvent)]))
}
