// What calls are counted by: the same where rows are read for an answer and where their sums are kept for later ones. What
// agents can name freely (tools that do not exist) is one kind, or a hostile agent decides how long an answer is.
import { sql, type AliasedExpression, type Kysely } from 'kysely'
import { besideCalls } from '../../../model/activity.ts'
import type { Tables } from '../../tables.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A stretch of one tenant's time. Epoch milliseconds, `until` exclusive. */
export interface Slice {
  readonly tenant: string
  readonly since: number
  readonly until: number
}

/** Calls that have all of these in common are alike. */
export const kinds = ['tool', 'verdict', 'outcome', 'error_code', 'error_type', 'variant', 'ended'] as const

/** What is counted of calls that are alike. */
export const counts = ['calls', 'asked', 'said', 'erased'] as const

type Sum = Pick<Tables['countersign_activity_sums'], (typeof kinds | typeof counts)[number] | 'since'>

/** The calls of a slice, each as a sum of one. */
export const callsIn = (db: Kysely<Tables>, { tenant, since, until }: Slice) =>
  db
    .selectFrom('countersign_activity')
    .select([
      // Whatever exists has the name of its event; what was only asked for has none.
      sql<string | null>`case when audit_event is null then null else tool end`.as('tool'),
      'verdict',
      'outcome',
      'error_code',
      'error_type',
      'variant',
      'ended',
      sql<number>`at - at % ${sql.lit(HOUR)}`.as('since'),
      sql<number>`1`.as('calls'),
      sql<number>`case when source = 'approval' then 0 else 1 end`.as('asked'),
      sql<number>`case when rationale is null then 0 else 1 end`.as('said'),
      sql<number>`case when erased_at is null then 0 else 1 end`.as('erased'),
    ])
    .where('tenant', '=', tenant)
    .where('at', '>=', since)
    .where('at', '<', until)
    .where('source', 'not in', besideCalls)

/** Adds up what is alike, and so for whatever else the query is grouped by. */
export const addedUp = (db: Kysely<Tables>, sums: AliasedExpression<Sum, 'sums'>) =>
  db
    .$pickTables<never>()
    .selectFrom(sums)
    .select(({ fn }) => [...kinds, ...counts.map((name) => fn.sum<number>(name).as(name))])
    .groupBy(kinds)
