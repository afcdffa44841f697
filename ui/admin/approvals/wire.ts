// Approvals as `/api/v1/approvals` sends them (server/http/approvals-api.ts).

export type Risk = 'low' | 'medium' | 'high' | 'critical' | 'forbidden'
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired'

export interface VoteView {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  /** In whose right, where it was not their own. */
  readonly on_behalf_of?: string
  readonly at: string
}

/** What is still missing before it runs. */
export interface NeedsView {
  /** How many people must agree in all, and how many more. */
  readonly approvers: number
  readonly missing: number
  /** Who asks may not be who approves. */
  readonly four_eyes: boolean
}

export interface ApprovalView {
  readonly id: string
  readonly state: ApprovalState
  readonly tool: string
  readonly risk: Risk
  readonly summary: string
  /** The agent's rationale: its claim. */
  readonly agent_claim: string
  readonly step_up: boolean
  readonly requested_by: { readonly tenant: string; readonly subject: string; readonly client: string }
  readonly created_at: string
  readonly expires_at: string
  readonly decided_at?: string
  readonly decided_by?: string
  readonly reason?: string
  readonly votes?: readonly VoteView[]
  readonly needs?: NeedsView
}

export interface CallView {
  readonly plan_id: string
  readonly state: string
  readonly changed_at: string
  readonly error?: { readonly code: string; readonly message: string }
}

export interface ApprovalDetail extends ApprovalView {
  readonly second_factor_needed: boolean
  /** The card document; read with `readCard` before it is drawn. */
  readonly card: unknown
  readonly call: CallView | null
  /** Whether this operator may agree, and if not, why. */
  readonly may?: { readonly approve: boolean; readonly why?: string }
}

/** `POST …/approve`: the approval as it is now, and what became of its call where it ran at once. */
export interface Decided {
  readonly approval: ApprovalDetail
  readonly outcome?: { readonly status?: string; readonly error?: { readonly message?: string } } | null
}
