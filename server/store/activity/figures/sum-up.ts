// Making the sums of hours that are over (`sums.ts`), a small step at a time: the process answers calls meanwhile. Each step
// is one transaction, begins where the last one ended, whoever took it, and sums whole hours up anew. So nothing is lost or
// counted twice where a process dies in the middle, and nothing matters but where the next step begins.
import { sql, type Transaction } from 'kysely'
import type { Relaxed } from '../../open-database.ts'
import type { Tables } from '../../tables.ts'
import { addedUp, callsIn, counts, DAY, HOUR, kinds, type Slice } from './call-kinds.ts'
import { LONGEST_CALL_MS } from '../read/row.ts'
import { headTable } from '../call-tables.ts'
import {
  chainMarks,
  changedAfter,
  dayOf,
  hourOf,
  isOfPresentChain,
  lookedAt,
  setLooked,
  summedState,
  takeSums,
} from './sums.ts'
import { toNumber } from '../to-number.ts'
import { moveRecent } from '../write/recent.ts'

/** An hour is summed up so long after its end: its calls have ended by then, and with them their rows. */
const REST_MS = LONGEST_CALL_MS + 5 * 60_000
/** So much is done in one step: rows read, or one hour of them, and changes looked at. */
const STEP = { rows: 2000, changes: 5000 }
/** So many tenants are looked for in one step. */
const TENANTS = 50

/** One step; answers whether another one is due. What a power cut takes of it is made again. */
export const sumUp = (relaxed: Relaxed<Tables>, now: number, most = STEP): Promise<boolean> =>
  relaxed(async (trx) => {
    await takeSums(trx)
    await moveRecent(trx)
    if (await lookAtChanges(trx, most.changes)) return true
    const due = hourOf(now - REST_MS)
    const tenants = await dueTenants(trx, due)
    let rows = 0
    for (const { tenant } of tenants) if (rows < most.rows) rows += await extend(trx, tenant, due, most.rows - rows)
    return tenants.length > 0
  })

/** An hour in which something has changed has to be summed up again. Answers whether there is more to look at. */
async function lookAtChanges(trx: Transaction<Tables>, most: number): Promise<boolean> {
  const { looked, newest } = await lookedAt(trx)
  if (looked === newest) return false
  const changed = await trx
    .selectFrom(changedAfter(trx, looked, most).as('changed'))
    .select(({ fn }) => ['tenant', fn.min('at').as('first'), fn.max('change').as('change'), fn.countAll().as('rows')])
    .groupBy('tenant')
    .execute()
  for (const { tenant, first } of changed) {
    const until = hourOf(toNumber(first))
    await trx
      .updateTable('countersign_activity_summed')
      .set({ until })
      .where('tenant', '=', tenant)
      .where('until', '>', until)
      .execute()
  }
  await setLooked(trx, Math.max(looked, ...changed.map(({ change }) => toNumber(change))))
  return changed.reduce((sum, { rows }) => sum + Number(rows), 0) === most
}

/** Tenants with hours that are over and have no sums. */
const dueTenants = (trx: Transaction<Tables>, due: number) =>
  trx
    .selectFrom(`${headTable(trx)} as head`)
    .leftJoin('countersign_activity_summed', 'countersign_activity_summed.tenant', 'head.tenant')
    .select('head.tenant')
    .where((is) => is.or([is('until', 'is', null), is('until', '<', due), is.not(isOfPresentChain)]))
    .orderBy('head.tenant')
    .limit(TENANTS)
    .execute()

/** Sums up the next hours of a tenant, up to `most` rows or one hour of them; answers about how many rows that were. */
async function extend(trx: Transaction<Tables>, tenant: string, due: number, most: number): Promise<number> {
  // Before any row is read: what is erased or removed meanwhile makes these sums those of another chain.
  const { cut, erasures } = chainMarks(sql`${tenant}`)
  const marks = await trx.selectNoFrom([cut.as('cut'), erasures.as('erasures')]).executeTakeFirstOrThrow()
  const state = await summedState(trx, tenant)
  // Where nothing of it is believed any more, all of it is made again.
  const kept = state?.stands === true && state.since < state.until ? state : { since: 0, until: 0 }
  const calls = trx
    .selectFrom('countersign_activity')
    .select('at')
    .where('tenant', '=', tenant)
    .where('at', '>=', kept.until)
    .where('at', '<', due)
    .orderBy('at')
  const found = await trx
    .selectFrom(calls.limit(most).as('calls'))
    .select(({ fn }) => [fn.min('at').as('first'), fn.countAll().as('rows')])
    .executeTakeFirstOrThrow()
  const rows = Number(found.rows)
  const next = rows < most ? undefined : await calls.offset(most).limit(1).executeTakeFirst()
  const from = rows === 0 ? due : hourOf(toNumber(found.first))
  const until = next === undefined ? due : Math.max(from + HOUR, hourOf(toNumber(next.at)))
  // What there was of an hour that has no calls any more goes as well.
  await remove(trx, tenant, HOUR, kept.until, until)
  await insert(trx, tenant, HOUR, callsIn(trx, { tenant, since: from, until }))
  const [first, last] = [dayOf(kept.until), dayOf(until)]
  await remove(trx, tenant, DAY, first, last)
  await insert(trx, tenant, DAY, hoursByDay(trx, { tenant, since: first, until: last }))
  const value = { since: kept.since, until, cut: toNumber(marks.cut), erasures: toNumber(marks.erasures) }
  await trx
    .insertInto('countersign_activity_summed')
    .values({ tenant, ...value })
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet(value))
    .execute()
  return rows
}

const remove = (trx: Transaction<Tables>, tenant: string, length: number, since: number, until: number) =>
  trx
    .deleteFrom('countersign_activity_sums')
    .where('tenant', '=', tenant)
    .where('length', '=', length)
    .where('since', '>=', since)
    .where('since', '<', until)
    .execute()

const insert = (
  trx: Transaction<Tables>,
  tenant: string,
  length: number,
  calls: ReturnType<typeof callsIn> | ReturnType<typeof hoursByDay>,
) =>
  trx
    .insertInto('countersign_activity_sums')
    .columns([...kinds, ...counts, 'tenant', 'length', 'since'])
    .expression(
      addedUp(trx, calls.as('sums'))
        .select([sql<string>`cast(${tenant} as text)`.as('tenant'), sql.lit(length).as('length'), 'since'])
        .groupBy('since'),
    )
    .execute()

const hoursByDay = (trx: Transaction<Tables>, { tenant, since, until }: Slice) =>
  trx
    .selectFrom('countersign_activity_sums')
    .select([...kinds, ...counts, sql<number>`since - since % ${sql.lit(DAY)}`.as('since')])
    .where('tenant', '=', tenant)
    .where('length', '=', HOUR)
    .where('since', '>=', since)
    .where('since', '<', until)
