// When a standing permission ends. People who say a date mean the whole of it; elsewhere a date alone is its first moment.
import { readTime } from './time-input.ts'

const dayMs = 24 * 3_600_000
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** What every door says where it got something else. */
export const untilWords = 'a time to come: 2027-01-31 (to its end, UTC), 2027-01-31T12:00:00Z, or 12h, 30d, 8w from now'

/** The end as epoch milliseconds, exclusive. */
export function readUntil(text: string, now: number): number | undefined {
  const span = /^(\d{1,4})([hdw])$/.exec(text)
  if (span !== null) return now + Number(span[1]) * (unitMs[span[2] ?? ''] ?? Number.NaN)
  if (!/^\d{4}-/.test(text)) return undefined
  const at = readTime(text, now)
  return at !== undefined && text.length === 10 ? at + dayMs : at
}
