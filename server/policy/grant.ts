// What a grant covers: one definition of a tool, up to a risk. A tool that has changed, or that an operator has since rated
// higher, is another one than the giver agreed to.
import type { Grant } from '../model/grants.ts'
import type { Risk } from '../model/risk.ts'
import { riskRank } from '../tools/define-tool.ts'

/** The highest risk that a grant can cover. Critical calls always take a person. */
export const highestGranted: Risk = 'high'

export type Pinned = Pick<Grant, 'definition' | 'risk'>

/** Whether the grant covers a call of this tool, rated so. */
export const fitsGrant = (pinned: Pinned, call: Pinned): boolean =>
  pinned.definition === call.definition &&
  riskRank(call.risk) <= riskRank(pinned.risk) &&
  riskRank(call.risk) <= riskRank(highestGranted)

/** The risk that a grant pins, for a tool whose calls have at most this risk. */
export const pinnedRisk = (atMost: Risk): Risk =>
  riskRank(atMost) > riskRank(highestGranted) ? highestGranted : atMost

export type GrantState = 'active' | 'suspended' | 'used-up' | 'expired' | 'revoked'

export type GrantFacts = Pinned & Pick<Grant, 'until' | 'times' | 'used' | 'per'> & { readonly revoked: unknown }

/**
 * The state of a grant. `now`: epoch milliseconds; `tool`: what is offered under its name now. A tool that nobody offers
 * suspends nothing, because its server may only be down.
 */
export function grantState(grant: GrantFacts, tool: Pinned | undefined, now: number): GrantState {
  if (grant.revoked !== undefined) return 'revoked'
  if (grant.until <= now) return 'expired'
  if (
    tool !== undefined &&
    (tool.definition !== grant.definition || riskRank(pinnedRisk(tool.risk)) > riskRank(grant.risk))
  )
    return 'suspended'
  return grant.used >= grant.times ? 'used-up' : 'active'
}
