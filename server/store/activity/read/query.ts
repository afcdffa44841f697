// Somebody asks a log of millions of rows for the few that match, at any depth. One filter walks its index in the order
// of the answer; the others are checked on the way, for a bounded number of rows. A page may therefore be shorter than
// asked and still have a next one, but it never takes long.
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { claimedPlan } from '../chain/digest-columns.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { CallBrief, CallEvent, CallLine, CallRecord, Status } from './entry.ts'
import { briefColumns, LONGEST_CALL_MS, recordColumns, toBrief, toRecord } from './row.ts'
import { toNumber } from '../to-number.ts'

/** What must hold of a row. An empty list, like none, asks for nothing. */
export interface Filter {
  readonly intentTypes?: readonly string[]
  readonly tools?: readonly string[]
  readonly statuses?: readonly Status[]
  readonly risks?: readonly string[]
  readonly tenants?: readonly string[]
  readonly verdicts?: readonly string[]
  readonly subjects?: readonly string[]
  readonly clients?: readonly string[]
  /** Doors of calls, and what is on record beside calls (`callSources`). */
  readonly sources?: readonly string[]
  /** Ids of plans or of approvals. */
  readonly plans?: readonly string[]
  readonly approvals?: readonly string[]
  /** Ids of grants under which it ran. */
  readonly grants?: readonly string[]
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  /** Epoch milliseconds, exclusive. */
  readonly until?: number
}

/** Where a page ended. */
export interface Place {
  readonly at: number
  readonly position: number
}

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
export type Is = ExpressionBuilder<Tables, 'countersign_activity'>

/** The rows of one page, as short lines. */
export const pageLines = async (db: Db, request: PageRequest, now: number): Promise<Page<CallBrief>> => {
  const { found, next } = await walk(db, request, now)
  const rows =
    found.length === 0
      ? []
      : await db.selectFrom('countersign_activity').select(briefColumns()).where('position', 'in', found).execute()
  return { calls: inOrder(found, rows).map((row) => toBrief(row, now)), next }
}

/** The rows of one page, with everything. */
export const pageRecords = async (db: Db, request: PageRequest, now: number): Promise<Page<CallRecord>> => {
  const { found, next } = await walk(db, request, now)
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

/** Positions of the rows of a page, and where the next one starts. */
async function walk(
  db: Db,
  { filter = {}, after, order = 'newest', limit }: PageRequest,
  now: number,
): Promise<{ readonly found: readonly number[]; readonly next: Place | undefined }> {
  const direction = order === 'newest' ? 'desc' : 'asc'
  const driver = dimensions.find(([, name]) => filter[name]?.length === 1)
  const index = db
    .selectFrom('countersign_activity')
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
  const rows = await db
    .selectFrom(
      index
        .select(['position', 'at', ...filtered])
        .limit(BUDGET)
        .as('countersign_activity'),
    )
    .select(['position', 'at'])
    .where((is) => is.and(conditions(is, filter, now)))
    .limit(limit + 1)
    .execute()
  const found = rows.slice(0, limit).map((row) => toNumber(row.position))
  if (rows.length > limit) return { found, next: toPlace(rows[limit - 1]) }
  const last = await index
    .select(['position', 'at'])
    .limit(1)
    .offset(BUDGET - 1)
    .executeTakeFirst()
  return { found, next: last && toPlace(last) }
}

const toPlace = (row: { readonly at: number; readonly position: number } | undefined): Place | undefined =>
  row && { at: toNumber(row.at), position: toNumber(row.position) }

const outcomeOf = (status: string): string => (status === 'unknown' ? 'open' : status)

function conditions(is: Is, filter: Filter, now: number) {
  const { statuses = [] } = filter
  const plain = equalities.flatMap(([column, name]) => {
    const wanted = filter[name] ?? []
    return wanted.length === 0 ? [] : [is(column, 'in', wanted)]
  })
  const { verdicts = [] } = filter
  // The column says the rule as well: `allow:proof`.
  if (verdicts.length > 0) plain.push(is.or(verdicts.map((verdict) => is('verdict', 'like', `${verdict}:%`))))
  const { grants = [] } = filter
  if (grants.length > 0) plain.push(is('verdict', 'in', grants.map(underGrant)))
  if (statuses.length === 0) return plain
  const settled = statuses.filter((status): status is Outcome => status !== 'open' && status !== 'unknown')
  const since = now - LONGEST_CALL_MS
  return [
    ...plain,
    is.or([
      ...(settled.length === 0 ? [] : [is('outcome', 'in', settled)]),
      ...(statuses.includes('open') ? [is.and([is('outcome', '=', 'open'), is('at', '>', since)])] : []),
      ...(statuses.includes('unknown') ? [is.and([is('outcome', '=', 'open'), is('at', '<=', since)])] : []),
    ]),
  ]
}

/** The verdict of a call that ran under a grant. */
const underGrant = (id: string): string => `allow:grant:${id}`

/** Column of the table, name in the filter, field of a line that was read. */
const equalities = [
  ['tool', 'tools', 'tool'],
  ['risk', 'risks', 'risk'],
  ['operation', 'intentTypes', 'operation'],
  ['tenant', 'tenants', 'tenant'],
  ['subject', 'subjects', 'subject'],
  ['client', 'clients', 'client'],
  ['source', 'sources', 'source'],
  ['plan_id', 'plans', 'planId'],
  ['approval_id', 'approvals', 'approvalId'],
] as const

const filtered = ['outcome', 'verdict', ...equalities.map(([column]) => column)] as const

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
  const rows = await db
    .selectFrom('countersign_activity')
    .select(briefColumns())
    .where('change', '>', change)
    .orderBy('change')
    .limit(limit)
    .execute()
  const lines = rows.map((row) => toBrief(row, now))
  return { calls: lines.filter((line) => matches(line, filter)), change: lines.at(-1)?.change ?? change }
}

/** The number of the newest change. */
export const newestChange = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('countersign_activity')
    .select((is) => is.fn.max('change').as('change'))
    .executeTakeFirst()
  return toNumber(row?.change ?? 0)
}

const matches = (line: CallLine, filter: Filter): boolean => {
  const within = (wanted: readonly string[] | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value))
  return (
    equalities.every(([, name, of]) => within(filter[name], line[of])) &&
    within(filter.statuses, line.status) &&
    within(filter.verdicts, line.verdict?.split(':')[0]) &&
    within(filter.grants?.map(underGrant), line.verdict) &&
    line.at >= (filter.since ?? -Infinity) &&
    line.at < (filter.until ?? Infinity)
  )
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
