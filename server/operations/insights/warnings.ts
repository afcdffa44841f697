// A number nobody acts on is decoration. What should make somebody act is said as a sentence: what is wrong, what it means,
// and what to do.
import type { FeedbackRate } from './feedback-rate.ts'
import type { ToolApprovals } from './quick-approvals.ts'

export type WarningCode = 'rationales_say_little' | 'little_feedback' | 're_rate'

export interface Warning {
  readonly code: WarningCode
  /** What is wrong. */
  readonly title: string
  /** What it means, with the numbers behind it. */
  readonly text: string
  /** What to do. */
  readonly next: string
  /** The tool that it is about, where it is about one. */
  readonly tool: string | null
}

/** Below how many percent of meaningful rationales over 30 days there is a warning. */
export const fewMeaningful = 5
/** Below how much feedback a month over 90 days there is a warning. */
export const littleFeedback = 10
/** With fewer rationales than this nothing is said about their share. */
const ENOUGH = 20

interface Told {
  readonly approvals: { readonly tools: readonly ToolApprovals[] }
  readonly rationales: {
    readonly last_30_days: { readonly judged: number; readonly meaningful: number }
  }
  readonly feedback: FeedbackRate
}

/** What should make somebody act. */
export function warningsOf({ approvals, rationales, feedback }: Told): readonly Warning[] {
  return [...sayLittle(rationales.last_30_days), ...tellLittle(feedback), ...approvals.tools.flatMap(reRate)]
}

function sayLittle({ judged, meaningful }: Told['rationales']['last_30_days']): readonly Warning[] {
  if (judged < ENOUGH || meaningful * 100 >= fewMeaningful * judged) return []
  return [
    {
      code: 'rationales_say_little',
      title: 'The rationales say next to nothing.',
      text: `Of ${judged} in the last 30 days, ${meaningful} ${meaningful === 1 ? 'says' : 'say'} why. Whoever approves has nothing to go by, and nobody will learn later why something was done.`,
      next: 'Tell the agents in their instructions to name the cause and where it comes from, with an example of a good sentence; the groups below show what they write now.',
      tool: null,
    },
  ]
}

function tellLittle({ per_month, days }: FeedbackRate): readonly Warning[] {
  if (per_month === null || per_month >= littleFeedback) return []
  return [
    {
      code: 'little_feedback',
      title: 'Agents hardly ever say where they are stuck.',
      text: `They sent ${per_month} pieces of feedback a month over the last ${days} days; below ${littleFeedback}, it is likelier that they do not know how than that all goes well.`,
      next: 'Check that `submit_feedback` is among the tools that they see, and mention it in their instructions.',
      tool: null,
    },
  ]
}

function reRate(of: ToolApprovals): readonly Warning[] {
  if (!of.re_rate) return []
  const { tool, quick, approved, rejected, expired, risk, few } = of
  const over = approved + rejected + expired
  return [
    {
      code: 're_rate',
      title: `\`${tool}\` may be rated too high.`,
      text: `${quick} of ${over} approvals were given unanimously within five minutes${few ? '; that is few to go by' : ''}. A question that is always answered with yes teaches people to press yes.`,
      next:
        risk === 'critical' || risk === 'forbidden'
          ? 'Critical calls always ask. Look whether every one of these inputs is critical: a risk by rule can rate the harmless ones lower.'
          : `Rate it lower in the settings, or give a grant for the harmless cases.`,
      tool,
    },
  ]
}
