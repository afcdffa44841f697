// Our tables carry a prefix because a toolset may keep its own in the same database. Times are epoch milliseconds and
// truths are 0 and 1: the two shapes that SQLite and PostgreSQL keep alike.

import type { Generated, Kysely } from 'kysely'
import type { VerifiedTable } from './access/access.ts'
import type { LimitTable } from './access/limiter.ts'
import type { TokenTable } from './access/tokens.ts'
import type { AccountTable } from './accounts/account-row.ts'
import type { DelegationTable } from './accounts/delegations.ts'
import type { GuessTable } from './accounts/guesses.ts'
import type { SessionTable } from './accounts/sessions.ts'
import type { SignInLinkTable } from './accounts/sign-in-links.ts'
import type { ApprovalTable } from './approvals/approval-row.ts'
import type { SecondFactorTable } from './approvals/second-factor.ts'
import type { VoteTable } from './approvals/votes.ts'
import type { FeedbackTable } from './feedback/feedback.ts'
import type { GraceCallerTable } from './grace-period/grace-period.ts'
import type { GrantTable, GrantToolTable, GrantUseTable } from './grants/grant-row.ts'
import type { LoginTable } from './logins/logins.ts'
import type { TurnTable } from './notifications/notifications.ts'
import type { OutboxTable } from './notifications/outbox-row.ts'
import type { PinTable } from './pins/pins.ts'
import type { PlanTable } from './plan-row.ts'
import type { Sealer } from './seal.ts'
import type { FreezeTable } from './switches/switches.ts'

export type { PlanTable }

interface MetaTable {
  readonly name: string
  readonly value: string
}

interface WordsTable {
  readonly position: number
  /** On PostgreSQL a `tsvector`. */
  readonly words: string
}

/** One call. Readable columns, for operators ask their questions in SQL; everything here was redacted before. */
export interface ActivityTable {
  /** In the order of arrival: the first `change` of the row (in rows of format 1 counted up by the database). */
  readonly position: number
  readonly id: string
  /** Grows with every change of any row, across tenants. */
  readonly change: number
  readonly at: number
  readonly tenant: string
  readonly subject: string
  /** What `subject` becomes when it is erased. */
  readonly pseudonym: string
  readonly client: string
  readonly source: string
  readonly tool: string
  readonly variant: string | null
  readonly operation: string | null
  readonly operation_source: string | null
  /** The risk as the contract has it; `risk` is what this input was rated. */
  readonly declared_risk: string | null
  readonly audit_event: string | null
  /** `open` until it ends. */
  readonly outcome: string
  readonly verdict: string | null
  readonly risk: string | null
  readonly plan_id: string | null
  readonly approval_id: string | null
  readonly ended_at: number | null
  readonly duration_ms: number | null
  readonly error_code: string | null
  /** Which columns `begin_link` vouches for (`digest-columns.ts`). */
  readonly begin_format: Generated<number>
  readonly begin_seq: number
  readonly begin_digest: string
  readonly begin_link: string
  /** The same of `end_link`; null in format 1, and until it ends. */
  readonly end_format: number | null
  readonly end_seq: number | null
  readonly end_digest: string | null
  readonly end_link: string | null
  /** The columns below are gone since then. */
  readonly erased_at: number | null
  readonly salt: string | null
  readonly rationale: string | null
  readonly intent: string | null
  readonly notes: string | null
  readonly error_message: string | null
  readonly args: string | null
  readonly result: string | null
  /** Figures about guidance, for which nothing vouches: the session, as a digest, and what it is told (`GuidanceGiven`). */
  readonly session: string | null
  readonly told: string | null
  /** How work ended that is a result whatever came of it; in a word of its tool. */
  readonly ended: string | null
  /** The error, of the call or of the program that it ran, and the rule that explains it. */
  readonly error_type: string | null
  readonly error_rule: string | null
  /** Where no rule explains it. The sample is redacted. */
  readonly fingerprint: string | null
  readonly error_sample: string | null
}

/** What tools add to their own calls. */
export interface EventTable {
  readonly tenant: string
  readonly seq: number
  readonly call_id: string
  readonly at: number
  readonly pseudonym: string
  readonly name: string
  readonly digest: string
  readonly link: string
  readonly salt: string | null
  readonly data: string | null
}

interface ErasureTable {
  readonly tenant: string
  readonly seq: number
  readonly at: number
  readonly pseudonym: string
  readonly link: string
}

/** The newest entry of each tenant's chain, and how much there is (for retention only; nothing vouches for the sums). */
interface HeadTable {
  readonly tenant: string
  readonly seq: number
  readonly link: string
  readonly calls: number
  readonly bytes: number
}

/** Where retention has cut a tenant's chain. */
interface CheckpointTable {
  readonly tenant: string
  readonly seq: number
  readonly link: string
  readonly at: number
  /** JSON: entries before the cut that are still there, with their signatures. */
  readonly kept: string
  readonly mac: string
}

/** Calls of one hour or one day that were alike. */
interface SumTable {
  readonly tenant: string
  /** Milliseconds: an hour's or a day's. */
  readonly length: number
  /** When it begins. */
  readonly since: number
  readonly tool: string | null
  readonly verdict: string | null
  readonly outcome: string
  readonly error_code: string | null
  readonly error_type: string | null
  readonly variant: string | null
  readonly ended: string | null
  readonly calls: number
  readonly asked: number
  readonly said: number
  readonly erased: number
}

/** Which hours of a tenant have sums, and of which state of its chain. */
interface SummedTable {
  readonly tenant: string
  readonly since: number
  readonly until: number
  /** Where retention had cut the chain, and the newest erasure in it; 0 where there was none. */
  readonly cut: number
  readonly erasures: number
}

// A type, not an interface: Kysely wants an index signature.
export type Tables = {
  readonly countersign_activity: ActivityTable
  /** On SQLite alone: rows that are on their way there. */
  readonly countersign_activity_recent: ActivityTable
  readonly countersign_activity_events: EventTable
  readonly countersign_activity_erasures: ErasureTable
  readonly countersign_activity_heads: HeadTable
  readonly countersign_activity_checkpoints: CheckpointTable
  readonly countersign_activity_sums: SumTable
  readonly countersign_activity_summed: SummedTable
  readonly countersign_activity_words: WordsTable
  readonly countersign_plans: PlanTable
  readonly countersign_meta: MetaTable
  readonly countersign_pins: PinTable
  readonly countersign_approvals: ApprovalTable
  readonly countersign_votes: VoteTable
  readonly countersign_tokens: TokenTable
  readonly countersign_verified: VerifiedTable
  readonly countersign_limits: LimitTable
  readonly countersign_accounts: AccountTable
  readonly countersign_sessions: SessionTable
  readonly countersign_sign_in_links: SignInLinkTable
  readonly countersign_guesses: GuessTable
  readonly countersign_delegations: DelegationTable
  readonly countersign_second_factor: SecondFactorTable
  readonly countersign_freezes: FreezeTable
  readonly countersign_feedback: FeedbackTable
  readonly countersign_grace_callers: GraceCallerTable
  readonly countersign_grants: GrantTable
  readonly countersign_grant_uses: GrantUseTable
  readonly countersign_grant_tools: GrantToolTable
  readonly countersign_outbox: OutboxTable
  readonly countersign_turns: TurnTable
  readonly countersign_logins: LoginTable
}

/** What each part of the store works with. `now` in epoch milliseconds. */
export interface StoreParts {
  readonly db: Kysely<Tables>
  readonly sealer: Sealer
  readonly now: () => number
}
