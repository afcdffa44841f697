/** One row for each time that somebody stopped the agents; it holds while `lifted_at` is null. */
export interface FreezeTable {
  readonly id: string
  /** Null: every tenant. */
  readonly tenant: string | null
  readonly reason: string
  readonly by: string
  readonly at: number
  readonly lifted_at: number | null
}
