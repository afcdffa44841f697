// Sums of a tenant's calls by whole hours and days, kept so that a page need not read a million rows. They are believed
// only for hours in which nothing has changed since they were summed up, and each question asks that anew: no write of a
// call has to know of them, and a process of an older version that knows nothing of them does no harm (ADR 75).
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { takeTurns } from '../../dialect-locks.ts'
import type { Tables } from '../../tables.ts'
import { addedUp, counts, DAY, HOUR, kinds, type Slice } from './call-kinds.ts'
import { toNumber } from '../to-number.ts'

/** In `countersign_meta`: whoever made sums has looked at all changes of the log up to the one with this number. */
const LOOKED = 'activity_sums'
/** Where more rows have changed since, nobody who waits looks for what they changed. */
const MOST_CHANGES = 20_000

/** Sums are made by one process at a time, and not while rows are removed. Whoever takes the log as well takes it first. */
export const takeSums = (trx: Transaction<Tables>): Promise<void> => takeTurns(trx, 'activity sums')

/** Whole hours, from `since` to `until` in epoch milliseconds; none where that is not later. */
type Hours = Pick<Slice, 'since' | 'until'>

/** The hours whose sums are those of the rows, in the state of the database that this transaction reads. */
export async function summedHours(trx: Kysely<Tables>, tenant: string): Promise<Hours> {
  const none = { since: 0, until: 0 }
  const state = await summedState(trx, tenant)
  if (state?.stands !== true) return none
  const changed = await trx
    .selectFrom(changedAfter(trx, state.looked, MOST_CHANGES).as('changed'))
    .select(({ fn }) => [
      fn.countAll().as('rows'),
      fn.min(sql<number | null>`case when tenant = ${tenant} then at end`).as('first'),
    ])
    .executeTakeFirstOrThrow()
  if (toNumber(changed.rows as number) === MOST_CHANGES) return none
  const first = changed.first === null ? state.until : hourOf(toNumber(changed.first))
  return { since: state.since, until: Math.min(state.until, first) }
}

/** What is kept of a tenant's sums, and whether they are of its chain as it is: no other cut, no later erasure. */
export async function summedState(db: Kysely<Tables>, tenant: string) {
  const row = await db
    .selectFrom('countersign_activity_summed')
    .innerJoin('countersign_meta', (join) => join.on('name', '=', LOOKED))
    .select(['since', 'until', 'value', sql<boolean | number>`${isOfPresentChain}`.as('present')])
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  return (
    row && {
      since: toNumber(row.since),
      until: toNumber(row.until),
      looked: Number(row.value),
      stands: Boolean(row.present),
    }
  )
}

/** The number of the change up to which all were looked at, and of the newest one. */
export async function lookedAt(
  trx: Transaction<Tables>,
): Promise<{ readonly looked: number; readonly newest: number }> {
  const known = await trx.selectFrom('countersign_meta').select('value').where('name', '=', LOOKED).executeTakeFirst()
  const row = await trx
    .selectFrom('countersign_activity')
    .select((of) => of.fn.max('change').as('change'))
    .executeTakeFirst()
  const newest = toNumber(row?.change ?? 0)
  if (known !== undefined && Number(known.value) <= newest) return { looked: Number(known.value), newest }
  // The first look; or the newest rows were removed, and under a clock that was put back later ones get numbers that were
  // looked at.
  await trx.deleteFrom('countersign_activity_summed').execute()
  await trx.deleteFrom('countersign_activity_sums').execute()
  await setLooked(trx, newest)
  return { looked: newest, newest }
}

export const setLooked = async (trx: Transaction<Tables>, change: number): Promise<void> => {
  const value = String(change)
  await trx
    .insertInto('countersign_meta')
    .values({ name: LOOKED, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Rows in the order of their last change, at most `most`. */
export const changedAfter = (db: Kysely<Tables>, change: number, most: number) =>
  db
    .selectFrom('countersign_activity')
    .select(['tenant', 'at', 'change'])
    .where('change', '>', change)
    .orderBy('change')
    .limit(most)

/** Where retention has cut a tenant's chain, and its newest erasure; 0 where there is none. */
export const chainMarks = (tenant: RawBuilder<string>) => ({
  cut: sql<number>`coalesce((select seq from countersign_activity_checkpoints where tenant = ${tenant}), 0)`,
  erasures: sql<number>`coalesce((select max(seq) from countersign_activity_erasures where tenant = ${tenant}), 0)`,
})

const own = chainMarks(sql.ref('countersign_activity_summed.tenant'))
/** Of a row of `countersign_activity_summed`. */
export const isOfPresentChain = sql<boolean>`(cut = ${own.cut} and erasures = ${own.erasures})`

/** The sums of whole hours: of days where all of it lies within, else of hours. */
export function sumsIn(db: Kysely<Tables>, { tenant, since, until }: Slice) {
  const [first, last] = [Math.ceil(since / DAY) * DAY, dayOf(until)]
  const sums = (length: number, from: number, to: number) =>
    db
      .selectFrom('countersign_activity_sums')
      .select(['since', ...kinds, ...counts])
      .where('tenant', '=', tenant)
      .where('length', '=', length)
      .where('since', '>=', from)
      .where('since', '<', to)
  // Not one condition with "or": SQLite would read all sums of the tenant for it.
  return addedUp(
    db,
    (first < last
      ? sums(HOUR, since, first)
          .unionAll(sums(DAY, first, last))
          .unionAll(sums(HOUR, last, until))
      : sums(HOUR, since, until)
    ).as('sums'),
  )
}

/**
 * Retention has removed these rows with its cut behind entry `to`, where the one before was behind `from`. Hours that they
 * were of have sums no more; the hours behind them keep theirs. In its transaction.
 */
export async function cutSums(
  trx: Transaction<Tables>,
  { tenant, from, to }: { readonly tenant: string; readonly from: number; readonly to: number },
  removed: readonly { readonly at: number }[],
): Promise<void> {
  await lookedAt(trx)
  const state = await trx
    .selectFrom('countersign_activity_summed')
    .select(['since', 'until'])
    .where('tenant', '=', tenant)
    // Of another cut they are not believed, and must not be from now on.
    .where('cut', '=', from)
    .executeTakeFirst()
  if (state === undefined) return
  const ends = removed.map(({ at }) => hourOf(toNumber(at)) + HOUR).filter((end) => end <= toNumber(state.until))
  const since = Math.max(toNumber(state.since), ...ends)
  await trx.updateTable('countersign_activity_summed').set({ since, cut: to }).where('tenant', '=', tenant).execute()
  if (since === toNumber(state.since)) return
  await trx.deleteFrom('countersign_activity_sums').where('tenant', '=', tenant).where('since', '<', since).execute()
}

/** When the hour, or the day, of this time began; both are UTC's. */
export const hourOf = (at: number): number => Math.floor(at / HOUR) * HOUR
export const dayOf = (at: number): number => Math.floor(at / DAY) * DAY
