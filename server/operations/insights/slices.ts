// A chart of a day needs hours, one of a year weeks; and each slice is one question to the database, so there are never
// many. Slices begin at whole hours and days of UTC, so that the same day is the same bar tomorrow.

const HOUR = 3_600_000
const DAY = 24 * HOUR

export type Grain = 'hour' | 'day' | 'week'

export interface TimeSlices {
  readonly grain: Grain
  /** Epoch milliseconds; each from the first, to and without the second. Oldest first, without gaps. */
  readonly slices: readonly { readonly since: number; readonly until: number }[]
}

/** Cuts a stretch of time. Not more than a year is cut into weeks; what is older than that is the first slice. */
export function slicesOf(since: number, until: number): TimeSlices {
  const length = until - since
  const grain: Grain = length <= 2 * DAY ? 'hour' : length <= 62 * DAY ? 'day' : 'week'
  const width = grain === 'hour' ? HOUR : grain === 'day' ? DAY : 7 * DAY
  const starts: number[] = []
  // Weeks are counted back from the end: what belongs together is the last seven days, not a calendar's week.
  let start = grain === 'week' ? until - width : Math.floor((until - 1) / width) * width
  for (; start > since && starts.length < 53; start -= width) starts.unshift(start)
  starts.unshift(since)
  return {
    grain,
    slices: starts.map((from, at) => ({ since: from, until: starts[at + 1] ?? until })),
  }
}
