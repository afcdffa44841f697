// Approvals: decisions about a call by people outside the chat. The plan holds the call and runs it at most once (replay and
// `outcome_unknown` are the plan's); the approval holds who decides. Implemented by `server/store/approvals`.
import type { Declaration } from './activity.ts'
import type { Principal } from './principal.ts'
import type { Risk } from './risk.ts'

/** The address of an approval, below the server's own. */
export const approvalPath = (id: string): string => `/admin/approvals/${id}`

export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired'

export interface ApprovalDraft {
  readonly id: string
  readonly planId: string
  /** Digest of the call; with the principal it finds a pending approval of the same call. */
  readonly digest: string
  readonly principal: Principal
  readonly client: string
  readonly tool: string
  readonly risk: Risk
  /** One sentence for the approver. Sealed at rest. */
  readonly summary: string
  /** The agent's claim. Sealed at rest. */
  readonly rationale: string
  /** JSON of the card that the approver sees. Sealed at rest. */
  readonly card: string
  /** What the agent declared at a gateway's call tool, for the row of the call once it runs. Sealed at rest. */
  readonly declared?: Declaration | undefined
  /** The approver must give a second factor. */
  readonly stepUp: boolean
  /** How many different people must agree. */
  readonly approvers: number
  /** Whoever asked may not approve. */
  readonly fourEyes: boolean
  readonly ttlMs: number
}

export interface Approval extends Omit<ApprovalDraft, 'ttlMs'> {
  readonly state: ApprovalState
  /** Epoch milliseconds by the store's clock. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly decidedAt: number | undefined
  /** Who decided, by name: "Ada", "Ada, Bob for Carl". */
  readonly decidedBy: string | undefined
  /** Why it was rejected. */
  readonly reason: string | undefined
  /** Oldest first. */
  readonly votes: readonly Vote[]
}

/** Who votes, and how they have signed in. */
export interface Voter {
  readonly name: string
  /** The same for the same person at every door: an account's id, or the admin token. */
  readonly person: string
  readonly via: 'admin-token' | 'session' | 'oidc' | 'terminal'
  /** The operator by whose delegation they vote, if they do. */
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
  /** This person, or the operator whose right was delegated, has voted already. */
  | { readonly kind: 'voted-before'; readonly approval: Approval }
  /** It has been decided or has expired; the approval as it is. */
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
  /** Stores a pending approval, or answers the pending one of the same digest and principal, in one step. */
  request(draft: ApprovalDraft): Promise<{ readonly approval: Approval; readonly existing: boolean }>
  /**
   * Approvals of this call by this principal, newest first: those whose call runs or may still run; where there is none, the
   * newest one, until its time is over.
   */
  findByCall(call: Pick<ApprovalDraft, 'digest' | 'principal'>): Promise<readonly Approval[]>
  /** Reads one; expiry is applied to what is read. */
  find(id: string): Promise<Approval | undefined>
  /** Reads many, newest first. */
  list(filter: ApprovalFilter): Promise<readonly Approval[]>
  /** Records a vote and, with the last one needed or a rejection, `pending → approved | rejected`; in one atomic step. */
  decide(id: string, decision: ApprovalDecision): Promise<Decided>
  /** Approved ones whose plan is still open, for a process that serves the tool to run. Oldest first. */
  claimable(limit: number): Promise<readonly Approval[]>
}
