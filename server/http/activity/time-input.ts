// A time that is misread shows somebody the wrong days. Every door takes the same words for one: a date, a time with its
// zone, or how long ago; and no door guesses.

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/

/** What every door says where it got something else. */
export const timeWords = 'a time like 2026-01-31, 2026-01-31T12:00:00Z, or an age like 90m, 24h, 7d'

/**
 * A time as epoch milliseconds: ISO 8601, or an age (`90s`, `90m`, `24h`, `7d`, `4w`) before `now`. A date alone is its
 * first moment in UTC; a time needs its zone, or two readers would read two times.
 */
export function readTime(text: string, now: number): number | undefined {
  const age = /^(\d{1,6})([smhdw])$/.exec(text)
  if (age !== null) return now - Number(age[1]) * (unitMs[age[2] ?? ''] ?? Number.NaN)
  if (!iso.test(text)) return undefined
  const at = Date.parse(text)
  // `2026-02-31` parses as a day in March.
  const day = text.slice(0, 10)
  const real = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at) || Number.isNaN(real.getTime()) || real.toISOString().slice(0, 10) !== day) return undefined
  return at
}

/** What every door says where it got something else than a time to come. */
export const untilWords = 'a time to come: 2027-01-31 (to its end, UTC), 2027-01-31T12:00:00Z, or 12h, 30d, 8w from now'

/**
 * When something ends, as epoch milliseconds, exclusive: ISO 8601, or so long after `now` (`90m`, `12h`, `30d`, `8w`).
 * Who says a date means the whole of it, so a date alone is its end in UTC. Whether it is over, the caller asks.
 */
export function readUntil(text: string, now: number): number | undefined {
  const at = readTime(text, now)
  if (at === undefined) return undefined
  if (!iso.test(text)) return now + (now - at)
  return text.length === 10 ? at + 86_400_000 : at
}
