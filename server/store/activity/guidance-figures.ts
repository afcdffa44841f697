// Whether guidance helps is seen in what its session does next: it calls the same tool again, and meets the same error or not.
// Each question looks at a bounded number of errors, the newest, because SQLite answers in this process.
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import type { Told } from '../../model/finding.ts'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { Slice } from './counts.ts'

/** Later than this a call is another attempt at something else. */
export const SAME_ATTEMPT_MS = 30 * 60_000
/** How many errors one question looks at. */
const MOST_RESOLVED = 5000
const MOST_UNEXPLAINED = 20_000
const MOST_LISTED = 50

/**
 * What became of errors that were alike. `resolved` and `repeated` are of the first of a row of the same errors and by the
 * session's next call of that tool; `left`: it made none. `again`: errors that repeat the one before.
 */
export interface ErrorSum {
  readonly errorType: string
  readonly told: Told
  readonly became: 'resolved' | 'repeated' | 'left' | 'again'
  readonly errors: number
}

const told = z.enum(['all', 'none', 'with', 'without'])
const sumRow = z.object({
  error_type: z.string(),
  told,
  became: z.enum(['resolved', 'repeated', 'left', 'again']),
  errors: epoch,
})

/** What became of the errors of one slice of time: of its newest 5,000. */
export const errorSums = async (db: Kysely<Tables>, { tenant, since, until }: Slice): Promise<readonly ErrorSum[]> => {
  const errors = db
    .selectFrom('countersign_activity')
    .select(['session', 'tool', 'at', 'position', 'error_type', 'told'])
    .where('tenant', '=', tenant)
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('error_type', 'is not', null)
    .where('session', 'is not', null)
    .where('told', 'is not', null)
    .orderBy('at', 'desc')
    .limit(MOST_RESOLVED)
  // `''` of a call without an error; null where there is no call.
  const neighbour = (side: 'before' | 'after') =>
    sql<string | null>`(
      select coalesce(other.error_type, '') from countersign_activity as other
      where other.session = errors.session and other.tool = errors.tool and other.tenant = ${tenant}
        and other.outcome <> 'open' and other.at between errors.at - ${sql.lit(side === 'before' ? SAME_ATTEMPT_MS : 0)}
        and errors.at + ${sql.lit(side === 'after' ? SAME_ATTEMPT_MS : 0)}
        and (other.at, other.position) ${sql.raw(side === 'before' ? '<' : '>')} (errors.at, errors.position)
      order by other.at ${sql.raw(side === 'before' ? 'desc' : 'asc')},
        other.position ${sql.raw(side === 'before' ? 'desc' : 'asc')}
      limit 1)`
  const rows = await db
    .selectFrom(
      db
        .selectFrom(errors.as('errors'))
        .select(['error_type', 'told', neighbour('before').as('earlier'), neighbour('after').as('later')])
        .as('seen'),
    )
    .select(({ fn }) => [
      'error_type',
      'told',
      sql<string>`case when earlier = error_type then 'again' when later is null then 'left'
        when later = error_type then 'repeated' else 'resolved' end`.as('became'),
      fn.countAll().as('errors'),
    ])
    .groupBy(['error_type', 'told', 'became'])
    .execute()
  return rows.map((row) => fromRow(sumRow.parse(row)))
}

/** Errors of one fingerprint at one tool. */
export interface UnexplainedSum {
  readonly fingerprint: string
  /** `undefined` for names that no tool has. */
  readonly tool: string | undefined
  readonly errorType: string
  readonly rule: string
  /** Redacted, with marks in the place of values. */
  readonly sample: string
  readonly times: number
  readonly sessions: number
  /** Epoch milliseconds. */
  readonly first: number
  readonly last: number
}

const unexplainedRow = z.object({
  fingerprint: z.string(),
  tool: z.string().nullable(),
  error_type: z.string(),
  rule: z.string(),
  sample: z.string(),
  times: epoch,
  sessions: epoch,
  first: epoch,
  last: epoch,
})

/** What no rule explains, the most frequent first: of the newest 20,000 errors of this time. */
export const unexplainedSums = async (
  db: Kysely<Tables>,
  { tenant, since, until }: Slice,
): Promise<readonly UnexplainedSum[]> => {
  const errors = db
    .selectFrom('countersign_activity')
    .select([
      'fingerprint',
      sql<string | null>`case when audit_event is null then null else tool end`.as('tool'),
      'error_type',
      'error_rule',
      'error_sample',
      'session',
      'at',
    ])
    .where('tenant', '=', tenant)
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('error_type', 'is not', null)
    .orderBy('at', 'desc')
    .limit(MOST_UNEXPLAINED)
  const rows = await db
    .selectFrom(errors.as('errors'))
    .select(({ fn }) => [
      'fingerprint',
      'tool',
      fn.min('error_type').as('error_type'),
      fn.min('error_rule').as('rule'),
      fn.min('error_sample').as('sample'),
      fn.countAll().as('times'),
      fn.count('session').distinct().as('sessions'),
      fn.min('at').as('first'),
      fn.max('at').as('last'),
    ])
    .where('fingerprint', 'is not', null)
    .groupBy(['fingerprint', 'tool'])
    .orderBy('times', 'desc')
    .orderBy('fingerprint')
    .limit(MOST_LISTED)
    .execute()
  return rows.map((row) => fromRow(unexplainedRow.parse(row)))
}
