// A story is read as a whole, so it is of bounded length: every call of a plan or an approval, of which there are few, and
// the newest of what happened later on behalf of it, of which there may be thousands.
import { sql } from 'kysely'
import type { CallRecord } from './entry.ts'
import type { Is } from './filter.ts'
import { withEvents, type Db } from './query.ts'
import { recordColumns } from './row.ts'
import { toNumber } from '../to-number.ts'

/**
 * All rows of one story, oldest first: the call itself, and every other call of the plan or the approval that it
 * belongs to, and the newest of what happened later on behalf of it. `id` names a row, a plan or an approval.
 */
export const story = async (db: Db, id: string, now: number): Promise<readonly CallRecord[]> => {
  const seeds = await db
    .selectFrom('countersign_activity')
    .select(['tenant', 'plan_id', 'approval_id'])
    // Each of them by its own index: of conditions within one another SQLite reads every row.
    .where((is) =>
      is.or([
        is('id', '=', id),
        is.and([isNotLater(is), is('plan_id', '=', id)]),
        is.and([isNotLater(is), is('approval_id', '=', id)]),
      ]),
    )
    .limit(STORY)
    .execute()
  const tenant = seeds[0]?.tenant
  if (tenant === undefined) return []
  const plans = [...new Set(seeds.flatMap((row) => row.plan_id ?? []))]
  const approvals = [...new Set(seeds.flatMap((row) => row.approval_id ?? []))]
  const calls = await db
    .selectFrom('countersign_activity')
    .select(recordColumns)
    // As an expression, which has no index: SQLite would take that of the tenant, and read all its calls in their order.
    .where(sql<string>`tenant || ''`, '=', tenant)
    .where((is) =>
      is.or([
        is('id', '=', id),
        ...(plans.length === 0 ? [] : [is.and([isNotLater(is), is('plan_id', 'in', plans)])]),
        ...(approvals.length === 0 ? [] : [is('approval_id', 'in', approvals)]),
      ]),
    )
    .orderBy('at')
    .orderBy('position')
    .limit(STORY)
    .execute()
  const later = await db
    .selectFrom('countersign_activity')
    .select(recordColumns)
    .where('tenant', '=', tenant)
    .where('source', '=', 'later')
    .where('plan_id', 'in', plans.length === 0 ? [''] : plans)
    .where('id', '!=', id)
    .orderBy('position', 'desc')
    .limit(LATER)
    .execute()
  const rows = [...calls, ...later].toSorted((one, other) => toNumber(one.position) - toNumber(other.position))
  return await withEvents(db, rows, now)
}

const STORY = 200
/** A campaign of thousands of mails has a row for each. */
const LATER = 50

const isNotLater = (is: Is) => is('source', '!=', 'later')
