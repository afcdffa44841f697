// Our tables carry a prefix because a toolset may keep its own in the same database. Times are epoch milliseconds and
// truths are 0 and 1: the two shapes that SQLite and PostgreSQL keep alike.

export interface PlanTable {
  readonly id: string
  readonly ticket_hash: string
  readonly digest: string
  readonly tool: string
  readonly definition: string
  readonly tenant: string
  readonly subject: string
  readonly basis: string | null
  /** Sealed, like `rationale`, `shown` and `ending`. */
  readonly args: Uint8Array
  readonly rationale: Uint8Array
  readonly shown: Uint8Array
  readonly state: string
  readonly created_at: number
  readonly expires_at: number
  readonly changed_at: number
  /** Who runs or ran it. Kept after the end: an owner that comes late may still say what became of the run. */
  readonly owner: string | null
  readonly lease_until: number | null
  readonly click_at: number | null
  readonly click_trusted: number
  readonly ending: Uint8Array | null
}

export interface MetaTable {
  readonly name: string
  readonly value: string
}

// A type, not an interface: Kysely wants an index signature.
export type Tables = {
  readonly countersign_plans: PlanTable
  readonly countersign_meta: MetaTable
}
