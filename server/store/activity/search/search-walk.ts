// Rows by the words in their texts: those that have them are taken in the order of arrival, and the other filters are checked
// on the way, for a bounded time.
import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'
import { conditions, type Filter } from '../read/filter.ts'
import { toNumber } from '../to-number.ts'
import { rowsAt, sliceOf, type Range } from './candidates.ts'

/** How long one page looks, in milliseconds; at least at one slice. */
const LOOK_MS = 300

export interface SearchRequest extends Range {
  readonly filter: Filter
  readonly limit: number
}

/**
 * Rows of a page in its order, and the position where the next one goes on. That is never on this side of where this page
 * began: no row comes twice, whatever words were made meanwhile.
 */
export async function searchWalk(
  db: Kysely<Tables>,
  { filter, order, limit, after, from }: SearchRequest,
  now: number,
): Promise<{ readonly found: readonly number[]; readonly next: number | undefined }> {
  const until = performance.now() + LOOK_MS
  const found: number[] = []
  let place = after
  do {
    const { positions, to } = await sliceOf(
      db,
      filter,
      { order, after: place, from },
      place === after ? 'rows' : 'index',
    )
    if (positions.length > 0) {
      const fitting = await db
        .selectFrom(rowsAt(db, positions).as('countersign_activity'))
        .select('position')
        .where((is) => is.and(conditions(is, filter, now)))
        .$if(filter.since !== undefined, (q) => q.where('at', '>=', filter.since ?? 0))
        .$if(filter.until !== undefined, (q) => q.where('at', '<', filter.until ?? 0))
        .orderBy('position', order === 'newest' ? 'desc' : 'asc')
        .limit(limit + 1 - found.length)
        .execute()
      found.push(...fitting.map((row) => toNumber(row.position)))
    }
    if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1] }
    // Below `from` rows have no words yet: the next page makes some.
    if (to === undefined)
      return { found, next: order === 'newest' && from > 0 ? Math.min(from, after ?? from) : undefined }
    place = to
    await setImmediate()
  } while (performance.now() < until)
  return { found, next: place }
}
