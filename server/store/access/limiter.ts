// How often one caller may call is one number, however many processes serve it. On PostgreSQL they count in one table, in
// one statement a call; where the database is away each counts for itself until it is back, because a limit is no reason
// to stop working. A SQLite file is one machine's, and its processes count for themselves.
import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { isPostgres } from '../dialect-locks.ts'
import type { Tables } from '../tables.ts'
import type { Principal } from '../../model/principal.ts'
import { onFirstUse } from '../../on-first-use.ts'

const minute = 60

/** How often each caller has called; only on PostgreSQL, whose processes share it. */
export interface LimitTable {
  readonly key: string
  readonly points: number
  readonly expire: number | null
}

/** Counts by the minute, for each principal. `name` keeps two limits apart. */
export function createLimiter(db: Kysely<Tables>, name: string, perMinute: number) {
  const counted = onFirstUse(() => counter(db, name, perMinute))
  return {
    /** Counts one; answers after how many seconds there is room again, where there is none now. */
    take: async ({ tenant, subject }: Principal): Promise<number | undefined> => {
      const { limiter, isReached } = await counted()
      try {
        await limiter.consume(
          createHash('sha256')
            .update(JSON.stringify([tenant, subject]))
            .digest('hex'),
        )
        return undefined
      } catch (reached) {
        if (!isReached(reached)) throw reached
        return Math.max(1, Math.ceil(reached.msBeforeNext / 1000))
      }
    },
  }
}

/** Loads the library when something is first counted. */
async function counter(db: Kysely<Tables>, name: string, points: number) {
  const library = await import('rate-limiter-flexible')
  const isReached = (reached: unknown): reached is RateLimiterRes => reached instanceof library.RateLimiterRes
  const own = new library.RateLimiterMemory({ keyPrefix: name, points, duration: minute })
  if (!isPostgres(db)) return { limiter: own, isReached }
  const shared = new library.RateLimiterPostgres({
    keyPrefix: name,
    points,
    duration: minute,
    storeType: 'client',
    storeClient: {
      query: ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) =>
        db.executeQuery(CompiledQuery.raw(text, [...values])),
    },
    tableName: 'countersign_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: own,
  })
  return { limiter: shared, isReached }
}

/** Removes what has been counted long ago. */
export const sweepLimits = async (db: Kysely<Tables>, now: number): Promise<void> => {
  await db
    .deleteFrom('countersign_limits')
    .where('expire', '<', now - minute * 1000)
    .execute()
}
