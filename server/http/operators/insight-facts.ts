// Gathering what insights are made of: one slice of one tenant's time after another, and a sample where reading all would
// take long.
import type { Facts, FeedbackText, RecordedRationale } from '../../operations/insights/facts.ts'
import { feedbackDays, rationaleDays } from '../../operations/insights/facts.ts'
import { insightsOf, type Insights } from '../../operations/insights/report.ts'
import { slicesOf } from '../../operations/insights/slices.ts'
import type { ActivityReader, FeedbackItem, Store } from '../../store/store.ts'

export interface InsightStore {
  readonly activity: Pick<ActivityReader, 'figures'>
  readonly feedback: Pick<Store['feedback'], 'list'>
}

interface InsightQuestion {
  readonly tenant: string
  /** Epoch milliseconds. */
  readonly since: number
  /** Exclusive; up to now when absent. */
  readonly until?: number | undefined
  readonly now: number
  /** What the tool's own contract says about a failure of its. */
  readonly guidance: Facts['guidance']
}

const MINUTE = 60_000
const DAY = 86_400_000
/** How many rationales are judged at most, how many errors are, and how many pieces of feedback are read. */
const SAID = 2000
const MET = 5000
const FEEDBACK = 2000

/** What one tenant's record says. */
export async function gatherInsights(store: InsightStore, question: InsightQuestion): Promise<Insights> {
  const { figures } = store.activity
  const { tenant, since, now, guidance } = question
  // What is written in this very millisecond belongs to it.
  const until = Math.min(question.until ?? Infinity, now + 1)
  const { grain, slices } = slicesOf(since, until)
  const slicesOfCalls: Facts['slices'][number][] = []
  for (const slice of slices)
    slicesOfCalls.push({ ...slice, sums: await figures.calls({ tenant, since: slice.since, until: slice.until }) })
  const said = (from: number): Promise<readonly RecordedRationale[]> =>
    figures.rationales(
      slicesOf(from, until).slices.map((slice) => ({ tenant, ...slice })),
      SAID,
    )
  const asked = await said(since)
  const monthAgo = until - rationaleDays * DAY
  const feedback = await store.feedback.list({
    tenant,
    since: Math.min(since, until - feedbackDays * DAY),
    limit: FEEDBACK,
  })
  return insightsOf({
    tenant,
    since,
    until,
    grain,
    slices: slicesOfCalls,
    rationales: asked,
    // Who asks for 30 days asks for the same, but for the moment that it took.
    recentRationales: Math.abs(since - monthAgo) < MINUTE ? asked : await said(monthAgo),
    approvals: await figures.approvals({ tenant, since, until }),
    met: await figures.errors({ tenant, since, until }, MET),
    mostMet: MET,
    unexplained: await figures.unexplained({ tenant, since, until }),
    feedback: feedback.map(feedbackText),
    firstCallAt: await figures.firstCallAt(tenant),
    guidance,
  })
}

/** Feedback for grouping: all that was said of it, and the sentence that stands for it. */
export const feedbackText = (item: FeedbackItem): FeedbackText => ({
  id: item.id,
  at: item.createdAt,
  severity: item.severity,
  tool: item.toolCalled,
  text: [item.attemptedAction, item.actualOutcome, item.errorSeen ?? ''].join(' '),
  sentence: item.actualOutcome,
})
