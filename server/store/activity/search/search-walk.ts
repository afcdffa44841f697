// Rows by the words in their texts: the index of words is walked in the order of arrival, and the other filters are checked
// on the way, for a bounded number of rows.
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { conditions, type Filter } from '../read/filter.ts'
import { toNumber } from '../to-number.ts'
import { matching, positionOfWords } from './index-words.ts'

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
  const position = positionOfWords(db)
  const isNewest = order === 'newest'
  const direction = isNewest ? sql`desc` : sql`asc`
  const beyond = after === undefined ? sql`true` : isNewest ? sql`${position} < ${after}` : sql`${position} > ${after}`
  const { rows } = await sql<{ readonly position: number | string }>`
    select ${position} as position from countersign_activity_words
    where ${matching(db, words)} and ${beyond} and ${position} >= ${from}
    order by ${position} ${direction} limit ${budget}`.execute(db)
  const candidates = rows.map((row) => toNumber(row.position))
  if (candidates.length > 0) {
    const fitting = await db
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
    return { found, next: candidates.length === budget ? candidates.at(-1) : from > 0 ? from : undefined }
  }
  return { found: [], next: from > 0 ? from : undefined }
}
