// Every door through which a person decides takes the same steps: is there something to decide, does it need a second
// factor, is the code right, and only then the one step in which the decision falls (DESIGN section 3).
import type { Approval, Approvals } from './approvals.ts'

/** What a check of a code says. `server/store` implements it by shape. */
export type CodeCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'not-enrolled' }
  | { readonly kind: 'wrong'; readonly used: boolean; readonly triesLeft: number }
  | { readonly kind: 'paused'; readonly until: number }

export interface ApproverParts {
  readonly approvals: Approvals
  readonly secondFactor: {
    enrolled(): Promise<boolean>
    check(code: string): Promise<CodeCheck>
  }
}

export interface DecisionRequest {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly reason?: string | undefined
  /** The code of the second factor, where the approver gave one. */
  readonly code?: string | undefined
}

export type DecisionRefusal =
  | 'unknown-approval'
  | 'already-decided'
  | 'second-factor-not-enrolled'
  | 'second-factor-needed'
  | 'second-factor-wrong'
  | 'second-factor-paused'

export type DecisionResult =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | {
      readonly kind: 'refused'
      readonly code: DecisionRefusal
      readonly message: string
      readonly next: string
      /** The approval as it is, where there is one. */
      readonly approval?: Approval
      /** Epoch milliseconds. */
      readonly retryAt?: number
    }

/** Whether agreeing to this one takes a second factor: where the contract asks, and for critical ones once enrolled. */
export const needsSecondFactor = (approval: Approval, enrolled: boolean): boolean =>
  approval.stepUp || (approval.risk === 'critical' && enrolled)

/** Decides an approval for a person whose credential the door has checked. */
export async function decideApproval(
  { approvals, secondFactor }: ApproverParts,
  id: string,
  { decision, by, reason, code }: DecisionRequest,
): Promise<DecisionResult> {
  const approval = await approvals.find(id)
  if (approval === undefined) return unknownApproval(id)
  if (approval.state !== 'pending') return alreadyDecided(approval)
  if (decision === 'approved' && needsSecondFactor(approval, await secondFactor.enrolled())) {
    const refused = await refuseCode(secondFactor, approval, code)
    if (refused !== undefined) return refused
  }
  const decided = await approvals.decide(id, { decision, by, reason })
  if (decided.kind === 'gone') return unknownApproval(id)
  return decided.kind === 'already' ? alreadyDecided(decided.approval) : { kind: 'decided', approval: decided.approval }
}

const unknownApproval = (id: string): DecisionResult => ({
  kind: 'refused',
  code: 'unknown-approval',
  message: `There is no approval ${JSON.stringify(id.slice(0, 40))}.`,
  next: '`countersign approvals list` shows those that there are.',
})

function alreadyDecided(approval: Approval): DecisionResult {
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

async function refuseCode(
  secondFactor: ApproverParts['secondFactor'],
  approval: Approval,
  code: string | undefined,
): Promise<DecisionResult | undefined> {
  const refused = (kind: DecisionRefusal, message: string, next: string, retryAt?: number): DecisionResult => ({
    kind: 'refused',
    code: kind,
    message,
    next,
    approval,
    ...(retryAt === undefined ? {} : { retryAt }),
  })
  const notEnrolled = (): DecisionResult =>
    refused(
      'second-factor-not-enrolled',
      `${approval.id} asks for a second factor from whoever approves it, and none is enrolled.`,
      'Run `countersign admin totp` once to enrol an authenticator, then approve again.',
    )
  if (!(await secondFactor.enrolled())) return notEnrolled()
  if (code === undefined)
    return refused(
      'second-factor-needed',
      `${approval.id} asks for a second factor.`,
      'Approve again with the six digits that your authenticator shows now.',
    )
  const check = await secondFactor.check(code)
  switch (check.kind) {
    case 'right':
      return undefined
    case 'not-enrolled':
      return notEnrolled()
    case 'wrong':
      return refused(
        'second-factor-wrong',
        check.used ? 'This code has been used already; each one works once.' : 'This code is wrong.',
        `${check.used ? 'Wait for the next one. ' : ''}${check.triesLeft} of 5 tries are left before a pause of 15 minutes.`,
      )
    case 'paused':
      return refused(
        'second-factor-paused',
        'There were five wrong codes; no code is accepted now, not even a right one.',
        `Try again after ${new Date(check.until).toISOString()}.`,
        check.until,
      )
    default:
      return check satisfies never
  }
}
