// Approvals as the store keeps them. The engine (`server/model/approvals.ts`) declares the same shapes for what it needs;
// the floors forbid either to import the other, and `test/types/approvals.test.ts` proves them equal.
import type { Principal } from '../../model/principal.ts'

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
  readonly approvers: number
  readonly fourEyes: boolean
  readonly ttlMs: number
}

export interface Approval extends Omit<ApprovalDraft, 'ttlMs'> {
  readonly state: ApprovalState
  readonly createdAt: number
  readonly expiresAt: number
  readonly decidedAt: number | undefined
  readonly decidedBy: string | undefined
  readonly reason: string | undefined
  readonly votes: readonly Vote[]
}

/** Who votes, and how the door knows them. */
export interface Voter {
  readonly name: string
  /** The same for the same person at every door: an account's id, or the admin token. */
  readonly person: string
  readonly via: 'admin-token' | 'session' | 'oidc' | 'terminal'
  /** In whose right, where it is not their own. */
  readonly behalf?: { readonly name: string; readonly person: string; readonly delegation: string } | undefined
}

export interface Vote {
  readonly decision: 'approved' | 'rejected'
  readonly person: string
  readonly name: string
  readonly via: Voter['via']
  readonly onBehalfOf: string | undefined
  readonly delegation: string | undefined
  readonly at: number
}

export interface ApprovalDecision {
  readonly decision: 'approved' | 'rejected'
  readonly by: Voter
  readonly reason?: string | undefined
}

export type Decided =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** The vote counts, and others must still agree. */
  | { readonly kind: 'waiting'; readonly approval: Approval }
  /** This person, or the right that they act in, has voted already. */
  | { readonly kind: 'voted-before'; readonly approval: Approval }
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

/** Approvals, for those who watch them. */
export interface WatchedApprovals extends Approvals {
  /** How many wait for a decision, and the newest of them; of one tenant, or of all. Reads no content. */
  waiting(tenant?: string): Promise<WaitingApprovals>
}

export interface WaitingApprovals {
  readonly pending: number
  readonly newest: string | undefined
}
