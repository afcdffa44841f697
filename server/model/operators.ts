// Operators: what the people who decide about calls may do, and what they delegate to each other. Implemented by
// `server/store/accounts`.

/** An amount of money; `value` is a decimal text. */
export interface Money {
  /** The amount, as a decimal text. */
  readonly value: string
  /** Its currency (ISO 4217). */
  readonly currency: string
}

/** What an operator may do; several add up. */
export type Role =
  | { readonly kind: 'viewer' }
  | {
      readonly kind: 'approver'
      /** Globs on wire names; `*` is every tool. */
      readonly tools: readonly string[]
      /** The most that one call may move; any amount when absent. */
      readonly maxAmount?: Money
    }
  | { readonly kind: 'admin' }

/** A right to approve that one account has given to another. */
export interface Delegation {
  readonly id: string
  readonly from: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string }
  /** Globs on wire names. */
  readonly tools: readonly string[]
  /** Epoch milliseconds. */
  readonly until: number
  readonly createdAt: number
  readonly createdBy: string
  readonly revoked: { readonly at: number; readonly by: string } | undefined
}

export interface DelegationDraft {
  /** `de_…`, unlike any other. */
  readonly id: string
  readonly from: string
  readonly to: string
  readonly tools: readonly string[]
  readonly until: number
  readonly by: string
}
