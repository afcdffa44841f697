export interface OutboxTable {
  readonly id: string
  readonly webhook: string
  /** What it is about; with the webhook it is told once. */
  readonly subject: string
  readonly tenant: string
  readonly event: string
  /** The body to send, sealed. */
  readonly body: Uint8Array
  readonly state: string
  readonly created_at: number
  readonly due_at: number
  readonly attempts: number
  readonly held_by: string | null
  readonly held_until: number
  readonly changed_at: number
  /** HTTP status of the last answer. */
  readonly status: number | null
  /** Why the last attempt failed. */
  readonly trouble: string | null
}

export interface TurnTable {
  readonly name: string
  readonly at: number
}
