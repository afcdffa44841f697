// How long a tool takes is best told by its own runs. The record has them, of every process and from before the last
// start; the newest rows of one tool are read by their index, so that the answer costs the same in a log of millions.
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { toNumber } from '../to-number.ts'

/** So many of a tool's newest rows are looked through, whoever made them and whatever became of them. */
const lookedAt = 500
/** Of so many applied runs, at most, the median is taken. */
const mostRuns = 25
/** Fewer say nothing. */
const fewestRuns = 5

/** The median of a tool's last applied runs by this tenant, in milliseconds; `undefined` until there are five. */
export const typicalDuration = async (
  db: Kysely<Tables>,
  { tool, tenant }: { readonly tool: string; readonly tenant: string },
): Promise<number | undefined> => {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('countersign_activity')
        .select(['tenant', 'outcome', 'duration_ms', 'at'])
        .where('tool', '=', tool)
        .orderBy('at', 'desc')
        .limit(lookedAt)
        .as('newest'),
    )
    .select('duration_ms')
    .where('tenant', '=', tenant)
    .where('outcome', '=', 'applied')
    .where('duration_ms', 'is not', null)
    .orderBy('at', 'desc')
    .limit(mostRuns)
    .execute()
  const runs = rows.map(({ duration_ms: took }) => toNumber(took ?? 0)).toSorted((one, other) => one - other)
  return runs.length < fewestRuns ? undefined : runs[Math.floor((runs.length - 1) / 2)]
}
