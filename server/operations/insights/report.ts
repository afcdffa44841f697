// From what was recorded to what an operator should know: one document, worked out in one place, so that the page, the
// terminal and a program read the same numbers. Names and times are spelled as the API spells them.
import type { Facts, FeedbackText, SaidText } from './facts.ts'
import { groupTexts, type Group, type Groups } from './groups.ts'
import { judgeRationales, type Emptiness, type Judgement } from './meaningful.ts'
import { quickApprovals, type ToolApprovals } from './quick-approvals.ts'
import { feedbackRate, type FeedbackRate } from './feedback-rate.ts'
import { callFigures, failureFigures, type CallFigures, type FailureFigure } from './call-figures.ts'
import { warningsOf, type Warning } from './warnings.ts'

/** A group of texts that say much the same. */
export interface TextGroup {
  readonly count: number
  readonly share_percent: number
  /** A sentence of one of them, the most typical one. */
  readonly sentence: string
  /** Where to read that one in full. */
  readonly id: string
  /** The tools that it was said about, the most frequent first; at most three. */
  readonly tools: readonly string[]
}

export interface TextGroups {
  readonly texts: number
  /** How many of them were compared: all, or an even sample. */
  readonly compared: number
  /** The largest twelve. */
  readonly groups: readonly TextGroup[]
  /** Texts in smaller groups than these. */
  readonly others: number
}

export interface RationaleFigures {
  /** Calls with a rationale, and calls without one, of those that still have their texts. */
  readonly given: number
  readonly without: number
  /** Calls whose texts were erased; nothing is said about them. */
  readonly erased: number
  /** Rationales that were judged: all, or an even sample. A preview and its apply are one. */
  readonly judged: number
  readonly meaningful: number
  /** `null` where there was nothing to judge. */
  readonly share_percent: number | null
  readonly empty: Readonly<Record<Emptiness, number>>
  readonly examples: readonly { readonly judgement: Judgement; readonly text: string; readonly tool: string }[]
  /** The same over the last 30 days, which is what the warning goes by. */
  readonly last_30_days: { readonly judged: number; readonly meaningful: number; readonly share_percent: number | null }
}

export interface Insights {
  readonly tenant: string
  /** ISO 8601. */
  readonly since: string
  readonly until: string
  readonly calls: CallFigures
  readonly failures: readonly FailureFigure[]
  readonly approvals: {
    readonly asked: number
    readonly tools: readonly ToolApprovals[]
  }
  readonly rationales: RationaleFigures & { readonly groups: TextGroups }
  readonly feedback: FeedbackRate & { readonly count: number; readonly groups: TextGroups }
  readonly warnings: readonly Warning[]
}

const GROUPS = 12

/** What a tenant's record says. */
export function insightsOf(facts: Facts): Insights {
  const feedback = facts.feedback.filter(({ at }) => at >= facts.since && at < facts.until)
  const parts = {
    calls: callFigures(facts),
    failures: failureFigures(facts),
    approvals: { asked: facts.approvals.length, tools: quickApprovals(facts.approvals) },
    rationales: { ...rationaleFigures(facts), groups: rationaleGroups(facts.said) },
    feedback: { ...feedbackRate(facts), count: feedback.length, groups: feedbackGroups(feedback) },
  }
  return {
    tenant: facts.tenant,
    since: new Date(facts.since).toISOString(),
    until: new Date(facts.until).toISOString(),
    ...parts,
    warnings: warningsOf(parts),
  }
}

/** A share in percent, below ten with one decimal; `null` of nothing. Not 0 or 100 unless it is none or all. */
export const percentOf = (part: number, whole: number): number | null => {
  if (whole === 0) return null
  const exact = (part / whole) * 100
  if (exact < 10) return part === 0 ? 0 : Math.max(0.1, Math.round(exact * 10) / 10)
  return part < whole ? Math.min(99, Math.round(exact)) : 100
}

function rationaleFigures(facts: Facts): RationaleFigures {
  const sums = facts.slices.flatMap((slice) => slice.sums)
  const total = (of: (sum: (typeof sums)[number]) => number): number => sums.reduce((all, sum) => all + of(sum), 0)
  const [given, erased] = [total((sum) => sum.said), total((sum) => sum.erased)]
  // The card's own calls are a person's click, and nobody asks a person for a rationale; nor a client for one that reads
  // a resource or a prompt.
  const unasked = /^(?:countersign_|(?:resources|prompts|completion|logging)\/)/
  const asked = total((sum) => (unasked.test(sum.tool ?? '') ? 0 : sum.asked))
  const { acts, meaningful, empty, examples } = judged(facts.said)
  const lately = facts.saidLately === facts.said ? { acts, meaningful } : judged(facts.saidLately)
  return {
    given,
    without: Math.max(0, asked - given - erased),
    erased,
    judged: acts,
    meaningful,
    share_percent: percentOf(meaningful, acts),
    empty,
    examples,
    last_30_days: {
      judged: lately.acts,
      meaningful: lately.meaningful,
      share_percent: percentOf(lately.meaningful, lately.acts),
    },
  }
}

const actOf = ({ planId, id }: SaidText): string => planId ?? id

const judged = (said: readonly SaidText[]): ReturnType<typeof judgeRationales> =>
  judgeRationales(said.map((one) => ({ ...one, act: actOf(one) })))

/** One text for each act: an apply repeats its preview's. */
function rationaleGroups(said: readonly SaidText[]): TextGroups {
  const acts = new Map<string, SaidText>()
  for (const one of said) {
    const act = `${actOf(one)} ${one.text}`
    if (!acts.has(act)) acts.set(act, one)
  }
  return groupsView(groupTexts([...acts.values()]), ({ text }) => text)
}

const feedbackGroups = (feedback: readonly FeedbackText[]): TextGroups =>
  groupsView(groupTexts(feedback), ({ sentence }) => sentence)

/** The same groups with what is in each, for whoever works through them. */
export const feedbackByGroup = (
  feedback: readonly FeedbackText[],
): Omit<TextGroups, 'groups' | 'others'> & {
  readonly groups: readonly (TextGroup & {
    readonly members: readonly { readonly id: string; readonly sentence: string }[]
  })[]
} => {
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

function groupsView<T extends { readonly id: string; readonly tool: string | undefined }>(
  { total, compared, groups }: Groups<T>,
  sentence: (item: T) => string,
): TextGroups {
  const shown = groups.slice(0, GROUPS).map((group) => groupView(group, compared, sentence))
  const inShown = shown.reduce((sum, { count }) => sum + count, 0)
  return { texts: total, compared, groups: shown, others: compared - inShown }
}

const groupView = <T extends { readonly id: string; readonly tool: string | undefined }>(
  { typical, members }: Group<T>,
  compared: number,
  sentence: (item: T) => string,
): TextGroup => ({
  count: members.length,
  share_percent: percentOf(members.length, compared) ?? 0,
  sentence: firstSentence(sentence(typical)),
  id: typical.id,
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

const mostFrequent = (names: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1)).map(([name]) => name)
}
