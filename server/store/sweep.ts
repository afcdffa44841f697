// What has ended is not kept for ever: results go after their retention, plans after a month. `unknown` plans stay, for
// they still wait for somebody to say what became of them.
import type { Kysely } from 'kysely'
import { toTakeFrom } from './dialect-locks.ts'
import { ENDED, KEEP_RESULTS_MS } from './plan-row.ts'
import type { Tables } from './tables.ts'

const KEEP_PLANS_MS = 30 * 24 * 60 * 60 * 1000

export interface Swept {
  /** Plans whose recorded result was erased. */
  readonly erased: number
  /** Plans that were removed. */
  readonly removed: number
}

/** Changes become visible a little after the time that they carry, and a row that somebody has locked is passed over. */
const LATE_MS = 60 * 60 * 1000

/**
 * From where on there may be something to find, in the order in which plans changed. Whoever sweeps each minute would read
 * every plan there is for the few that came of age; each process reads them all once, after its start.
 */
export interface SweptUpTo {
  /** `undefined`: from the first plan on. */
  from(time: number): number | undefined
  /** Nothing is left to find up to this time. */
  done(time: number): void
}

/** Knows nothing yet. What changed while the clock was set back lies before what was done, so that counts no more. */
export const sweptUpTo = (): SweptUpTo => {
  let last: number | undefined
  return {
    from: (time) => (last === undefined || last > time ? undefined : last - LATE_MS),
    done: (time) => void (last = time),
  }
}

/**
 * One small step of cleaning, at most `limit` plans of each sort, so that no caller waits long for the lock. They are picked
 * in a part of the statement of its own, because PostgreSQL may ask a subquery again for each row, and then takes more.
 */
export const sweepPlans = async (
  db: Kysely<Tables>,
  at: number,
  limit: number,
  erasedUpTo: SweptUpTo,
): Promise<Swept> => {
  const old = at - KEEP_RESULTS_MS
  const from = erasedUpTo.from(old)
  const { numUpdatedRows: erased } = await db
    .with('picked', (of) =>
      toTakeFrom(
        db,
        of
          .selectFrom('countersign_plans')
          .select('id')
          .where('changed_at', '<=', old)
          .$if(from !== undefined, (q) => q.where('changed_at', '>=', from ?? 0))
          .where('ending', 'is not', null)
          .where('state', 'in', ENDED)
          .limit(limit),
      ),
    )
    .updateTable('countersign_plans')
    .set({ ending: null })
    .where('id', 'in', (of) => of.selectFrom('picked').select('id'))
    .executeTakeFirst()
  if (Number(erased) < limit) erasedUpTo.done(old)
  const { numDeletedRows: removed } = await db
    .with('picked', (of) =>
      toTakeFrom(
        db,
        of
          .selectFrom('countersign_plans')
          .select('id')
          .where('changed_at', '<=', at - KEEP_PLANS_MS)
          .where('expires_at', '<=', at - KEEP_PLANS_MS)
          .where('state', 'not in', ['applying', 'unknown'])
          .limit(limit),
      ),
    )
    .deleteFrom('countersign_plans')
    .where('id', 'in', (of) => of.selectFrom('picked').select('id'))
    .executeTakeFirst()
  return { erased: Number(erased), removed: Number(removed) }
}
