// A log that only grows ends as a full disk. Old rows go from the front of each chain, a bounded number at a time, and
// the cut is signed. A call that began before the cut and ended after it stays whole until its end is old enough too.
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import { takeLog } from '../write/append.ts'
import { moveRecent } from '../write/recent.ts'
import { sizeOf } from '../write/write-entry.ts'
import type { Chain } from '../chain/chain.ts'
import { checkpointOf, writeCheckpoint } from '../chain/checkpoint.ts'
import { entriesBetween } from '../chain/entries.ts'
import { LONGEST_CALL_MS } from '../read/row.ts'
import { headTable } from '../call-tables.ts'
import { cutSums, takeSums } from '../figures/sums.ts'
import { dropWords, takeWords } from '../search/index-words.ts'
import { toNumber } from '../to-number.ts'

/** What may stay, for each tenant. What is absent does not limit. */
export interface Retention {
  /** How old a row may become. */
  readonly days?: number
  /** How many rows may stay. */
  readonly rows?: number
  /** Of the recorded texts; the database's file is larger. */
  readonly bytes?: number
}

/** At most so many rows in one transaction: the rail waits for the same lock. */
const STEP = 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** One step for each tenant; answers how many rows were removed. Zero means that nothing more is due. */
export const retainOnce = async (
  db: Kysely<Tables>,
  chain: Chain,
  retention: Retention,
  now: number,
): Promise<number> => {
  const tenants = await db.selectFrom(headTable(db)).select('tenant').execute()
  let removed = 0
  for (const { tenant } of tenants)
    removed += await db.transaction().execute((trx) => retainTenant(trx, chain, tenant, retention, now))
  return removed
}

async function retainTenant(
  trx: Transaction<Tables>,
  chain: Chain,
  tenant: string,
  retention: Retention,
  now: number,
): Promise<number> {
  await takeLog(trx)
  await moveRecent(trx)
  const start = await checkpointOf(trx, chain, tenant)
  // A cut that is not ours must be looked at by a person before anything more disappears.
  if (start === 'forged') return 0
  const cut = await lastDue(trx, tenant, start.seq, retention, now)
  if (cut === undefined) return 0
  const [at] = await entriesBetween(trx, tenant, cut - 1, cut)
  if (at === undefined) return 0
  await takeSums(trx)
  await takeWords(trx)
  const gone = await trx
    .deleteFrom('countersign_activity')
    .where('tenant', '=', tenant)
    .where('begin_seq', '<=', cut)
    .where((is) =>
      is.or([is('end_seq', '<=', cut), is.and([is('end_seq', 'is', null), is('at', '<=', now - LONGEST_CALL_MS)])]),
    )
    .returning(['position', 'at', 'rationale', 'intent', 'notes', 'args', 'result', 'error_message'])
    .execute()
  const stays = trx
    .selectFrom('countersign_activity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('begin_seq', '<=', cut)
  const events = await trx
    .deleteFrom('countersign_activity_events')
    .where('tenant', '=', tenant)
    .where('seq', '<=', cut)
    .where('call_id', 'not in', stays)
    .returning('data')
    .execute()
  const kept = await entriesBetween(trx, tenant, -1, cut)
  await writeCheckpoint(trx, chain, { tenant, seq: cut, link: at.link, at: now }, kept)
  await cutSums(trx, { tenant, from: start.seq, to: cut }, gone)
  let bytes = events.reduce((sum, row) => sum + sizeOf(row), 0)
  for (const row of gone) {
    const { at: _, position: __, ...texts } = row
    bytes += sizeOf(texts)
  }
  await dropWords(
    trx,
    gone.map(({ position }) => toNumber(position)),
  )
  await trx
    .updateTable(headTable(trx))
    .set((is) => ({ calls: is('calls', '-', gone.length), bytes: is('bytes', '-', bytes) }))
    .where('tenant', '=', tenant)
    .execute()
  return gone.length
}

/** The last entry behind which everything is due, within one step. */
async function lastDue(
  trx: Transaction<Tables>,
  tenant: string,
  from: number,
  retention: Retention,
  now: number,
): Promise<number | undefined> {
  const head = await trx
    .selectFrom(headTable(trx))
    .select(['calls', 'bytes'])
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  const before = retention.days === undefined ? -Infinity : now - retention.days * DAY_MS
  const surplusRows = toNumber(head?.calls ?? 0) - (retention.rows ?? Infinity)
  const surplusBytes = toNumber(head?.bytes ?? 0) - (retention.bytes ?? Infinity)
  if (before === -Infinity && surplusRows <= 0 && surplusBytes <= 0) return undefined
  const oldest = await trx
    .selectFrom('countersign_activity')
    .select(['begin_seq', 'end_seq', 'at', 'rationale', 'intent', 'notes', 'args', 'result', 'error_message'])
    .where('tenant', '=', tenant)
    .where('begin_seq', '>', from)
    .orderBy('begin_seq')
    .limit(STEP)
    .execute()
  let [rows, bytes] = [0, 0]
  let due: number | undefined
  for (const row of oldest) {
    if (toNumber(row.at) >= before && rows >= surplusRows && bytes >= surplusBytes) break
    const { at: _, begin_seq, end_seq, ...texts } = row
    rows++
    bytes += sizeOf(texts)
    // A call's own end usually follows at once; taking it along leaves nothing behind.
    due = end_seq !== null && toNumber(end_seq) === toNumber(begin_seq) + 1 ? toNumber(end_seq) : toNumber(begin_seq)
  }
  return due
}
