// Sums over a log of millions of rows, for people who look at a page while agents wait for their calls. SQLite answers in
// this process and while it does nothing else runs, so the caller asks for one slice of time after another; and what
// agents can name freely (tools that do not exist) is one line, or a hostile agent decides how long an answer is.
import { setImmediate as turn } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { besideCalls } from '../../model/activity.ts'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import { apportion } from './apportion.ts'
import { toNumber } from './to-number.ts'

/** A stretch of one tenant's time. Epoch milliseconds, `until` exclusive. */
export interface Slice {
  readonly tenant: string
  readonly since: number
  readonly until: number
}

/** Calls that were alike. */
export interface CallCount {
  /** `undefined` for names that no tool has. */
  readonly tool: string | undefined
  /** What the gate said, without its rule: `allow`. */
  readonly verdict: string | undefined
  /** An outcome, or `open`. */
  readonly outcome: string
  readonly errorCode: string | undefined
  /** What the error is called to whom it is explained; of a program, the error that it ended with. */
  readonly errorType: string | undefined
  /** The gateway's call tool, if any. */
  readonly variant: string | undefined
  /** How work ended that is a result whatever came of it. */
  readonly ended: string | undefined
  readonly calls: number
  /** Of these, how many an agent made itself and had to say why; an approved call runs on the words of the one before. */
  readonly asked: number
  /** Of these, how many said why. */
  readonly said: number
  /** Of these, how many lost their texts to an erasure. */
  readonly erased: number
}

/** A recorded rationale with what it must not merely repeat. */
export interface SaidLine {
  readonly text: string
  readonly tool: string
  /** The first part of the arguments' JSON. */
  readonly args: string
  readonly planId: string | undefined
  readonly id: string
}

const countRow = z.object({
  tool: z.string().nullable(),
  verdict: z.string().nullable(),
  outcome: z.string(),
  error_code: z.string().nullable(),
  error_type: z.string().nullable(),
  variant: z.string().nullable(),
  ended: z.string().nullable(),
  calls: epoch,
  asked: epoch,
  said: epoch,
  erased: epoch,
})

/** Sums of one slice. */
export const countCalls = async (
  db: Kysely<Tables>,
  { tenant, since, until }: Slice,
): Promise<readonly CallCount[]> => {
  const rows = await db
    .selectFrom(
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
          sql<number>`case when source = 'approval' then 0 else 1 end`.as('asks'),
          sql<number>`case when rationale is null then 0 else 1 end`.as('says'),
          sql<number>`case when erased_at is null then 0 else 1 end`.as('gone'),
        ])
        .where('tenant', '=', tenant)
        .where('at', '>=', since)
        .where('at', '<', until)
        .where('source', 'not in', besideCalls)
        .as('calls'),
    )
    .select(({ fn }) => [
      'tool',
      'verdict',
      'outcome',
      'error_code',
      'error_type',
      'variant',
      'ended',
      fn.countAll().as('calls'),
      fn.sum('asks').as('asked'),
      fn.sum('says').as('said'),
      fn.sum('gone').as('erased'),
    ])
    .groupBy(['tool', 'verdict', 'outcome', 'error_code', 'error_type', 'variant', 'ended'])
    .execute()
  return rows.map((raw) => {
    const row = fromRow(countRow.parse(raw))
    return { ...row, verdict: row.verdict?.split(':')[0] }
  })
}

/** When this tenant's first recorded call was; `undefined` where there is none. */
export const firstCallAt = async (db: Kysely<Tables>, tenant: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('countersign_activity')
    .select((is) => is.fn.min('at').as('at'))
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  return row?.at === null || row === undefined ? undefined : toNumber(row.at)
}

