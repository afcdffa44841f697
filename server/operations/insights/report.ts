// The insights document, as the API answers it: computed in one place, so that the page, the terminal and a program read
// the same numbers.
import type { Facts, FeedbackText, RecordedRationale } from './facts.ts'
import { groupTexts, type Group } from './groups.ts'
import { judgeRationales } from './meaningful.ts'
import { approvalDelays } from './approval-delays.ts'
import { quickApprovals } from './quick-approvals.ts'
import { savedCalls } from './saved-calls.ts'
import { feedbackRate } from './feedback-rate.ts'
import { callFigures, failureFigures, isAgentsCall } from './call-figures.ts'
import { guidanceFigures } from './guidance-figures.ts'
import { percentOf } from './percent.ts'
import { warningsOf } from './warnings.ts'

export type Insights = ReturnType<typeof insightsOf>

const GROUPS = 12

/** The insights of one tenant. */
export function insightsOf(facts: Facts) {
  const feedback = facts.feedback.filter(({ at }) => at >= facts.since && at < facts.until)
  const parts = {
    calls: callFigures(facts),
    failures: failureFigures(facts),
    guidance: guidanceFigures(facts),
    approvals: {
      asked: facts.approvals.length,
      tools: quickApprovals(facts.approvals),
      /** By how long the decision took. */
      delays: approvalDelays(facts.approvals),
    },
    grants: savedCalls(facts),
    rationales: { ...rationaleFigures(facts), groups: rationaleGroups(facts.rationales) },
    feedback: {
      ...feedbackRate(facts),
      count: feedback.length,
      groups: groupsView(feedback, ({ sentence }) => sentence),
    },
  }
  return {
    tenant: facts.tenant,
    /** ISO 8601. */
    since: new Date(facts.since).toISOString(),
    until: new Date(facts.until).toISOString(),
    ...parts,
    warnings: warningsOf(parts),
  }
}

function rationaleFigures(facts: Facts) {
  const sums = facts.slices.flatMap((slice) => slice.sums)
  const total = (of: (sum: (typeof sums)[number]) => number): number => sums.reduce((all, sum) => all + of(sum), 0)
  const [given, erased] = [total((sum) => sum.said), total((sum) => sum.erased)]
  const asked = total((sum) => (isAgentsCall(sum) ? sum.asked : 0))
  const { acts, meaningful, empty, examples } = judged(facts.rationales)
  const lately = facts.recentRationales === facts.rationales ? { acts, meaningful } : judged(facts.recentRationales)
  return {
    /** Calls with a rationale, and calls without one, of those that still have their texts. */
    given,
    without: Math.max(0, asked - given - erased),
    /** Calls whose texts were erased; nothing is said about them. */
    erased,
    /** Rationales that were judged: all, or an even sample. A preview and its apply are one. */
    judged: acts,
    meaningful,
    share_percent: percentOf(meaningful, acts),
    empty,
    examples,
    /** The same over the last 30 days, which is what the warning goes by. */
    last_30_days: {
      judged: lately.acts,
      meaningful: lately.meaningful,
      share_percent: percentOf(lately.meaningful, lately.acts),
    },
  }
}

const actOf = ({ planId, id }: RecordedRationale): string => planId ?? id

const judged = (said: readonly RecordedRationale[]) => judgeRationales(said.map((one) => ({ ...one, act: actOf(one) })))

/** One text for each plan: an apply repeats its preview's. */
const rationaleGroups = (said: readonly RecordedRationale[]) =>
  groupsView(
    [...Map.groupBy(said, (one) => `${actOf(one)} ${one.text}`).values()].flatMap(([first]) => first ?? []),
    ({ text }) => text,
  )

/** Groups of feedback with the members of each, for whoever works through them. */
export function feedbackByGroup(feedback: readonly FeedbackText[]) {
  const { total, compared, groups } = groupTexts(feedback)
  return {
    texts: total,
    compared,
    groups: groups.map((group) => ({
      ...groupView(group, compared, ({ sentence }) => sentence),
      members: group.members.map(({ id, sentence }) => ({ id, sentence: firstSentence(sentence) })),
    })),
  }
}

interface Listed {
  readonly id: string
  readonly tool: string | undefined
  readonly text: string
}

function groupsView<T extends Listed>(texts: readonly T[], sentence: (item: T) => string) {
  const { total, compared, groups } = groupTexts(texts)
  const shown = groups.slice(0, GROUPS).map((group) => groupView(group, compared, sentence))
  const inShown = shown.reduce((sum, { count }) => sum + count, 0)
  return {
    texts: total,
    /** How many of them were compared: all, or an even sample. */
    compared,
    /** The largest twelve. */
    groups: shown,
    /** Texts in smaller groups than these. */
    others: compared - inShown,
  }
}

const groupView = <T extends Listed>(
  { typical, members }: Group<T>,
  compared: number,
  sentence: (item: T) => string,
) => ({
  count: members.length,
  share_percent: percentOf(members.length, compared) ?? 0,
  /** A sentence of the most typical one, and the id under which to read that one in full. */
  sentence: firstSentence(sentence(typical)),
  id: typical.id,
  /** The tools that it was said about, the most frequent first. */
  tools: mostFrequent(members.flatMap(({ tool }) => tool ?? [])).slice(0, 3),
})

const LONGEST = 240

/** The first sentence of a text, cut where it is very long. */
const firstSentence = (text: string): string => {
  const [first] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text.trim())
  const sentence = (first?.segment ?? text).trim()
  return sentence.length <= LONGEST
    ? sentence
    : `${sentence
        .slice(0, LONGEST - 1)
        .toWellFormed()
        .trimEnd()}…`
}

const mostFrequent = (names: readonly string[]): readonly string[] =>
  [...Map.groupBy(names, (name) => name)]
    .toSorted(([one, ones], [other, others]) => others.length - ones.length || (one < other ? -1 : 1))
    .map(([name]) => name)
