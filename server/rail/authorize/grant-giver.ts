// A grant is somebody's agreement given beforehand, and it is worth what that person's agreement is worth
// when it is used: rules and roles may be younger than it, and an account may be closed.
import { approvalNeeds, type ApprovalRule } from '../../policy/may-approve.ts'
import { mayGrant, type MayGrant } from '../../policy/may-grant.ts'
import type { Risk } from '../../model/risk.ts'
import type { ApproverOf } from './approver-of.ts'
import type { Grant } from '../../model/grants.ts'

/** Why who gave a grant could not give it today. */
export type GiverLapse = 'unknown-giver' | 'no-account' | Exclude<MayGrant, 'yes'>

export interface GiverParts {
  readonly rules: readonly ApprovalRule[]
  /** Without it no giver who is known can be asked about, and what they gave covers nothing. */
  readonly approverOf?: ApproverOf | undefined
}

/**
 * Why a grant does not count for a call of this risk, by today's rules and today's roles of its giver; `undefined`
 * where it counts. One whose giver was not kept yet counts only where no rule of approval binds.
 */
export async function giverLapse(
  { rules, approverOf }: GiverParts,
  grant: Pick<Grant, 'giver' | 'tool' | 'tenant' | 'subject'>,
  risk: Risk,
): Promise<GiverLapse | undefined> {
  const needs = approvalNeeds(rules, grant.tool, risk)
  if (grant.giver === undefined) return needs.fourEyes || needs.approvers > 1 ? 'unknown-giver' : undefined
  const giver = await approverOf?.(grant.giver)
  if (giver === undefined) return 'no-account'
  const may = mayGrant(giver, { ...grant, ...needs })
  return may === 'yes' ? undefined : may
}

/** The same for operators, who may know everything of it. */
export function lapseText(lapse: GiverLapse, { renewed, createdBy }: Pick<Grant, 'renewed' | 'createdBy'>): string {
  const name = renewed?.by ?? createdBy
  const giver = `${name}, who gave it,`
  const rule = 'An approval rule now asks for more than one person'
  switch (lapse) {
    case 'unknown-giver':
      return `${rule}, and it is not recorded which account gave it.`
    case 'no-account':
      return `${giver} has no active account.`
    case 'needs-admin':
      return `${rule}, and ${giver} is not an admin.`
    case 'own-request':
      return `${rule}, and ${name} gave it for their own calls.`
    case 'needs-subject':
      return `${rule}, and it covers everyone, including ${name}, who gave it.`
    case 'no-person':
      return `${rule}, and the admin token does not show who gave it.`
    case 'needs-no-limit':
    case 'amount-unknown':
    case 'amount-too-high':
    case 'other-currency':
      return `${giver} may now approve only up to an amount.`
    case 'other-tools':
      return `${giver} may no longer approve this tool.`
    case 'no-approver':
      return `${giver} may no longer approve anything.`
    case 'other-tenant':
      return `${giver} now belongs to another tenant.`
    default:
      return lapse satisfies never
  }
}
