// Delivery dates are calendar days, not moments: they are ISO days in UTC everywhere, and only the card says them in
// words.
const dayMs = 86_400_000
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** ISO moment, some days from now. */
export const isoAt = (now: number, days = 0): string => new Date(now + days * dayMs).toISOString()

/** ISO day, some days from now. */
export const dayAfter = (now: number, days = 0): string => isoAt(now, days).slice(0, 10)

/** "28 Nov 2026", for sentences. Cards get the ISO day and format it for their reader. */
export function spoken(isoDay: string): string {
  const [year, month, day] = isoDay.slice(0, 10).split('-')
  return `${Number(day)} ${months[Number(month) - 1] ?? month} ${year}`
}
