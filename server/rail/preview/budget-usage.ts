// How much of a limited good a call has used up, said before it runs out.
import type { Contract } from '../../tools/contract.ts'
import type { Answer, BudgetAnalysis } from '../answers/outcome.ts'
import type { ParsedCall } from '../call-context.ts'

const levels = [
  { from: 100, status: 'exhausted', advice: 'Stop: the budget is used up. Narrow the request or ask for more.' },
  { from: 90, status: 'critical', advice: 'Narrow the request before the next call: fewer fields, a smaller page.' },
  { from: 75, status: 'warning', advice: 'Consider a filter or a smaller page.' },
  { from: 50, status: 'moderate', advice: 'No change needed yet.' },
  { from: Number.NEGATIVE_INFINITY, status: 'efficient', advice: 'No change needed.' },
] as const

/**
 * What an answer says of its contract's budget. A budget that cannot be counted is reported, and takes nothing from a
 * result: a write has happened by then.
 */
export function budgetUse(
  { engine, tool, input }: Pick<ParsedCall, 'engine' | 'tool' | 'input'>,
  output: unknown,
): Pick<Answer, 'budget'> {
  if (!engine.settings.guidance.budget) return {}
  try {
    const budget = budgetOf(tool.contract, input, output)
    return budget === undefined ? {} : { budget }
  } catch (error) {
    engine.report(error, `${tool.wireName} budget`)
    return {}
  }
}

/** Analysis of one call against its contract's budget; thresholds 50, 75, 90 and 100 % (docs/DESIGN.md, section 4). */
function budgetOf(contract: Contract, input: unknown, output: unknown): BudgetAnalysis | undefined {
  if (contract.budget === undefined) return undefined
  const { limit, unit } = contract.budget
  const consumed = contract.budget.consumed(input, output)
  const percent = limit <= 0 ? 100 : Math.round((consumed / limit) * 1000) / 10
  const level = levels.find(({ from }) => percent >= from) ?? levels[4]
  const isTight = percent >= 75 && consumed > 0
  return {
    consumed,
    budget: limit,
    utilization_percent: percent,
    status: level.status,
    recommendation: isTight ? `${level.advice} ${roomFor(consumed, unit)}` : level.advice,
    likely_causes: isTight ? [`This call alone used ${consumed} of ${limit} ${unit}.`] : [],
  }
}

/** The limit that leaves half to all of what was used as a margin: "ask for more" alone says nothing to who asks. */
const roomFor = (consumed: number, unit: string): string =>
  `Calls like this one need a limit of ${Math.ceil(consumed * 1.5)} to ${Math.ceil(consumed * 2)} ${unit}.`
