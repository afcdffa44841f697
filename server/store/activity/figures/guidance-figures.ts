// Whether guidance helps is seen in what its session does next: it calls the same tool again, and meets the same error or not.
// Each question looks at a bounded number of errors, the newest, because SQLite answers in this process.
import { setImmediate as turn } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import type { GuidanceGiven } from '../../../model/finding.ts'
import { fromRow } from '../../from-row.ts'
import { epoch } from '../../plan-row.ts'
import type { Tables } from '../../tables.ts'
import type { Slice } from './call-kinds.ts'

/** Later than this a call is another attempt at something else. */
export const SAME_ATTEMPT_MS = 30 * 60_000
/** How many of an error's next calls are looked at for one that goes well. */
export const MOST_ATTEMPTS = 10
/** How many errors are looked at in one question of the database. */
const AT_ONCE = 500
const MOST_UNEXPLAINED = 20_000
const MOST_LISTED = 50

/** An error that a session has met, and what came after it: calls of the same tool by the same session within 30 minutes. */
export interface MetError {
  /** A digest. */
  readonly session: string
  readonly errorType: string
  readonly told: GuidanceGiven
  /** A rule explains it nearer than that something went wrong. */
  readonly explained: boolean
  /**
   * `again`: the call before met the same error. Otherwise by the next call: `resolved` (it met no error), `another` (it met
   * another one), `repeated` (the same), `left` (there was none).
   */
  readonly became: 'resolved' | 'another' | 'repeated' | 'left' | 'again'
  /** How many calls it took until one met no error; `undefined` where none of the next ten did. */
  readonly attempts: number | undefined
}

const metRow = z.object({
  session: z.string(),
  error_type: z.string(),
  told: z.enum(['all', 'none', 'with', 'without']),
  fingerprint: z.string().nullable(),
  // `''`: a call without an error; null: no call.
  earlier: z.string().nullable(),
  later: z.string().nullable(),
  attempts: epoch.nullable(),
  at: epoch,
  position: epoch,
})

/** The newest errors of one slice of time, at most `most`, the newest first; with a turn for everybody else after each 500. */
export const metErrors = async (db: Kysely<Tables>, slice: Slice, most: number): Promise<readonly MetError[]> => {
  const met: MetError[] = []
  let before: Place | undefined
  do {
    const rows = await someErrors(db, slice, before, Math.min(AT_ONCE, most - met.length))
    met.push(...rows.map(metError))
    before = rows.length < AT_ONCE ? undefined : rows.at(-1)
    await turn()
  } while (before !== undefined && met.length < most)
  return met
}

const metError = (row: z.infer<typeof metRow>): MetError => ({
  session: row.session,
  errorType: row.error_type,
  told: row.told,
  explained: row.fingerprint === null,
  became: becameOf(row),
  attempts: row.attempts ?? undefined,
})

function becameOf({ error_type: type, earlier, later }: z.infer<typeof metRow>): MetError['became'] {
  if (earlier === type) return 'again'
  if (later === null) return 'left'
  if (later === '') return 'resolved'
  return later === type ? 'repeated' : 'another'
}

type Place = Pick<z.infer<typeof metRow>, 'at' | 'position'>

const someErrors = async (
  db: Kysely<Tables>,
  { tenant, since, until }: Slice,
  before: Place | undefined,
  most: number,
) => {
  const errors = db
    .selectFrom('countersign_activity')
    .select(['session', 'tool', 'at', 'position', 'error_type', 'told', 'fingerprint'])
    .where('tenant', '=', tenant)
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('error_type', 'is not', null)
    .where('session', 'is not', null)
    .where('told', 'is not', null)
    .$if(before !== undefined, (q) =>
      q.where(sql<boolean>`(at, position) < (${before?.at ?? 0}, ${before?.position ?? 0})`),
    )
    .orderBy('at', 'desc')
    .orderBy('position', 'desc')
    .limit(most)
  // Written so that SQLite, which counts nothing beforehand, takes the index of sessions and not that of the tenant or the
  // tool, in which it would read everybody's calls of half an hour for each error.
  const calls = (side: 'before' | 'after', most: number) => {
    const [older, order] = [sql.raw(side === 'before' ? '<' : '>'), sql.raw(side === 'before' ? 'desc' : 'asc')]
    return sql`select coalesce(other.error_type, '') as error_type, other.at, other.position
      from countersign_activity as other
      where other.session = errors.session and other.tool = errors.tool and other.tenant || '' = ${tenant}
        and other.at between errors.at - ${sql.lit(side === 'before' ? SAME_ATTEMPT_MS : 0)}
          and errors.at + ${sql.lit(side === 'after' ? SAME_ATTEMPT_MS : 0)}
        and (other.at ${older} errors.at or other.position ${older} errors.position) and other.outcome <> 'open'
      order by other.at ${order}, other.position ${order}
      limit ${sql.lit(most)}`
  }
  const rows = await db
    .selectFrom(errors.as('errors'))
    .select([
      'session',
      'error_type',
      'told',
      'fingerprint',
      'at',
      'position',
      sql<string | null>`(select error_type from (${calls('before', 1)}) as calls)`.as('earlier'),
      sql<string | null>`(select error_type from (${calls('after', 1)}) as calls)`.as('later'),
      sql<number | null>`(
        select min(attempt) from (
          select error_type, row_number() over (order by at, position) as attempt
          from (${calls('after', MOST_ATTEMPTS)}) as calls
        ) as attempts
        where error_type = '')`.as('attempts'),
    ])
    .orderBy('at', 'desc')
    .orderBy('position', 'desc')
    .execute()
  return rows.map((row) => metRow.parse(row))
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
