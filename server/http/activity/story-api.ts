// One call's whole story on one page: every row of the same plan or approval, and what people did about it (the click,
// the votes, the decision), which stands in other tables and is joined here. Texts of a person who was erased are gone
// from the rows; they are not brought back from the plan or from the approval.
import type { Approval } from '../../model/approvals.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { Store } from '../../store/store.ts'
import type { FindTool } from '../../operators/sentence.ts'
import { toldJson } from './activity-wire.ts'
import { isoTimeOrNull } from '../iso-time.ts'

export interface StoryStore {
  readonly activity: Pick<Store['activity'], 'story'>
  readonly approvals: Pick<Store['approvals'], 'find'>
  readonly plans: Pick<Store['plans'], 'find'>
  /** The tool of a row, for the words of its contract. */
  readonly find: FindTool
}

const planView = (plan: Plan) => ({
  id: plan.id,
  tool: plan.tool,
  state: plan.state,
  created_at: isoTimeOrNull(plan.createdAt),
  expires_at: isoTimeOrNull(plan.expiresAt),
  changed_at: isoTimeOrNull(plan.changedAt),
  /** The click in the card; `trusted` where the operator trusts the host with it. */
  click: plan.click === undefined ? null : { at: isoTimeOrNull(plan.click.at), trusted: plan.click.trusted },
})

const approvalView = (approval: Approval) => ({
  id: approval.id,
  tool: approval.tool,
  risk: approval.risk,
  state: approval.state,
  plan_id: approval.planId,
  step_up: approval.stepUp,
  approvers: approval.approvers,
  four_eyes: approval.fourEyes,
  asked_at: isoTimeOrNull(approval.createdAt),
  expires_at: isoTimeOrNull(approval.expiresAt),
  decided_at: isoTimeOrNull(approval.decidedAt),
  decided_by: approval.decidedBy ?? null,
  /** What the person said who rejected it. */
  reason: approval.reason ?? null,
  votes: approval.votes.map((vote) => ({
    at: isoTimeOrNull(vote.at),
    decision: vote.decision,
    name: vote.name,
    on_behalf_of: vote.onBehalfOf ?? null,
    via: vote.via,
  })),
})

/** The story that a row, a plan or an approval belongs to; `undefined` where there is none. */
export async function storyOf(store: StoryStore, id: string) {
  const story = await store.activity.story(id)
  const tenant = story[0]?.tenant
  if (tenant === undefined) return undefined
  const plans = await Promise.all(
    [...new Set(story.flatMap(({ planId }) => planId ?? []))].map((plan) => store.plans.find({ by: 'id', id: plan })),
  )
  const approvals = await Promise.all(
    [...new Set(story.flatMap(({ approvalId }) => approvalId ?? []))].map((approval) => store.approvals.find(approval)),
  )
  return {
    id,
    tenant,
    /** Oldest first. */
    story: story.map((call) => toldJson(call, store.find, story)),
    /** Those that are still kept. */
    plans: plans.flatMap((plan) => (plan?.principal.tenant === tenant ? [planView(plan)] : [])),
    approvals: approvals.flatMap((approval) => (approval?.principal.tenant === tenant ? [approvalView(approval)] : [])),
  }
}

export type Story = NonNullable<Awaited<ReturnType<typeof storyOf>>>
