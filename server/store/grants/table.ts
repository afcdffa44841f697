// Columns of grants, their uses, and the tools that one can be given for.

export interface GrantTable {
  readonly id: string
  readonly tenant: string
  /** Null: everyone of the tenant. */
  readonly subject: string | null
  readonly tool: string
  readonly definition: string
  readonly risk: string
  readonly times: number
  readonly per: string
  readonly until_at: number
  /** Condition and note, sealed as one: they quote arguments. */
  readonly content: Uint8Array
  readonly approval_id: string | null
  readonly created_at: number
  readonly created_by: string
  /** The person who gave or last renewed it: an account's id, or that of the admin token; null in rows of old. */
  readonly giver: string | null
  readonly renewed_at: number | null
  readonly renewed_by: string | null
  readonly revoked_at: number | null
  readonly revoked_by: string | null
  /** Written by every use before it counts the others: whoever writes it holds the row until the use is there. */
  readonly touched_at: number
}

export interface GrantUseTable {
  /** One use for each plan. */
  readonly plan_id: string
  readonly grant_id: string
  readonly subject: string
  readonly at: number
  readonly returned_at: number | null
}

export interface GrantToolTable {
  readonly name: string
  readonly title: string
  readonly operation: string
  readonly risk: string
  readonly risk_depends: number
  readonly step_up: string
  readonly definition: string
  readonly schema: string
  readonly seen_at: number
}
