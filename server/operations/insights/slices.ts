// Slices of time for charts: hours for a day, weeks for a year, never many, because each is one query of the database. They
// begin at whole hours and days of UTC, so that a day is the same bar tomorrow.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * Cuts a period (epoch milliseconds, `until` exclusive) into slices, oldest first and without gaps. At most a year is cut
 * into weeks; what is older than that is the first slice.
 */
export function slicesOf(since: number, until: number) {
  const length = until - since
  const grain = length <= 2 * DAY ? 'hour' : length <= 62 * DAY ? 'day' : 'week'
  const width = grain === 'hour' ? HOUR : grain === 'day' ? DAY : 7 * DAY
  const starts: number[] = []
  // Weeks are counted back from the end: the last bar is the last seven days, not a calendar week.
  let start = grain === 'week' ? until - width : Math.floor((until - 1) / width) * width
  for (; start > since && starts.length < 53; start -= width) starts.unshift(start)
  starts.unshift(since)
  return { grain, slices: starts.map((from, at) => ({ since: from, until: starts[at + 1] ?? until })) } as const
}
