export interface FeedbackTable {
  readonly id: string
  readonly tenant: string
  readonly subject: string
  readonly severity: string
  /** What the agent wrote, sealed. */
  readonly content: Uint8Array
  readonly state: string
  /** Sealed. */
  readonly note: Uint8Array | null
  readonly created_at: number
  readonly changed_at: number
  readonly changed_by: string | null
}
