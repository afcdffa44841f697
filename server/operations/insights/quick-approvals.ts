// Tools whose approvals are given too quickly to be a check: a question that everybody answers with yes within minutes
// trains people to press yes. Where more than half were approved unanimously within five minutes, the tool should be
// rated lower or get a grant.
import type { ApprovalSum } from './facts.ts'
import { risks } from '../../model/risk.ts'

const quickMs = 5 * 60_000
/** With fewer answers than this the share means little, and the warning says so. */
const FEW = 5

export type ToolApprovals = ReturnType<typeof figuresOf>

const ladder: readonly string[] = risks

/** Approvals by tool; those that should be rated anew first, then those with the most. */
export function quickApprovals(approvals: readonly ApprovalSum[]): readonly ToolApprovals[] {
  return [...Map.groupBy(approvals, ({ tool }) => tool)]
    .map(([tool, of]) => figuresOf(tool, of))
    .toSorted(
      (one, other) =>
        Number(other.re_rate) - Number(one.re_rate) || other.asked - one.asked || (one.tool < other.tool ? -1 : 1),
    )
}

function figuresOf(tool: string, of: readonly ApprovalSum[]) {
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
    /** The highest risk that one of them was rated. */
    risk: of
      .map(({ risk }) => risk)
      .reduce((high, risk) => (ladder.indexOf(risk) > ladder.indexOf(high) ? risk : high)),
    asked: of.length,
    approved,
    rejected,
    expired,
    waiting: count('waiting'),
    /** Approved unanimously within five minutes. One vote against ends an approval, so what was approved was unanimous. */
    quick,
    /** Of all that are over (approved, rejected, expired); `null` while none is. */
    quick_percent: over === 0 ? null : Math.round((quick / over) * 100),
    /** Half of the decisions took at most so long. */
    median_seconds: median === undefined ? null : Math.round(median / 1000),
    /** More than half were quick. */
    re_rate: quick * 2 > over,
    /** Fewer than five are over: look again when there are more. */
    few: over < FEW,
  }
}
