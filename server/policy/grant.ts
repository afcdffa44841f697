// What a grant was given for is pinned in it: one definition of one tool, and a highest risk. A tool that
// was changed, or that an operator has since rated higher, is another tool than the one that somebody agreed to.
import type { Risk } from '../model/risk.ts'
import { riskRank } from '../tools/define-tool.ts'

/** The highest risk that a grant can cover. Critical calls always take a person. */
export const highestGranted: Risk = 'high'

export interface Pinned {
  readonly definition: string
  readonly risk: Risk
}

/** Whether a call of this tool, rated so, is one that the permission was given for. */
export const fitsGrant = (pinned: Pinned, call: Pinned): boolean =>
  pinned.definition === call.definition &&
  riskRank(call.risk) <= riskRank(pinned.risk) &&
  riskRank(call.risk) <= riskRank(highestGranted)

/** The risk that a permission pins, for a tool that can be rated so high at most. */
export const pinnedRisk = (atMost: Risk): Risk =>
  riskRank(atMost) > riskRank(highestGranted) ? highestGranted : atMost

export type GrantState = 'active' | 'suspended' | 'used-up' | 'expired' | 'revoked'

export interface GrantFacts extends Pinned {
  readonly until: number
  readonly revoked: unknown
  readonly times: number
  readonly used: number
  readonly per: 'hour' | 'day' | 'total'
}

/**
 * How a permission reads at a moment. `now`: epoch milliseconds; `tool`: what is offered under its name now, if anything
 * is. A tool that nobody offers suspends nothing: its server may only be down.
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
