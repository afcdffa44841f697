// An approval as operators read it, at every door. The rationale is the agent's claim and is called so.
import { approvalPath } from '../../model/approvals.ts'
import { missingVotes } from '../../operators/decide-approval.ts'
import type { Approval, Vote } from '../../model/approvals.ts'
import type { Store } from '../../store/store.ts'
import { isoTime } from '../iso-time.ts'

/** What a list says of an approval. */
export const approvalView = (approval: Approval) => ({
  id: approval.id,
  state: approval.state,
  url: approvalPath(approval.id),
  tool: approval.tool,
  risk: approval.risk,
  summary: approval.summary,
  agent_claim: approval.rationale,
  step_up: approval.stepUp,
  requested_by: { ...approval.principal, client: approval.client },
  created_at: isoTime(approval.createdAt),
  expires_at: isoTime(approval.expiresAt),
  needs: {
    approvers: approval.approvers,
    four_eyes: approval.fourEyes,
    missing: approval.state === 'pending' ? missingVotes(approval) : 0,
  },
  votes: approval.votes.map(voteView),
  ...(approval.decidedAt === undefined ? {} : { decided_at: isoTime(approval.decidedAt) }),
  ...(approval.decidedBy === undefined ? {} : { decided_by: approval.decidedBy }),
  ...(approval.reason === undefined ? {} : { reason: approval.reason }),
})

const voteView = ({ decision, name, via, onBehalfOf, delegation, at }: Vote) => ({
  decision,
  by: name,
  via,
  at: isoTime(at),
  ...(onBehalfOf === undefined ? {} : { on_behalf_of: onBehalfOf, delegation }),
})

/** What became of the call. Its result stays with whoever asked for it. */
export function callView(plan: Awaited<ReturnType<Store['plans']['find']>>) {
  if (plan === undefined) return null
  const { ending } = plan
  return {
    plan_id: plan.id,
    state: plan.state,
    changed_at: isoTime(plan.changedAt),
    ...(ending !== undefined && (ending.kind === 'failed' || ending.kind === 'unknown')
      ? { error: ending.failure }
      : {}),
  }
}
