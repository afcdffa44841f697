// Which columns each kind of entry vouches for, and in which order. Never reorder or drop one: old rows would no longer
// verify. A new column goes to the end of a new format.
import type { Selectable } from 'kysely'
import type { ActivityTable, EventTable } from '../tables.ts'
import { digestOf, type Content } from './chain.ts'
import { toNumber } from './to-number.ts'

type Row = Selectable<ActivityTable>
type EventRow = Selectable<EventTable>

/**
 * The format of what is written today. In format 1, which old rows have, nothing vouches for a row's place in the log
 * (`position`) and what its watchers have seen of it (`change`).
 */
export const FORMAT = 2

/** What was known when the call came. */
export type BeginColumns = Pick<
  Row,
  | 'tenant'
  | 'begin_seq'
  | 'id'
  | 'at'
  | 'pseudonym'
  | 'client'
  | 'source'
  | 'tool'
  | 'variant'
  | 'operation'
  | 'operation_source'
  | 'declared_risk'
  | 'audit_event'
  | 'begin_digest'
  | 'begin_format'
  | 'position'
>

export const beginContent = (row: BeginColumns): Content => [
  'begin',
  row.tenant,
  toNumber(row.begin_seq),
  row.id,
  toNumber(row.at),
  row.pseudonym,
  row.client,
  row.source,
  row.tool,
  row.variant,
  row.operation,
  row.operation_source,
  row.declared_risk,
  row.audit_event,
  row.begin_digest,
  ...(toNumber(row.begin_format) === 1 ? [] : [toNumber(row.begin_format), toNumber(row.position)]),
]

/** What was known when it ended. */
export type EndColumns = Pick<
  Row,
  | 'tenant'
  | 'end_seq'
  | 'id'
  | 'ended_at'
  | 'outcome'
  | 'verdict'
  | 'risk'
  | 'plan_id'
  | 'approval_id'
  | 'duration_ms'
  | 'error_code'
  | 'end_digest'
  | 'end_format'
  | 'change'
>

export const endContent = (row: EndColumns): Content => [
  'end',
  row.tenant,
  toNumber(row.end_seq ?? 0),
  row.id,
  row.ended_at === null ? null : toNumber(row.ended_at),
  row.outcome,
  row.verdict,
  row.risk,
  row.plan_id,
  row.approval_id,
  row.duration_ms === null ? null : toNumber(row.duration_ms),
  row.error_code,
  row.end_digest,
  ...(row.end_format === null ? [] : [toNumber(row.end_format), toNumber(row.change)]),
]

export type EventColumns = Pick<EventRow, 'tenant' | 'seq' | 'call_id' | 'at' | 'pseudonym' | 'name' | 'digest'>

export const eventContent = (row: EventColumns): Content => [
  'event',
  row.tenant,
  toNumber(row.seq),
  row.call_id,
  toNumber(row.at),
  row.pseudonym,
  row.name,
  row.digest,
]

const CLAIMING = 'plan.claimed:'

/** Name of the event that vouches for the plan of a call which has not ended. Erasure leaves names as they are. */
export const claimingName = (planId: string): string => `${CLAIMING}${planId}`

/** The plan that an event of this name is about; `undefined` for every other event. */
export const claimedPlan = (name: string): string | undefined =>
  name.startsWith(CLAIMING) ? name.slice(CLAIMING.length) : undefined

export interface Erasure {
  readonly tenant: string
  readonly seq: number
  readonly at: number
  readonly pseudonym: string
}

/** Says that every text of this pseudonym before this entry may be gone. */
export const eraseContent = (row: Erasure): Content => [
  'erase',
  row.tenant,
  toNumber(row.seq),
  toNumber(row.at),
  row.pseudonym,
]

export const beginDigest = (
  salt: string,
  row: Pick<Row, 'subject' | 'rationale' | 'intent' | 'args' | 'notes'>,
): string => digestOf(salt, 'begin', row.subject, row.rationale, row.intent, row.args, row.notes)

export const endDigest = (salt: string, row: Pick<Row, 'result' | 'error_message'>): string =>
  digestOf(salt, 'end', row.result, row.error_message)

export const eventDigest = (salt: string, data: string | null): string => digestOf(salt, 'event', data)
