// What is removed for its age is gone, and a machine's clock can be wrong by years. So age is counted by a clock that the
// database keeps and that follows the machine's only as time passes. A short gap (a machine that was off over a weekend) is
// made up a little faster; a longer one looks like a clock that has jumped, and stays until a person confirms the clock or
// it is right again (ADR 33). Until then what is old stays longer, and nothing goes early. While the machine's clock is
// behind, age is counted by it, but the kept time stays: a machine that boots before its time is set is right a minute
// later, and the way back must not look like a jump.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { callTables } from './activity/call-tables.ts'
import { toNumber } from './activity/to-number.ts'
import { takeTurns } from './dialect-locks.ts'
import { retryOnConnectionLoss } from './retry-on-connection-loss.ts'
import type { Tables } from './tables.ts'

/** How many times as fast as time passes a short gap is made up. */
const FASTEST = 4
/** So much at most between two looks counts as time that has passed; who looks more rarely is not told apart from a jump. */
const LONGEST_STEP_MS = 60_000
/** A longer gap is not made up, and a clock that stays back for longer is believed. Less is a weekend on which the machine was off. */
const LONGEST_GAP_MS = 3 * 24 * 60 * 60 * 1000

const NAME = 'kept_time'
/** `behind`: for how long the machine's clock has been behind `at`, in milliseconds of time that has passed. */
const kept = z.object({ at: z.int(), looked: z.int(), behind: z.int().default(0) })
type Kept = z.infer<typeof kept>

export interface RetentionTime {
  /** The time by which age is counted, in epoch milliseconds; never later than the machine's. */
  readonly at: number
  /** Where the machine's clock is so far ahead that it is not believed: by how much, in milliseconds. */
  readonly ahead: number | undefined
}

const toRetentionTime = (at: number, now: number): RetentionTime => ({
  at: Math.min(at, now),
  ahead: now - at > LONGEST_GAP_MS ? now - at : undefined,
})

/** Lets the kept time follow the machine's, as far as one look may. */
export const followTime = (db: Kysely<Tables>, now: () => number): Promise<RetentionTime> =>
  retryOnConnectionLoss(() =>
    db.transaction().execute(async (trx) => {
      await takeTurns(trx, 'kept time')
      const known = await stored(trx)
      const time = now()
      const passed = known === undefined ? 0 : Math.min(Math.max(0, time - known.looked), LONGEST_STEP_MS)
      const from = known?.at ?? (await newestEntry(trx)) ?? time
      const next = time < from ? stayBack(from, time, (known?.behind ?? 0) + passed) : goOn(from, time, passed)
      await store(trx, { ...next, looked: time })
      return toRetentionTime(next.at, time)
    }),
  )

const goOn = (from: number, time: number, passed: number): Pick<Kept, 'at' | 'behind'> => {
  const pace = time - from - passed > LONGEST_GAP_MS ? 1 : FASTEST
  return { at: Math.min(time, from + pace * passed), behind: 0 }
}

const stayBack = (from: number, time: number, behind: number): Pick<Kept, 'at' | 'behind'> =>
  behind > LONGEST_GAP_MS ? { at: time, behind: 0 } : { at: from, behind }

/** A person says that the machine's clock is right, however far ahead it is. */
export const confirmTime = (db: Kysely<Tables>, now: () => number): Promise<void> =>
  retryOnConnectionLoss(() =>
    db.transaction().execute(async (trx) => {
      await takeTurns(trx, 'kept time')
      const time = now()
      await store(trx, { at: time, looked: time, behind: 0 })
    }),
  )

const store = async (trx: Kysely<Tables>, time: Kept): Promise<void> => {
  const value = JSON.stringify(time)
  await trx
    .insertInto('countersign_meta')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The kept time as it stands. */
export const retentionTime = async (db: Kysely<Tables>, now: number): Promise<RetentionTime> =>
  toRetentionTime((await stored(db))?.at ?? (await newestEntry(db)) ?? now, now)

const stored = async (db: Kysely<Tables>): Promise<Kept | undefined> => {
  const row = await db.selectFrom('countersign_meta').select('value').where('name', '=', NAME).executeTakeFirst()
  return row === undefined ? undefined : kept.parse(JSON.parse(row.value))
}

/** A database that no version has kept the time of: the last time that it has seen. */
const newestEntry = async (db: Kysely<Tables>): Promise<number | undefined> => {
  for (const table of callTables(db)) {
    const row = await db.selectFrom(table).select('at').orderBy('position', 'desc').limit(1).executeTakeFirst()
    if (row !== undefined) return toNumber(row.at)
  }
  return undefined
}
