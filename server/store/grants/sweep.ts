// A process may die between taking a use and the end of the run. What became of the plan says whether the use was one: it
// goes back where the plan certainly had no effect. Ended permissions go with their uses after a month, as approvals do.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** One small step of cleaning, at most `limit` rows of each sort. */
export const sweepGrants = async (db: Kysely<Tables>, at: number, limit: number): Promise<void> => {
  await db
    .updateTable('countersign_grant_uses')
    .set({ returned_at: at })
    .where('plan_id', 'in', (of) =>
      of
        .selectFrom('countersign_grant_uses')
        .innerJoin('countersign_plans', 'countersign_plans.id', 'countersign_grant_uses.plan_id')
        .select('countersign_grant_uses.plan_id')
        .where('countersign_grant_uses.returned_at', 'is', null)
        .where((is) =>
          is.or([
            is('countersign_plans.state', 'in', ['failed', 'stale', 'cancelled', 'superseded']),
            is.and([is('countersign_plans.state', '=', 'open'), is('countersign_plans.expires_at', '<=', at)]),
          ]),
        )
        .limit(limit),
    )
    .execute()
  const ended = await db
    .selectFrom('countersign_grants')
    .select('id')
    .where((is) => is.or([is('until_at', '<=', at - KEEP_MS), is('revoked_at', '<=', at - KEEP_MS)]))
    .limit(limit)
    .execute()
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id)
    await db.deleteFrom('countersign_grant_uses').where('grant_id', 'in', ids).execute()
    await db.deleteFrom('countersign_grants').where('id', 'in', ids).execute()
  }
  // Of those that count by the hour or the day, what lies further back counts for nothing any more.
  await db
    .deleteFrom('countersign_grant_uses')
    .where('plan_id', 'in', (of) =>
      of
        .selectFrom('countersign_grant_uses')
        .innerJoin('countersign_grants', 'countersign_grants.id', 'countersign_grant_uses.grant_id')
        .select('countersign_grant_uses.plan_id')
        .where('countersign_grants.per', '!=', 'total')
        .where('countersign_grant_uses.at', '<=', at - KEEP_MS)
        .limit(limit),
    )
    .execute()
  await db
    .deleteFrom('countersign_grant_tools')
    .where('seen_at', '<=', at - 12 * KEEP_MS)
    .execute()
}
