// What rows somebody asks for, as conditions of a query and as a look at a row that was read.
import type { ExpressionBuilder } from 'kysely'
import type { Outcome } from '../../../model/outcome.ts'
import type { Tables } from '../../tables.ts'
import type { CallLine, Status } from './entry.ts'
import { LONGEST_CALL_MS } from './row.ts'

/** What must hold of a row. An empty list, like none, asks for nothing. */
export interface Filter {
  readonly intentTypes?: readonly string[]
  readonly tools?: readonly string[]
  readonly statuses?: readonly Status[]
  readonly risks?: readonly string[]
  readonly tenants?: readonly string[]
  readonly verdicts?: readonly string[]
  readonly subjects?: readonly string[]
  readonly clients?: readonly string[]
  /** Doors of calls, and what is on record beside calls (`callSources`). */
  readonly sources?: readonly string[]
  /** Ids of plans or of approvals. */
  readonly plans?: readonly string[]
  readonly approvals?: readonly string[]
  /** Ids of grants under which it ran. */
  readonly grants?: readonly string[]
  /** Words that all occur in its texts, each as the beginning of one: see `wordsIn`. */
  readonly search?: readonly string[]
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  /** Epoch milliseconds, exclusive. */
  readonly until?: number
}

export type Is = ExpressionBuilder<Tables, 'countersign_activity'>

/** The column's value for a state: what has no end on record is open. */
export const outcomeOf = (status: string): string => (status === 'unknown' ? 'open' : status)

/** The conditions of a filter but for its time and its words. */
export function conditions(is: Is, filter: Filter, now: number) {
  const { statuses = [] } = filter
  const plain = equalities.flatMap(([column, name]) => {
    const wanted = filter[name] ?? []
    return wanted.length === 0 ? [] : [is(column, 'in', wanted)]
  })
  const { verdicts = [] } = filter
  // The column says the rule as well: `allow:proof`.
  if (verdicts.length > 0) plain.push(is.or(verdicts.map((verdict) => is('verdict', 'like', `${verdict}:%`))))
  const { grants = [] } = filter
  if (grants.length > 0) plain.push(is('verdict', 'in', grants.map(underGrant)))
  if (statuses.length === 0) return plain
  const settled = statuses.filter((status): status is Outcome => status !== 'open' && status !== 'unknown')
  const since = now - LONGEST_CALL_MS
  return [
    ...plain,
    is.or([
      ...(settled.length === 0 ? [] : [is('outcome', 'in', settled)]),
      ...(statuses.includes('open') ? [is.and([is('outcome', '=', 'open'), is('at', '>', since)])] : []),
      ...(statuses.includes('unknown') ? [is.and([is('outcome', '=', 'open'), is('at', '<=', since)])] : []),
    ]),
  ]
}

/** The verdict of a call that ran under a grant. */
const underGrant = (id: string): string => `allow:grant:${id}`

/** Column of the table, name in the filter, field of a line that was read. */
const equalities = [
  ['tool', 'tools', 'tool'],
  ['risk', 'risks', 'risk'],
  ['operation', 'intentTypes', 'operation'],
  ['tenant', 'tenants', 'tenant'],
  ['subject', 'subjects', 'subject'],
  ['client', 'clients', 'client'],
  ['source', 'sources', 'source'],
  ['plan_id', 'plans', 'planId'],
  ['approval_id', 'approvals', 'approvalId'],
] as const

/** Columns that conditions look at. */
export const filtered = ['outcome', 'verdict', ...equalities.map(([column]) => column)] as const

/** Whether a row fits a filter, but for its words. */
export const matches = (line: CallLine, filter: Filter): boolean => {
  const within = (wanted: readonly string[] | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value))
  return (
    equalities.every(([, name, of]) => within(filter[name], line[of])) &&
    within(filter.statuses, line.status) &&
    within(filter.verdicts, line.verdict?.split(':')[0]) &&
    within(filter.grants?.map(underGrant), line.verdict) &&
    line.at >= (filter.since ?? -Infinity) &&
    line.at < (filter.until ?? Infinity)
  )
}
