// Columns of the approvals and of the second factor. Times are epoch milliseconds, truths 0 and 1, as everywhere.

export interface ApprovalTable {
  readonly id: string
  readonly plan_id: string
  readonly digest: string
  readonly tenant: string
  readonly subject: string
  readonly client: string
  readonly tool: string
  readonly risk: string
  readonly step_up: number
  /** Summary, rationale and card, sealed as one. */
  readonly content: Uint8Array
  /** `pending`, `approved` or `rejected`; expiry is read from the times and from the plan. */
  readonly state: string
  readonly created_at: number
  readonly expires_at: number
  readonly decided_at: number | null
  readonly decided_by: string | null
  /** Sealed. */
  readonly reason: Uint8Array | null
  /** When the plan of an approved one expires: past it, nobody looks for it any more. */
  readonly run_by: number | null
  /** How many people must agree. */
  readonly approvers: number
  readonly four_eyes: number
}

export interface SecondFactorTable {
  /** `active`, or `pending` until its first code has been seen. */
  readonly name: string
  /** Sealed. */
  readonly secret: Uint8Array
  /** The counter (RFC 6238, section 4.2) of the last code that was accepted. */
  readonly last_counter: number
  /** Wrong codes since the last right one, or since the last pause. */
  readonly tries: number
  readonly paused_until: number
  readonly created_at: number
}
