// A question that everybody answers yes within minutes trains people to press yes. A tool of which more than half the
// approvals were given unanimously within five minutes should be rated lower, or get a grant.
import type { ApprovalSum } from './facts.ts'
import { risks } from '../../model/risk.ts'

/** Within how long a yes counts as quick. */
export const quickMs = 5 * 60_000
/** With fewer answers than this the share says little, and is told with that. */
const FEW = 5

export interface ToolApprovals {
  readonly tool: string
  /** The highest risk that one of them was rated. */
  readonly risk: string
  readonly asked: number
  readonly approved: number
  readonly rejected: number
  readonly expired: number
  readonly waiting: number
  /** Approved unanimously within five minutes. One vote against ends an approval, so what was approved was unanimous. */
  readonly quick: number
  /** Of all that are over (approved, rejected, expired); `null` while none is. */
  readonly quick_percent: number | null
  /** Half of the decisions took at most so long. */
  readonly median_seconds: number | null
  /** More than half were quick. */
  readonly re_rate: boolean
  /** Fewer than five are over: look again when there are more. */
  readonly few: boolean
}

const ladder: readonly string[] = risks

/** Approvals by tool; those that should be rated anew first, then those with the most. */
export function quickApprovals(approvals: readonly ApprovalSum[]): readonly ToolApprovals[] {
  const byTool = new Map<string, ApprovalSum[]>()
  for (const approval of approvals) byTool.set(approval.tool, [...(byTool.get(approval.tool) ?? []), approval])
  return [...byTool]
    .map(([tool, of]) => figuresOf(tool, of))
    .toSorted(
      (one, other) =>
        Number(other.re_rate) - Number(one.re_rate) || other.asked - one.asked || (one.tool < other.tool ? -1 : 1),
    )
}

function figuresOf(tool: string, of: readonly ApprovalSum[]): ToolApprovals {
  const count = (state: ApprovalSum['state']): number => of.filter((one) => one.state === state).length
  const [approved, rejected, expired] = [count('approved'), count('rejected'), count('expired')]
  const over = approved + rejected + expired
  const quick = of.filter(
    ({ state, decidedAfterMs }) => state === 'approved' && decidedAfterMs !== undefined && decidedAfterMs <= quickMs,
  ).length
  const times = of.flatMap(({ decidedAfterMs }) => decidedAfterMs ?? []).toSorted((one, other) => one - other)
  const median = times[Math.floor((times.length - 1) / 2)]
  return {
    tool,
    risk: of
      .map(({ risk }) => risk)
      .reduce((high, risk) => (ladder.indexOf(risk) > ladder.indexOf(high) ? risk : high)),
    asked: of.length,
    approved,
    rejected,
    expired,
    waiting: count('waiting'),
    quick,
    quick_percent: over === 0 ? null : Math.round((quick / over) * 100),
    median_seconds: median === undefined ? null : Math.round(median / 1000),
    re_rate: quick * 2 > over,
    few: over < FEW,
  }
}
