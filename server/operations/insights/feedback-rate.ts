// The rate of feedback by month, over the last 90 days. Agents that get stuck and do not say so look exactly like agents
// that never get stuck, so little feedback over months is a sign that they do not know how to give it.
import { feedbackDays, type Facts } from './facts.ts'

const DAY = 86_400_000
const MONTH_DAYS = 30

export type FeedbackRate = ReturnType<typeof feedbackRate>

/** How often agents give feedback. */
export function feedbackRate({ feedback, since, until, firstCallAt }: Facts) {
  const between = (from: number, to: number): number => feedback.filter(({ at }) => at >= from && at < to).length
  const days = Math.min(feedbackDays, Math.floor((until - (firstCallAt ?? until)) / DAY))
  const shown = feedback.filter(({ at }) => at >= since && at < until)
  const severe = (severity: string): number => shown.filter((one) => one.severity === severity).length
  return {
    /** Pieces a month over the last 90 days, or since the first call; `null` while that is less than a month ago. */
    per_month:
      days < MONTH_DAYS ? null : Math.round((between(until - days * DAY, until) / days) * MONTH_DAYS * 10) / 10,
    /** How many days that looks back. */
    days,
    severities: { high: severe('high'), med: severe('med'), low: severe('low') },
    /** The last three periods of 30 days, the oldest first. */
    months: [3, 2, 1].map((back) => {
      const [from, to] = [until - back * MONTH_DAYS * DAY, until - (back - 1) * MONTH_DAYS * DAY]
      return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), count: between(from, to) }
    }),
  }
}
