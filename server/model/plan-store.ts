// The port of the plan store. Each method is one atomic step on durable storage, so that two processes or a crash between any
// two steps can never run a plan twice and never lose an outcome. Payloads are opaque strings, which the store seals.
// Implemented by `server/store/plan-store.ts`.
import type { Kysely } from 'kysely'
import type { ActivityCompletion, ActivityEvent, StartedRow } from './activity.ts'
import type { Principal } from './principal.ts'

/**
 * The states of a plan:
 * `open` → `applying` → `applied` | `failed` | `stale` | `unknown`; `open` → `applied` | `failed` | `stale` where the run shares
 * the plan's transaction; `open` → `cancelled` | `superseded`;
 * an open plan past its expiry reads as `expired`; an `applying` plan whose lease lapsed reads and is kept as
 * `unknown`, and only its owner (late) or a reconcile can still record an ending. Where a reconcile concluded `failed` while
 * the owner was only silent, the owner corrects it to `applied` or `unknown`.
 */
export const planStates = [
  'open',
  'applying',
  'applied',
  'failed',
  'stale',
  'unknown',
  'cancelled',
  'superseded',
  'expired',
] as const
/** Where a plan stands. */
export type PlanState = (typeof planStates)[number]

export interface PlanDraft {
  readonly id: string
  readonly ticketHash: string
  /** SHA-256 of the canonical JSON of tool, definition and arguments. */
  readonly digest: string
  readonly tool: string
  readonly definition: string
  readonly principal: Principal
  readonly basis: string | undefined
  /** Canonical JSON of the parsed arguments, without the reserved names. Encrypted at rest. */
  readonly args: string
  readonly rationale: string
  /** JSON of what is kept of the preview: the changes that the person was shown, for the three-way diff. Encrypted at rest. */
  readonly shown: string
  readonly ttlMs: number
  /** The person has made this call of another one: it takes the place of the open plans that were changed into it. */
  readonly isRevision?: boolean
}

export interface Plan extends Omit<PlanDraft, 'ttlMs' | 'isRevision'> {
  readonly state: PlanState
  /** Epoch milliseconds by the store's clock. */
  readonly createdAt: number
  readonly expiresAt: number
  /** When it reached its present state. */
  readonly changedAt: number
  /** The click in the card, recorded through the app-only tool; `trusted` when the connection was. */
  readonly click: { readonly at: number; readonly trusted: boolean } | undefined
  /** The recorded end of the run. Gone (with `resultErased`) after the retention time. */
  readonly ending: PlanEnding | undefined
  readonly resultErased: boolean
}

/** How a run ended, as it is stored for a replay. */
export type PlanEnding =
  | { readonly kind: 'applied'; /** JSON of the contract's output. Encrypted at rest. */ readonly result: string }
  | { readonly kind: 'failed'; readonly failure: EndingFailure }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown'; readonly failure: EndingFailure }

export interface EndingFailure {
  readonly code: string
  readonly message: string
}

export interface OpenedPlan {
  readonly plan: Plan
  /** The older open plan of the same call by the same principal, which this one replaced. */
  readonly superseded: string | undefined
  /** When the same call by the same principal was last applied, if within the last ten minutes. */
  readonly appliedAt: number | undefined
}

export type Claim =
  | {
      readonly kind: 'claimed'
      readonly plan: Plan
      /**
       * Whether the claim is so young that nobody can take it for lapsed, by the clock that all processes on this store share.
       * Where it is not, or where the store's clock is another machine's, `renew` says.
       */
      readonly isFresh?: () => boolean
    }
  /** It is no longer open; the plan as it is now. */
  | { readonly kind: 'taken'; readonly plan: Plan }
  | { readonly kind: 'gone' }

/** A plan by its ticket's hash or by its id. */
export type PlanRef =
  | { readonly by: 'ticket'; readonly ticketHash: string }
  | { readonly by: 'id'; readonly id: string }

/** The row of a call, and how it ends. */
export interface RowEnd {
  readonly id: string
  readonly completion: () => ActivityCompletion
}

/** The transaction in which a plan ends, for the statements of its run: `$extendTables<…>()` names the tables. */
export type PlanTransaction = Kysely<unknown>

/** One of the times that a run is taken. */
export interface RunAttempt {
  /** As long as it may take, in milliseconds. Then it is to throw `late()`. */
  readonly longestMs: number
  readonly late: () => Error
  /** Whether this error means that it is taken back and taken again, through no fault of its own: it is to be thrown on. */
  readonly isTakenAgain: (error: unknown) => boolean
}

