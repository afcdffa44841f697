// How much of a limited good a call has used up, said before it runs out.
import { isTight, useOf, type BudgetAnalysis, type UseStatus } from '../../errors/budget.ts'
import type { Contract } from '../../tools/contract.ts'
import type { Answer } from './outcome.ts'
import type { ParsedCall } from '../call-context.ts'

const advice: Readonly<Record<UseStatus, string>> = {
  exhausted: 'Stop: the budget is used up. Narrow the request or ask for more.',
  critical: 'Narrow the request before the next call: fewer fields, a smaller page.',
  warning: 'Consider a filter or a smaller page.',
  moderate: 'No change needed yet.',
  efficient: 'No change needed.',
}

/**
 * What an answer says of its contract's budget; operators count it, told or not. A budget that cannot be counted is reported,
 * and takes nothing from a result: a write has happened by then.
 */
export function budgetUse(
  { engine, tool, input, noticed }: Pick<ParsedCall, 'engine' | 'tool' | 'input' | 'noticed'>,
  output: unknown,
): Pick<Answer, 'budget'> {
  try {
    const budget = budgetOf(tool.contract, input, output)
    if (budget === undefined) return {}
    noticed.conclusion ??= { ended: budget.status === 'exhausted' ? 'budget_exhausted' : 'within_budget' }
    return engine.settings.guidance.budget ? { budget } : {}
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
  const use = useOf(consumed, limit)
  const said = advice[use.status]
  return isTight(use)
    ? {
        ...use,
        recommendation: `${said} ${roomFor(consumed, unit)}`,
        likely_causes: [`This call alone used ${consumed} of ${limit} ${unit}.`],
      }
    : { ...use, recommendation: said, likely_causes: [] }
}

/** The limit that leaves half to all of what was used as a margin: "ask for more" alone says nothing to who asks. */
const roomFor = (consumed: number, unit: string): string =>
  `Calls like this one need a limit of ${Math.ceil(consumed * 1.5)} to ${Math.ceil(consumed * 2)} ${unit}.`
