// Standing permissions as the store keeps them. The engine (`server/model/grants.ts`) declares the same shapes for what it
// needs; the floors forbid either to import the other, and `test/types/grants.test.ts` proves them equal.
import type { Principal } from '../../model/principal.ts'

export type GrantRisk = 'low' | 'medium' | 'high' | 'critical' | 'forbidden'
export type GrantPeriod = 'hour' | 'day' | 'total'

export interface GrantDraft {
  readonly id: string
  readonly tenant: string
  readonly subject: string | undefined
  readonly tool: string
  readonly definition: string
  readonly schema?: string
  readonly risk: GrantRisk
  readonly condition: string
  readonly note: string | undefined
  readonly times: number
  readonly per: GrantPeriod
  readonly until: number
  readonly createdBy: string
  readonly giver: string | undefined
  readonly approvalId: string | undefined
}

export interface Grant extends GrantDraft {
  readonly createdAt: number
  readonly renewed: { readonly at: number; readonly by: string } | undefined
  readonly revoked: { readonly at: number; readonly by: string } | undefined
  readonly used: number
  readonly usedInAll: number
  readonly lastUsedAt: number | undefined
}

export interface GrantUse {
  readonly planId: string
  readonly subject: string
  readonly at: number
  readonly returnedAt: number | undefined
}

export interface GrantClaim {
  readonly planId: string
  readonly principal: Principal
  readonly tool: string
  readonly definition: string
  readonly insteadOf?: string | undefined
}

export type GrantTaken = { readonly kind: 'taken'; readonly left: number } | { readonly kind: 'refused' }

export interface GrantFilter {
  readonly tenant?: string | undefined
  readonly tool?: string | undefined
  readonly state?: 'active' | 'ended' | undefined
  readonly limit: number
  readonly before?: string | undefined
}

export interface GrantableTool {
  readonly name: string
  readonly title: string
  readonly operation: 'read' | 'write' | 'destructive'
  readonly risk: GrantRisk
  readonly riskDependsOnInput: boolean
  readonly stepUp: 'never' | 'always' | 'depends_on_input'
  readonly definition: string
  readonly schema: string
}

export interface Grants {
  standing(principal: Principal, tool: string): Promise<readonly Grant[]>
  take(id: string, claim: GrantClaim): Promise<GrantTaken>
  giveBack(planId: string): Promise<boolean>
  create(draft: GrantDraft): Promise<Grant>
  find(id: string): Promise<Grant | undefined>
  list(filter: GrantFilter): Promise<readonly Grant[]>
  uses(id: string, limit: number): Promise<readonly GrantUse[]>
  revoke(id: string, by: string): Promise<boolean>
  renew(
    id: string,
    pinned: {
      readonly definition: string
      readonly risk: GrantRisk
      readonly by: string
      readonly giver: string
    },
  ): Promise<boolean>
  offer(tools: readonly GrantableTool[]): Promise<void>
  offered(name: string): Promise<GrantableTool | undefined>
  offers(limit: number): Promise<readonly GrantableTool[]>
  offeredNames(): Promise<readonly string[]>
}
