// Rows by the words in their texts: those that have them are taken in the order of arrival, and the other filters are checked
// on the way, for a bounded number of rows.
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { conditions, type Filter } from '../read/filter.ts'
import { toNumber } from '../to-number.ts'
import { lookedTo, positionsWith } from './index-words.ts'

export interface SearchRequest {
  readonly filter: Filter
  readonly words: readonly string[]
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  /** Where the last page ended. */
  readonly after: number | undefined
  /** From this position on all rows have their words. */
  readonly from: number
  /** How many rows that have the words one page looks at. */
  readonly budget: number
}

/** Rows of a page in its order, and the position where the next one goes on. */
export async function searchWalk(
  db: Kysely<Tables>,
  { filter, words, order, limit, after, from, budget }: SearchRequest,
  now: number,
): Promise<{ readonly found: readonly number[]; readonly next: number | undefined }> {
  const isNewest = order === 'newest'
  const range = { order, after, from }
  const { rows } = await sql<{
    readonly position: number | string
  }>`${positionsWith(db, words, range)} limit ${budget}`.execute(db)
  const candidates = rows.map((row) => toNumber(row.position))
  const fitting =
    candidates.length === 0
      ? []
      : await db
          .selectFrom('countersign_activity')
          .select('position')
          .where('position', 'in', candidates)
          .where((is) => is.and(conditions(is, filter, now)))
          .$if(filter.since !== undefined, (q) => q.where('at', '>=', filter.since ?? 0))
          .$if(filter.until !== undefined, (q) => q.where('at', '<', filter.until ?? 0))
          .orderBy('position', isNewest ? 'desc' : 'asc')
          .limit(limit + 1)
          .execute()
  const found = fitting.slice(0, limit).map((row) => toNumber(row.position))
  if (fitting.length > limit) return { found, next: found.at(-1) }
  if (candidates.length === budget) return { found, next: candidates.at(-1) }
  // Below `from` rows have no words yet: the next page makes some.
  return { found, next: (await lookedTo(db, range)) ?? (isNewest && from > 0 ? from : undefined) }
}
