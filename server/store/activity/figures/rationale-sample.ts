// What agents give as their reasons, of a log of millions of rows: a sample that is spread over the time as the calls are,
// and never more rows read than it takes.
import { setImmediate as turn } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { besideCalls } from '../../../model/activity.ts'
import type { Tables } from '../../tables.ts'
import { apportion } from './apportion.ts'
import type { Slice } from './call-kinds.ts'
import { toNumber } from '../to-number.ts'

/** A recorded rationale with what it must not merely repeat. */
export interface SampledRationale {
  readonly text: string
  readonly tool: string
  /** The first part of the arguments' JSON. */
  readonly args: string
  readonly planId: string | undefined
  readonly id: string
}

const ARGS = 2000
/** Where a tenant has more entries, the slices have shares by how many they have, and their calls are not counted. */
const MOST_COUNTED = 50_000
/** How many rows are looked at for one that says why. */
const ROWS_PER_RATIONALE = 4

/**
 * Rationales spread over the slices as the calls are, at most `most`, oldest first. In each slice those that came first;
 * the same question gives the same answer.
 */
export const sampleRationales = async (
  db: Kysely<Tables>,
  slices: readonly Slice[],
  most: number,
  mostCounted = MOST_COUNTED,
): Promise<readonly SampledRationale[]> => {
  const entries = await ofEach(slices, (slice) => entriesIn(db, slice))
  const isLong = entries.reduce((sum, count) => sum + count, 0) > mostCounted
  const shares = apportion(isLong ? entries : await ofEach(slices, (slice) => callsIn(db, slice)), most)
  const lines: SampledRationale[] = []
  for (const [at, slice] of slices.entries()) {
    lines.push(...(await rationalesIn(db, slice, shares[at] ?? 0)))
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

const rationaleRow = z.object({
  id: z.string(),
  tool: z.string(),
  rationale: z.string(),
  plan_id: z.string().nullable(),
  args: z.string().nullable(),
})

async function rationalesIn(
  db: Kysely<Tables>,
  { tenant, since, until }: Slice,
  take: number,
): Promise<readonly SampledRationale[]> {
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
        .limit(take * ROWS_PER_RATIONALE)
        .as('calls'),
    )
    .select(['id', 'tool', 'rationale', 'plan_id', 'args'])
    .where('rationale', 'is not', null)
    .orderBy('at')
    .orderBy('position')
    .limit(take)
    .execute()
  return rows.map((raw) => {
    const row = rationaleRow.parse(raw)
    return { id: row.id, text: row.rationale, tool: row.tool, args: row.args ?? '', planId: row.plan_id ?? undefined }
  })
}
