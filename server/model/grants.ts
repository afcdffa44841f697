// Grants: decisions about calls to come, so that nobody approves the same harmless thing forty times. A grant lets calls of one
// tool run without a person, on a condition, so many times, until a date. It replaces the confirmation only, never the
// plan. Implemented by `server/store/grants`.
import type { Principal } from './principal.ts'
import type { Operation, Risk } from './risk.ts'

/** The period over which uses are counted: any 60 minutes, any 24 hours, or all time. */
export type GrantPeriod = 'hour' | 'day' | 'total'

export interface GrantDraft {
  readonly id: string
  readonly tenant: string
  /** The one whose calls it covers; everyone of the tenant when absent. */
  readonly subject: string | undefined
  /** Wire name, or `server:tool` on a gateway. */
  readonly tool: string
  /** The definition that the condition was checked against: another one suspends the grant. */
  readonly definition: string
  /**
   * JSON Schema of the arguments when the grant was given. Calls with other arguments stay uncovered, also once the tool has
   * changed and the grant was renewed. Absent in grants from before this was stored. Sealed at rest.
   */
  readonly schema?: string
  /** Calls that rate higher than this are not covered. Never above `high`. */
  readonly risk: Risk
  /** A CEL expression over the arguments; `true` covers all. Sealed at rest. */
  readonly condition: string
  /** Why it was given, for whoever looks at it later. Sealed at rest. */
  readonly note: string | undefined
  /** At most so many uses … */
  readonly times: number
  /** … in this time. */
  readonly per: GrantPeriod
  /** Epoch milliseconds, exclusive. */
  readonly until: number
  readonly createdBy: string
  /**
   * The person who gave it or renewed it last: an account's id, or that of the admin token. Absent in grants from before
   * this was stored, which cover no call that a rule of approval applies to.
   */
  readonly giver: string | undefined
  /** The approval that it was given from. */
  readonly approvalId: string | undefined
}

export interface Grant extends GrantDraft {
  /** Epoch milliseconds by the store's clock. */
  readonly createdAt: number
  readonly renewed: { readonly at: number; readonly by: string } | undefined
  readonly revoked: { readonly at: number; readonly by: string } | undefined
  /** Uses that count now: in the running period, without those given back. */
  readonly used: number
  /** Uses ever, without those given back. */
  readonly usedInAll: number
  readonly lastUsedAt: number | undefined
}

/** One use, as it is listed. */
export interface GrantUse {
  readonly planId: string
  readonly subject: string
  readonly at: number
  /** When it was given back, because the call certainly had no effect. */
  readonly returnedAt: number | undefined
}

/** What is checked again in the transaction that takes a use. */
export interface GrantClaim {
  readonly planId: string
  readonly principal: Principal
  readonly tool: string
  readonly definition: string
  /**
   * Digest of the call. Every other open plan of the same call by this principal is superseded in the same transaction, one
   * that waits for an approval too, so that what runs now is not confirmed again afterwards.
   */
  readonly insteadOf?: string | undefined
}

export type GrantTaken =
  | { readonly kind: 'taken'; /** Uses that are left in the period. */ readonly left: number }
  /** Revoked, expired, used up or renewed for another definition in the meantime. */
  | { readonly kind: 'refused' }

export interface GrantFilter {
  readonly tenant?: string | undefined
  readonly tool?: string | undefined
  /** `active`: not revoked and not expired. */
  readonly state?: 'active' | 'ended' | undefined
  readonly limit: number
  /** Id of the last one of the page before. */
  readonly before?: string | undefined
}

/** A tool for which a grant can be given, as a server on this database offers it. */
export interface GrantableTool {
  readonly name: string
  readonly title: string
  readonly operation: Operation
  /** The highest risk that its contract declares. */
  readonly risk: Risk
  readonly riskDependsOnInput: boolean
  readonly stepUp: 'never' | 'always' | 'depends_on_input'
  readonly definition: string
  /** JSON Schema of its arguments, without rationale, preview and ticket. JSON text. */
  readonly schema: string
}

export interface Grants {
  /** Those that may cover a call of this tool by this principal now: not revoked, not expired, with uses left. */
  active(principal: Principal, tool: string): Promise<readonly Grant[]>
  /** Checks that a use is left and takes it for this plan, in one step. Once for each plan. */
  take(id: string, claim: GrantClaim): Promise<GrantTaken>
  /** Gives back the use that this plan has taken; false where it took none. */
  giveBack(planId: string): Promise<boolean>
  create(draft: GrantDraft): Promise<Grant>
  find(id: string): Promise<Grant | undefined>
  /** Newest first. */
  list(filter: GrantFilter): Promise<readonly Grant[]>
  /** Its uses, newest first. */
  uses(id: string, limit: number): Promise<readonly GrantUse[]>
  /** Ends it, at once and for every process. False where it is unknown or has been revoked already. */
  revoke(id: string, by: string): Promise<boolean>
  /** Pins another definition and risk, for a grant that is not revoked. False where there is none. */
  renew(
    id: string,
    pinned: { readonly definition: string; readonly risk: Risk; readonly by: string; readonly giver: string },
  ): Promise<boolean>
  /** Stores what this server offers; what others on this database offer stays. */
  offer(tools: readonly GrantableTool[]): Promise<void>
  offered(name: string): Promise<GrantableTool | undefined>
  /** By name. */
  offers(limit: number): Promise<readonly GrantableTool[]>
  offeredNames(): Promise<readonly string[]>
}
