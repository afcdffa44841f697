// Which columns each kind of entry vouches for, and in which order. Never reorder or drop one: old rows would no longer
// verify. A new column goes to the end of a new format.
import type { Selectable } from 'kysely'
import type { ActivityTable, EventTable } from '../../tables.ts'
import { digestOf, type Content } from './chain.ts'
import { toNumber } from '../to-number.ts'

type Row = Selectable<ActivityTable>
type EventRow = Selectable<EventTable>

/**
 * The format of what is written today. In format 1, which old rows have, nothing vouches for a row's place in the log
 * (`position`) and what its watchers have seen of it (`change`).
 */
export const FORMAT = 2

/** What was known when the call came, after its tenant and number; the last two since format 2. */
export const beginColumns = [
  'id',
  'at',
  'pseudonym',
  'client',
  'source',
  'tool',
  'variant',
  'operation',
  'operation_source',
  'declared_risk',
  'audit_event',
  'begin_digest',
  'begin_format',
  'position',
] as const

/** What was known when it ended, after its tenant and number; the last two since format 2. */
export const endColumns = [
  'id',
  'ended_at',
  'outcome',
  'verdict',
  'risk',
  'plan_id',
  'approval_id',
  'duration_ms',
  'error_code',
  'end_digest',
  'end_format',
  'change',
] as const

/** Texts of a call that `begin_digest` stands for, so that they can be erased. */
export const beginTexts = ['subject', 'rationale', 'intent', 'args', 'notes'] as const

/** The same of `end_digest`. */
export const endTexts = ['result', 'error_message'] as const

/** What operators count of guidance: figures, which no digest stands for. Known when the call came, and when it ended. */
export const beginFigures = ['session', 'told'] as const
export const endFigures = ['ended', 'error_type', 'error_rule', 'fingerprint', 'error_sample'] as const

const eventColumns = ['call_id', 'at', 'pseudonym', 'name', 'digest'] as const

/** Columns of 64 bits, which PostgreSQL hands out as text. */
const numbers: ReadonlySet<string> = new Set([
  'at',
  'begin_format',
  'position',
  'ended_at',
  'duration_ms',
  'end_format',
  'change',
])

const cells = <Name extends string>(
  row: Readonly<Record<Name, string | number | null>>,
  names: readonly Name[],
): (string | number | null)[] =>
  names.map((name) => {
    const value = row[name]
    return value !== null && numbers.has(name) ? toNumber(value) : value
  })

export const beginContent = (row: Pick<Row, 'tenant' | 'begin_seq' | (typeof beginColumns)[number]>): Content => {
  const names = toNumber(row.begin_format) === 1 ? beginColumns.slice(0, -2) : beginColumns
  return ['begin', row.tenant, toNumber(row.begin_seq), ...cells(row, names)]
}

export const endContent = (row: Pick<Row, 'tenant' | 'end_seq' | (typeof endColumns)[number]>): Content => {
  const names = row.end_format === null ? endColumns.slice(0, -2) : endColumns
  return ['end', row.tenant, toNumber(row.end_seq ?? 0), ...cells(row, names)]
}

export const eventContent = (row: Pick<EventRow, 'tenant' | 'seq' | (typeof eventColumns)[number]>): Content => [
  'event',
  row.tenant,
  toNumber(row.seq),
  ...cells(row, eventColumns),
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

export const beginDigest = (salt: string, row: Pick<Row, (typeof beginTexts)[number]>): string =>
  digestOf(salt, 'begin', ...beginTexts.map((column) => row[column]))

export const endDigest = (salt: string, row: Pick<Row, (typeof endTexts)[number]>): string =>
  digestOf(salt, 'end', ...endTexts.map((column) => row[column]))

export const eventDigest = (salt: string, data: string | null): string => digestOf(salt, 'event', data)
