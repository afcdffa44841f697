// Every door through which a person decides takes the same steps: is there something to decide, is it theirs to decide,
// does it need a second factor, is the code right, and only then the one step in which the vote is cast
// (docs/DESIGN.md, section 3). What came of it is written down with who, how, and in whose right.
import type { Approver } from '../policy/may-approve.ts'
import type { Approval, Approvals, Voter } from '../model/approvals.ts'
import type { SecondFactorCheck } from '../model/second-factor.ts'
import { needsSecondFactor, refuseCode } from './approval-factor.ts'
import { rightTo, type DelegatedRight, type Right } from './approval-rights.ts'
import type { ActivityLog } from '../model/activity.ts'
import { beginAct, type ActEnd } from './operator-record.ts'

/** The person at the door, whose credential it has checked. */
export interface Decider extends Approver {
  /** The same for the same person at every door. */
  readonly person: string
  readonly via: Voter['via']
}

export interface ApproverParts {
  readonly approvals: Approvals
  /** That of the person who decides. */
  readonly secondFactor: SecondFactorCheck
  /** What others have delegated to this person; nothing when absent. */
  readonly delegatedTo?: (person: string) => Promise<readonly DelegatedRight[]>
  readonly activityLog?: Pick<ActivityLog, 'begin' | 'complete'> | undefined
}

export interface DecisionRequest {
  readonly decision: 'approved' | 'rejected'
  readonly by: Decider
  readonly reason?: string | undefined
  /** The code of the second factor, where the approver gave one. */
  readonly code?: string | undefined
  /** The name of whose right to act in. One's own when absent, and a delegated one only where that does not reach. */
  readonly onBehalfOf?: string | undefined
}

export type DecisionRefusal =
  | 'unknown-approval'
  | 'already-decided'
  | 'voted-before'
  | 'not-yours-to-decide'
  | 'second-factor-not-enrolled'
  | 'second-factor-needed'
  | 'second-factor-wrong'
  | 'second-factor-paused'
  | 'second-factor-unavailable'

export interface Refused {
  readonly kind: 'refused'
  readonly code: DecisionRefusal
  readonly message: string
  readonly next: string
  /** The approval as it is, where there is one. */
  readonly approval?: Approval
  /** Epoch milliseconds. */
  readonly retryAt?: number
}

export type DecisionResult =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** The vote counts, and others must still agree. */
  | { readonly kind: 'waiting'; readonly approval: Approval }
  | Refused

/** How many people must still agree. */
export const missingVotes = ({ approvers, votes }: Pick<Approval, 'approvers' | 'votes'>): number =>
  Math.max(0, approvers - votes.filter(({ decision }) => decision === 'approved').length)

/** Decides an approval for a person whose credential the door has checked. */
export async function decideApproval(
  parts: ApproverParts,
  id: string,
  request: DecisionRequest,
): Promise<DecisionResult> {
  const approval = await parts.approvals.find(id)
  if (approval === undefined) return unknownApproval(id)
  const right = rightTo(approval, request, await parts.delegatedTo?.(request.by.person))
  if (right.kind === 'unseen') return unknownApproval(id)
  if (approval.state !== 'pending') return alreadyDecided(approval)
  const end = await writtenDown(parts, approval, request, right)
  const result = await vote(parts, approval, request, right)
  await end(
    result.kind === 'refused'
      ? { done: false, error: { code: result.code, message: result.message } }
      : {
          done: true,
          verdict: result.kind === 'waiting' ? `vote:${missingVotes(result.approval)} missing` : 'decided',
        },
  )
  return result
}

/** The row comes first: a vote that is not written down is not cast. */
async function writtenDown(
  { activityLog }: ApproverParts,
  { id, tool, principal, planId }: Approval,
  { decision, by, reason }: DecisionRequest,
  right: Exclude<Right, { kind: 'unseen' }>,
): Promise<(end: ActEnd) => Promise<void>> {
  if (activityLog === undefined) return () => Promise.resolve()
  const behalf =
    right.kind === 'delegated' ? { on_behalf_of: right.behalf.name, delegation: right.behalf.delegation } : {}
  return await beginAct(activityLog, {
    who: by.name,
    tenant: principal.tenant,
    via: by.via,
    act: `approval.${decision}`,
    details: { approval: id, tool, ...behalf, ...(reason === undefined ? {} : { reason }) },
    approvalId: id,
    planId,
  })
}

async function vote(
  { approvals, secondFactor }: ApproverParts,
  approval: Approval,
  { decision, by, reason, code }: DecisionRequest,
  right: Exclude<Right, { kind: 'unseen' }>,
): Promise<DecisionResult> {
  if (right.kind === 'none') return { ...right.refusal, approval }
  if (decision === 'approved' && needsSecondFactor(approval, await secondFactor.enrolled())) {
    const refused = await refuseCode(secondFactor, approval, by, code)
    if (refused !== undefined) return refused
  }
  const behalf = right.kind === 'delegated' ? right.behalf : undefined
  const voter: Voter = { name: by.name, person: by.person, via: by.via, ...(behalf === undefined ? {} : { behalf }) }
  const decided = await approvals.decide(approval.id, { decision, by: voter, reason })
  switch (decided.kind) {
    case 'gone':
      return unknownApproval(approval.id)
    case 'already':
      return alreadyDecided(decided.approval)
    case 'voted-before':
      return votedBefore(decided.approval, voter)
    case 'waiting':
    case 'decided':
      return decided
    default:
      return decided satisfies never
  }
}

const unknownApproval = (id: string): Refused => ({
  kind: 'refused',
  code: 'unknown-approval',
  message: `There is no approval ${JSON.stringify(id.slice(0, 40))}.`,
  next: '`countersign approvals list` shows those that there are.',
})

function alreadyDecided(approval: Approval): Refused {
  const by = approval.decidedBy === undefined ? '' : ` by ${approval.decidedBy}`
  const at = approval.decidedAt === undefined ? '' : ` at ${new Date(approval.decidedAt).toISOString()}`
  return {
    kind: 'refused',
    code: 'already-decided',
    message:
      approval.state === 'expired'
        ? `${approval.id} has expired: it waited too long, or its call was cancelled or made in another way.`
        : `${approval.id} was already ${approval.state}${by}${at}.`,
    next:
      approval.state === 'expired'
        ? 'If it is still wanted, let the agent call again; that asks anew.'
        : 'A decision stands; it cannot be changed.',
    approval,
  }
}

function votedBefore(approval: Approval, { name, behalf }: Voter): Refused {
  const missing = missingVotes(approval)
  return {
    kind: 'refused',
    code: 'voted-before',
    message: `${approval.id} has this vote already: ${behalf === undefined ? name : `${name}, or ${behalf.name}, in whose right they act,`} has agreed to it.`,
    next: `${missing} more must agree: other people, in rights of their own.`,
    approval,
  }
}
