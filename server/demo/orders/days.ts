// Delivery dates are calendar days, not moments: they are ISO days in UTC everywhere, and only the card writes them
// as its reader does.
import { figureText } from '../../cards/figures.ts'

const dayMs = 86_400_000

/** ISO moment, some days from now. */
export const isoAt = (now: number, days = 0): string => new Date(now + days * dayMs).toISOString()

/** ISO day, some days from now. */
export const dayAfter = (now: number, days = 0): string => isoAt(now, days).slice(0, 10)

/** For sentences: "2026-11-28", which a card shows in the form of its fields. */
export const spoken = (isoDay: string): string =>
  figureText({ kind: 'date', iso: isoDay.slice(0, 10), precision: 'day' })
