// How much is left for people to decide, as a figure: counted where it lies, and never the things themselves.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Approvals that wait for a decision, by risk. */
export const waitingByRisk = async (
  db: Kysely<Tables>,
  at: number,
): Promise<readonly { readonly risk: string; readonly count: number }[]> => {
  const rows = await db
    .selectFrom('countersign_approvals')
    .innerJoin('countersign_plans', 'countersign_plans.id', 'countersign_approvals.plan_id')
    .select(['countersign_approvals.risk as risk', (is) => is.fn.countAll<number>().as('count')])
    .where('countersign_approvals.state', '=', 'pending')
    .where('countersign_approvals.expires_at', '>', at)
    .where('countersign_plans.state', '=', 'open')
    .where('countersign_plans.expires_at', '>', at)
    .groupBy('countersign_approvals.risk')
    .execute()
  return rows.map(({ risk, count }) => ({ risk, count: Number(count) }))
}
