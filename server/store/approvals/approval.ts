// Approvals as the store keeps them. The road (`server/call/approvals.ts`) declares the same shapes for what it needs;
// the floors forbid either to import the other, and `test/types/approvals.test.ts` proves them equal.
import type { Principal } from '../plan.ts'

export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired'

export interface ApprovalDraft {
  readonly id: string
  readonly planId: string
  readonly digest: string
  readonly principal: Principal
  readonly client: string
  readonly tool: string
  readonly risk: 'low' | 'medium' | 'high' | 'critical' | 'forbidden'
  readonly summary: string
  readonly rationale: string
  readonly card: string
  readonly stepUp: boolean
  readonly ttlMs: number
}

export interface Approval extends Omit<ApprovalDraft, 'ttlMs'> {
  readonly state: ApprovalState
  readonly createdAt: number
  readonly expiresAt: number
  readonly decidedAt: number | undefined
  readonly decidedBy: string | undefined
  readonly reason: string | undefined
}

export interface ApprovalDecision {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly reason?: string | undefined
}

export type Decided =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | { readonly kind: 'already'; readonly approval: Approval }
  | { readonly kind: 'gone' }

export interface ApprovalFilter {
  readonly state?: ApprovalState | undefined
  readonly tenant?: string | undefined
  readonly limit: number
  /** Id of the last one of the page before. */
  readonly before?: string | undefined
}

export interface Approvals {
  request(draft: ApprovalDraft): Promise<{ readonly approval: Approval; readonly existing: boolean }>
  find(id: string): Promise<Approval | undefined>
  list(filter: ApprovalFilter): Promise<readonly Approval[]>
  decide(id: string, decision: ApprovalDecision): Promise<Decided>
  claimable(limit: number): Promise<readonly Approval[]>
}
