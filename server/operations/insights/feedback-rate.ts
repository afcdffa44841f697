// Agents that get stuck and do not say so look exactly like agents that never get stuck. Few words from them over months
// are a sign that they do not know how, so the rate is told by the month, over the last 90 days.
import { feedbackDays, type Facts } from './facts.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30

export interface FeedbackRate {
  /** Pieces a month over the last 90 days, or since the first call; `null` while that is less than a month ago. */
  readonly per_month: number | null
  /** Days that this looks back over. */
  readonly days: number
  readonly severities: { readonly high: number; readonly med: number; readonly low: number }
  /** The last three stretches of 30 days, the oldest first. */
  readonly months: readonly { readonly since: string; readonly until: string; readonly count: number }[]
}

/** How often agents say where they are stuck. */
export function feedbackRate({ feedback, since, until, firstCallAt }: Facts): FeedbackRate {
  const between = (from: number, to: number): number => feedback.filter(({ at }) => at >= from && at < to).length
  const days = Math.min(feedbackDays, Math.floor((until - (firstCallAt ?? until)) / DAY))
  const shown = feedback.filter(({ at }) => at >= since && at < until)
  const severe = (severity: string): number => shown.filter((one) => one.severity === severity).length
  return {
    per_month:
      days < MONTH_DAYS ? null : Math.round((between(until - days * DAY, until) / days) * MONTH_DAYS * 10) / 10,
    days,
    severities: { high: severe('high'), med: severe('med'), low: severe('low') },
    months: [3, 2, 1].map((back) => {
      const [from, to] = [until - back * MONTH_DAYS * DAY, until - (back - 1) * MONTH_DAYS * DAY]
      return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), count: between(from, to) }
    }),
  }
}
