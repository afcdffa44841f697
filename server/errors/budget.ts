// How much of a limited good was used up, said before it runs out. One home for the budget of a contract and the fuel of a
// program: they differ in their words alone.

export type UseStatus = 'efficient' | 'moderate' | 'warning' | 'critical' | 'exhausted'

export interface BudgetAnalysis {
  readonly consumed: number
  readonly budget: number
  readonly utilization_percent: number
  readonly status: UseStatus
  readonly recommendation: string
  readonly likely_causes: readonly string[]
}

/** How much of a budget is used, before anything is advised. */
export type Use = Omit<BudgetAnalysis, 'recommendation' | 'likely_causes'>

const levels: readonly (readonly [from: number, status: UseStatus])[] = [
  [100, 'exhausted'],
  [90, 'critical'],
  [75, 'warning'],
  [50, 'moderate'],
]

/** What was used of a budget, in per cent with one decimal, and how that stands; of a budget of nothing all is used. */
export function useOf(consumed: number, budget: number): Use {
  const percent = budget <= 0 ? 100 : Math.round((consumed / budget) * 1000) / 10
  const status = levels.find(([from]) => percent >= from)?.[1] ?? 'efficient'
  return { consumed, budget, utilization_percent: percent, status }
}

/** Whether so much is used that a call like it should get more room. */
export const isTight = ({ status, consumed }: Use): boolean =>
  consumed > 0 && (status === 'warning' || status === 'critical' || status === 'exhausted')
