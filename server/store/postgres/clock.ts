// Several machines never agree on the time, and an expiry must not depend on which of them is asked. So the database's
// clock is the store's: its distance is measured at the start and again every minute, and between two measurements this
// machine's steady clock counts on, whatever somebody does to its wall clock.
import { sql, type Kysely } from 'kysely'

const EVERY_MS = 60_000
/** The quickest of so many answers tells the time best. */
const SAMPLES = 3

/**
 * Measures the database's clock; `now` answers in epoch milliseconds. Throws what the database throws at the first
 * measurement; later ones may fail.
 */
export const startClock = async (db: Kysely<unknown>) => {
  let origin = await measure(db)
  const timer = setInterval(
    () =>
      void measure(db).then(
        (measured) => (origin = measured),
        () => undefined,
      ),
    EVERY_MS,
  )
  timer.unref()
  return { now: () => Math.round(origin + performance.now()), stop: () => clearInterval(timer) }
}

/** The database's time at which this process's steady clock stood at zero. */
const measure = async (db: Kysely<unknown>): Promise<number> => {
  let best: { readonly took: number; readonly origin: number } | undefined
  for (let sample = 0; sample < SAMPLES; sample++) {
    const asked = performance.now()
    const { rows } = await sql<{
      readonly at: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::int8 as at`.execute(db)
    const answered = performance.now()
    const took = answered - asked
    const at = rows[0]?.at
    // Half of the way is behind the moment at which the database looked.
    if (at !== undefined && (best === undefined || took < best.took)) best = { took, origin: at - asked - took / 2 }
  }
  return best?.origin ?? Date.now() - performance.now()
}
