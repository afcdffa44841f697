// How every door reads until when somebody stands in for somebody else.
import { readTime } from './time-input.ts'

/** What every door says where it got something else. */
export const untilWords = 'a date like 2026-01-31, which is its last day, or a time like 2026-01-31T08:00Z'

/** When a delegation ends, as epoch milliseconds. A date alone is the end of that day in UTC. */
export function readUntil(text: string): number | undefined {
  if (!/^\d{4}-/.test(text)) return undefined
  const at = readTime(text, 0)
  return at === undefined || text.length > 10 ? at : at + 24 * 3_600_000
}
