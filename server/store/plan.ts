// A plan as the store keeps it. The engine (`server/model/plan-store.ts`) declares the same shapes for what it needs; the floors
// forbid either to import the other, and `test/types/ledger.test.ts` is where the compiler proves them equal.

export interface Principal {
  readonly tenant: string
  readonly subject: string
}

/** As it is written down. */
export type StoredState = 'open' | 'applying' | 'applied' | 'failed' | 'stale' | 'unknown' | 'cancelled' | 'superseded'

/** As it is read: an open plan past its expiry reads as `expired`, without a write. */
export type PlanState = StoredState | 'expired'

export interface PlanDraft {
  readonly id: string
  readonly ticketHash: string
  readonly digest: string
  readonly tool: string
  readonly definition: string
  readonly principal: Principal
  readonly basis: string | undefined
  readonly args: string
  readonly rationale: string
  readonly shown: string
  readonly ttlMs: number
}

export interface Click {
  readonly at: number
  readonly trusted: boolean
}

export interface Plan {
  readonly id: string
  readonly ticketHash: string
  readonly digest: string
  readonly tool: string
  readonly definition: string
  readonly principal: Principal
  readonly basis: string | undefined
  readonly args: string
  readonly rationale: string
  readonly shown: string
  readonly state: PlanState
  readonly createdAt: number
  readonly expiresAt: number
  readonly changedAt: number
  readonly click: Click | undefined
  readonly ending: PlanEnding | undefined
  readonly resultErased: boolean
}

export interface EndingFailure {
  readonly code: string
  readonly message: string
}

export type PlanEnding =
  | { readonly kind: 'applied'; readonly result: string }
  | { readonly kind: 'failed'; readonly failure: EndingFailure }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown'; readonly failure: EndingFailure }

export interface OpenedPlan {
  readonly plan: Plan
  readonly superseded: string | undefined
  readonly appliedAt: number | undefined
}

export type Claim =
  | { readonly kind: 'claimed'; readonly plan: Plan }
  | { readonly kind: 'taken'; readonly plan: Plan }
  | { readonly kind: 'gone' }

export type PlanRef =
  { readonly by: 'ticket'; readonly ticketHash: string } | { readonly by: 'id'; readonly id: string }

/** The life of plans; every method is one atomic step on disk. */
export interface PlanStore {
  open(draft: PlanDraft): Promise<OpenedPlan>
  find(ref: PlanRef): Promise<Plan | undefined>
  claim(id: string, owner: string, leaseMs: number): Promise<Claim>
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  finish(id: string, owner: string, ending: PlanEnding): Promise<boolean>
  settle(id: string, ending: PlanEnding): Promise<boolean>
  correct(id: string, owner: string, ending: PlanEnding): Promise<boolean>
  cancel(id: string): Promise<Plan | undefined>
  hold(id: string, ttlMs: number): Promise<Plan | undefined>
  click(id: string, trusted: boolean, extendMs: number): Promise<Plan | undefined>
}