/** The run of a tool whose effect lies in the store's own database. */
export interface RunInTransaction {
  /** Runs it, in the transaction in which its plan ends; anything but `applied` takes back what it wrote. May be called again. */
  readonly run: (transaction: PlanTransaction, attempt: RunAttempt) => Promise<PlanEnding>
  /** How the plan ends where the database refused what the run had written. */
  readonly crashed: (error: unknown) => PlanEnding
  /** The row of the call, which is written down in the same commit, and without which nothing runs. */
  readonly row?: RowOfRun | undefined
}

/** What is written into the row of a call together with the ending of its plan. */
interface RowOfRun extends StartedRow {
  /** What the run has added to it. */
  readonly events: () => readonly ActivityEvent[]
  /** How the row ends; `undefined` where somebody else completes it. */
  readonly completion: (ended: PlanEnding) => ActivityCompletion | undefined
}

export interface PlanStore {
  /**
   * Stores a new open plan and supersedes the older open one of the same digest and principal, and those that it is a revision of,
   * in one step; where a freeze covers its tenant, it is `cancelled` from the start. `row`: the row of the call, without which
   * nothing is opened.
   */
  open(draft: PlanDraft, row?: StartedRow): Promise<OpenedPlan>
  /**
   * Notes that the person has changed the call of an open plan into the one of this digest. False where it is not open any more,
   * or is held for an approval.
   */
  revise(id: string, digest: string): Promise<boolean>
  /** The open plan of this principal that was changed into the call of this digest, or is itself its older preview; none that is held. */
  findRevised(digest: string, principal: Principal): Promise<Plan | undefined>
  /** Reads a plan; expiry and lapsed leases are applied to what is read. */
  find(ref: PlanRef): Promise<Plan | undefined>
  /**
   * `open → applying`, if it is open, not expired and no freeze covers its tenant (where one does: `open → cancelled`); owner
   * and lease in the same step. `row`: the row of the call, which names the plan from the same commit on; without that row
   * nothing is claimed.
   */
  claim(id: string, owner: string, leaseMs: number, row?: string): Promise<Claim>
  /**
   * Extends the lease of a running plan by the database's clock; false when it has lapsed or is no longer this owner's.
   */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  /**
   * Whether at least two thirds of a running plan's lease are left to this owner by the database's clock. Only read, which a
   * server answers without a commit. The last step before a run, because the process may have slept since the claim.
   */
  holds(id: string, owner: string, leaseMs: number): Promise<boolean>
  /**
   * `applying | unknown → ending`, by the owner only. False when somebody else settled it first. `row`: the row of the call,
   * which ends in the same commit where the plan does.
   */
  finish(id: string, owner: string, ending: PlanEnding, row?: RowEnd): Promise<boolean>
  /**
   * `open → ending`, in one commit with what the run wrote, if it is open, not expired and no freeze covers its tenant (where
   * one does: `open → cancelled`). Answers the ending that was committed, of whichever of its runs; `undefined` where this call
   * has ended nothing that it knows of: the plan says what became of it. Nobody sees it as `applying`.
   */
  runInTransaction(id: string, owner: string, work: RunInTransaction): Promise<PlanEnding | undefined>
  /** `unknown → applied | failed`, by a reconcile. False when it was settled meanwhile. */
  settle(id: string, ending: PlanEnding): Promise<boolean>
  /**
   * `failed → applied | unknown`, by the owner, where a reconcile concluded `failed` while the run was silent. False where
   * there is no such conclusion.
   */
  correct(id: string, owner: string, ending: PlanEnding): Promise<boolean>
  /** `open → cancelled`. Answers the plan as it is afterwards. */
  cancel(id: string): Promise<Plan | undefined>
  /** Lets an open plan last for at least `ttlMs` from now. */
  keep(id: string, ttlMs: number): Promise<void>
  /** Lets an open plan last no longer than now. */
  expire(id: string): Promise<void>
  /**
   * Holds an open plan for an approval: it now expires after `ttlMs`, and a new preview of the same call no longer
   * supersedes it. Answers the plan afterwards.
   */
  hold(id: string, ttlMs: number): Promise<Plan | undefined>
  /** Records the click and extends an open plan by `extendMs`, the first time only. Answers the plan afterwards. */
  click(id: string, trusted: boolean, extendMs: number): Promise<Plan | undefined>
}
