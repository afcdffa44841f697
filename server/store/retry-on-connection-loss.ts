// A connection may be lost between a step and its answer. Asking again is right only for a step that can find what it
// has done already; whoever asks here promises that. Everything else fails at once and says what is not certain.
import type { Kysely } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreAway } from '../model/store-away.ts'
import { writeMark } from './activity/write/write-mark.ts'
import { asUnknown, codeOf } from './postgres/loss.ts'
import type { Tables } from './tables.ts'

/** As long as a busy SQLite file is waited for. */
const PATIENCE_MS = 5000

/**
 * Takes a step, and again while the connection is lost. `again`: it may have been taken before.
 * @throws {StoreAway} when the database stays away; its effect is that of every try together.
 */
export const retryOnConnectionLoss = async <T>(step: (again: boolean) => Promise<T>): Promise<T> => {
  const deadline = performance.now() + PATIENCE_MS
  let again = false
  for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await step(again)
    } catch (error) {
      const late = performance.now() + pause > deadline
      if (isStoreAway(error)) {
        again ||= error.effect === 'unknown'
        if (late) throw again ? asUnknown(error) : error
      } else if (late || !wasTakenBack(error)) throw error
    }
    await sleep(pause * (0.5 + Math.random()))
  }
}

/**
 * The same for a step whose answer people rely on. What a second try finds done can be read, and may be lost with this server
 * where the wait for its synchronous standby was cut off. So one more write waits before the answer is given.
 * @throws {StoreAway} when the database stays away.
 */
export const retryUntilKept = <T>(db: Kysely<Tables>, step: () => Promise<T>): Promise<T> =>
  retryOnConnectionLoss(async (again) => {
    const answer = await step()
    if (again) await writeMark(db)
    return answer
  })

/** serialization_failure, deadlock_detected: PostgreSQL took the whole transaction back so that another one could end. */
const wasTakenBack = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** Whether another transaction was in the way, one that came first with a value that may stand once (unique_violation) among them. */
export const isConflict = (error: unknown): boolean => wasTakenBack(error) || codeOf(error) === '23505'
