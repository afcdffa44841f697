// Two approvers may press at the same instant, in two processes, one for and one against, or both with the vote that was
// missing. So a decision is one transaction that takes the approval and its plan first: whoever comes second reads what
// the first has left, and of all votes exactly one is the last.
import { toChange } from '../dialect-locks.ts'
import { cancelPlan } from '../plans.ts'
import { epoch } from '../plan-row.ts'
import type { StoreParts } from '../tables.ts'
import type { ApprovalDecision } from '../../model/approvals.ts'
import { sealReason } from './approval-row.ts'
import { castVote, spokenVoter, votesOn } from './votes.ts'

/** What a decision came to. `waiting`: it counts, and others must still agree. */
type Fallen = 'decided' | 'waiting' | 'voted-before' | 'already' | 'gone'

/** Takes a decision to its effect, in one step. */
export const decideIn = ({ db, sealer, now }: StoreParts, id: string, given: ApprovalDecision): Promise<Fallen> =>
  db.transaction().execute(async (trx): Promise<Fallen> => {
    const at = now()
    const approval = await toChange(
      trx,
      trx
        .selectFrom('countersign_approvals')
        .select(['plan_id', 'state', 'expires_at', 'approvers'])
        .where('id', '=', id),
    ).executeTakeFirst()
    if (approval === undefined) return 'gone'
    const plan = await toChange(
      trx,
      trx.selectFrom('countersign_plans').select(['state', 'expires_at']).where('id', '=', approval.plan_id),
    ).executeTakeFirst()
    const waits =
      approval.state === 'pending' &&
      epoch.parse(approval.expires_at) > at &&
      plan?.state === 'open' &&
      epoch.parse(plan.expires_at) > at
    if (!waits) return 'already'
    if (!(await castVote(trx, id, given, at))) return 'voted-before'
    const votes = (await votesOn(trx, [id])).get(id) ?? []
    const agreed = votes.filter(({ decision }) => decision === 'approved')
    if (given.decision === 'approved' && agreed.length < approval.approvers) return 'waiting'
    await trx
      .updateTable('countersign_approvals')
      .set({
        state: given.decision,
        decided_at: at,
        decided_by:
          given.decision === 'approved'
            ? agreed.map(spokenVoter).join(', ')
            : spokenVoter({ name: given.by.name, onBehalfOf: given.by.behalf?.name }),
        reason: sealReason(sealer, id, given.reason),
        run_by: given.decision === 'approved' ? plan.expires_at : null,
      })
      .where('id', '=', id)
      .execute()
    if (given.decision === 'rejected') await cancelPlan(trx, approval.plan_id, at)
    return 'decided'
  })
