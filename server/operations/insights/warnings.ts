// Warnings: the figures on which somebody should act, each as sentences that say what is wrong, what it means and what to
// do.
import type { FeedbackRate } from './feedback-rate.ts'
import type { ToolApprovals } from './quick-approvals.ts'

export interface Warning {
  readonly code: 'rationales_say_little' | 'little_feedback' | 're_rate'
  /** What is wrong. */
  readonly title: string
  /** What it means, with the numbers behind it. */
  readonly text: string
  /** What to do. */
  readonly next: string
  /** The tool that it is about, where it is about one. */
  readonly tool: string | null
}

/** Percent of rationales over 30 days; with fewer meaningful ones there is a warning. */
const fewMeaningful = 5
/** Pieces of feedback a month over 90 days; with fewer there is a warning. */
const littleFeedback = 10
/** With fewer rationales than this their share means nothing. */
const ENOUGH = 20

interface Figures {
  readonly approvals: { readonly tools: readonly ToolApprovals[] }
  readonly rationales: { readonly last_30_days: { readonly judged: number; readonly meaningful: number } }
  readonly feedback: FeedbackRate
}

/** The warnings of a tenant's figures. */
export function warningsOf({ approvals, rationales, feedback }: Figures): readonly Warning[] {
  return [...sayLittle(rationales.last_30_days), ...tellLittle(feedback), ...approvals.tools.flatMap(reRate)]
}

function sayLittle({ judged, meaningful }: Figures['rationales']['last_30_days']): readonly Warning[] {
  if (judged < ENOUGH || meaningful * 100 >= fewMeaningful * judged) return []
  return [
    {
      code: 'rationales_say_little',
      title: 'The rationales say next to nothing.',
      text: `Of ${judged} in the last 30 days, ${meaningful} ${meaningful === 1 ? 'says' : 'say'} why. Approvers have nothing to go by, and nobody will be able to tell later why something was done.`,
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
      text: `They sent ${per_month} pieces of feedback a month over the last ${days} days. Below ${littleFeedback}, it is more likely that they do not know how than that all goes well.`,
      next: 'Check that they see the tool `submit_feedback`, and mention it in their instructions.',
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
      text: `${quick} of ${over} approvals were given unanimously within five minutes${few ? ', which is few to judge by' : ''}. A question that is always answered with yes trains people to press yes.`,
      next:
        risk === 'critical' || risk === 'forbidden'
          ? 'Critical calls always ask. Check whether each of these calls is critical: a risk that depends on the input can rate the harmless ones lower.'
          : 'Rate it lower in the settings file (`tenants.<tenant>.risk`, or `mcpServers.<server>.tools` for a tool of another server), or give a grant for the harmless cases.',
      tool,
    },
  ]
}