/** Names of the tenants that the log has calls of, in the order of the alphabet; at most `most`. */
export const tenantsWithCalls = async (db: Kysely<Tables>, most: number): Promise<readonly string[]> => {
  const names: string[] = []
  while (names.length < most) {
    const last = names.at(-1)
    // One step for each tenant on the index, where `distinct` would read every row.
    const row = await db
      .selectFrom('countersign_activity')
      .select((is) => is.fn.min('tenant').as('tenant'))
      .$if(last !== undefined, (q) => q.where('tenant', '>', last ?? ''))
      .executeTakeFirst()
    if (row === undefined || row.tenant === null) break
    names.push(row.tenant)
  }
  return names
}

const ARGS = 2000
/** Where a tenant has more entries, the slices have shares by how many they have, and their calls are not counted. */
const MOST_COUNTED = 50_000
/** How many rows are looked at for one that says why. */
const PATIENCE = 4

/**
 * Rationales spread over the slices as the calls are, at most `most`, oldest first. In each slice those that came first;
 * the same question gives the same answer.
 */
export const sampleSaid = async (
  db: Kysely<Tables>,
  slices: readonly Slice[],
  most: number,
  mostCounted = MOST_COUNTED,
): Promise<readonly SaidLine[]> => {
  const entries = await ofEach(slices, (slice) => entriesIn(db, slice))
  const isLong = entries.reduce((sum, count) => sum + count, 0) > mostCounted
  const shares = apportion(isLong ? entries : await ofEach(slices, (slice) => callsIn(db, slice)), most)
  const lines: SaidLine[] = []
  for (const [at, slice] of slices.entries()) {
    lines.push(...(await saidIn(db, slice, shares[at] ?? 0)))
    await turn()
  }
  return lines
}

async function ofEach(slices: readonly Slice[], count: (slice: Slice) => Promise<number>): Promise<readonly number[]> {
  const counts: number[] = []
  for (const slice of slices) counts.push(await count(slice))
  return counts
}

async function callsIn(db: Kysely<Tables>, slice: Slice): Promise<number> {
  const row = await within(db, slice)
    .select((is) => is.fn.countAll().as('calls'))
    .where('source', 'not in', besideCalls)
    .executeTakeFirst()
  return Number(row?.calls ?? 0)
}

/** By the numbers of a tenant's first entry and its last one, between which no call has to be read. */
async function entriesIn(db: Kysely<Tables>, slice: Slice): Promise<number> {
  const [first, last] = await Promise.all(
    (['asc', 'desc'] as const).map((order) =>
      within(db, slice)
        .select('begin_seq')
        .orderBy('at', order)
        .orderBy('begin_seq', order)
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  return first === undefined || last === undefined
    ? 0
    : Math.abs(toNumber(last.begin_seq) - toNumber(first.begin_seq)) + 1
}

const within = (db: Kysely<Tables>, { tenant, since, until }: Slice) =>
  db.selectFrom('countersign_activity').where('tenant', '=', tenant).where('at', '>=', since).where('at', '<', until)

const saidRow = z.object({
  id: z.string(),
  tool: z.string(),
  rationale: z.string(),
  plan_id: z.string().nullable(),
  args: z.string().nullable(),
})

async function saidIn(db: Kysely<Tables>, { tenant, since, until }: Slice, take: number): Promise<readonly SaidLine[]> {
  if (take === 0) return []
  const rows = await db
    .selectFrom(
      db
        .selectFrom('countersign_activity')
        .select([
          'id',
          'at',
          'position',
          'tool',
          'rationale',
          'plan_id',
          sql<string>`substr(args, 1, ${sql.lit(ARGS)})`.as('args'),
        ])
        .where('tenant', '=', tenant)
        .where('at', '>=', since)
        .where('at', '<', until)
        .where('source', 'not in', besideCalls)
        .orderBy('at')
        .limit(take * PATIENCE)
        .as('calls'),
    )
    .select(['id', 'tool', 'rationale', 'plan_id', 'args'])
    .where('rationale', 'is not', null)
    .orderBy('at')
    .orderBy('position')
    .limit(take)
    .execute()
  return rows.map((raw) => {
    const row = saidRow.parse(raw)
    return { id: row.id, text: row.rationale, tool: row.tool, args: row.args ?? '', planId: row.plan_id ?? undefined }
  })
}
