// When a run counts as lost: its lease has ended, or it was claimed at a time that has not come yet. The second is a clock
// that was turned back; by it the lease might last for days, and nobody would ever hear what became of the plan.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** By so much the clocks of several processes may differ, in milliseconds. */
const APART_MS = 60_000

/** Whether the run of this row is lost, at `at` (epoch milliseconds). */
export const hasLapsed = (
  row: { readonly state: string; readonly lease_until: number | null; readonly changed_at: number },
  at: number,
): boolean => row.state === 'applying' && (Number(row.lease_until) <= at || row.changed_at > at + APART_MS)

/** The same as a condition of a statement. */
export const lapsedIn = (is: ExpressionBuilder<Tables, 'countersign_plans'>, at: number): Expression<SqlBool> =>
  is.and([is('state', '=', 'applying'), is.or([is('lease_until', '<=', at), is('changed_at', '>', at + APART_MS)])])
