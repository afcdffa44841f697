// Our tables carry a prefix because a toolset may keep its own in the same database. Times are epoch milliseconds and
// truths are 0 and 1: the two shapes that SQLite and PostgreSQL keep alike.
import type { ApprovalTable, SecondFactorTable } from './approvals/table.ts'
import type { FeedbackTable } from './feedback/table.ts'
import type { GraceCallerTable } from './grace/table.ts'
import type { FreezeTable } from './switches/table.ts'

export interface PlanTable {
  readonly id: string
  readonly ticket_hash: string
  readonly digest: string
  readonly tool: string
  readonly definition: string
  readonly tenant: string
  readonly subject: string
  readonly basis: string | null
  /** Arguments, rationale and what was shown, sealed as one: three ciphers would cost more than the query. */
  readonly content: Uint8Array
  readonly state: string
  readonly created_at: number
  readonly expires_at: number
  readonly changed_at: number
  /** Who runs or ran it. Kept after the end: an owner that comes late may still say what became of the run. */
  readonly owner: string | null
  /** 1 while it waits for an approval: a new preview of the same call does not supersede it. */
  readonly held: number
  readonly lease_until: number | null
  readonly click_at: number | null
  readonly click_trusted: number
  /** Sealed. */
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
  readonly countersign_approvals: ApprovalTable
  readonly countersign_second_factor: SecondFactorTable
  readonly countersign_freezes: FreezeTable
  readonly countersign_feedback: FeedbackTable
  readonly countersign_grace_callers: GraceCallerTable
}
