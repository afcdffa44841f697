// Sums of calls, as they are shown: by tool, by what the gate said, by what became of them, and over time.
import { adviceFor } from './failures.ts'
import type { CallSum, Facts } from './facts.ts'

export interface ToolCalls {
  /** `null`: names that no tool has. */
  readonly tool: string | null
  readonly calls: number
  /** By what the gate said; `none` where the call did not get that far. */
  readonly verdicts: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  /** Of those outcomes, how many had an effect or an answer, wait for somebody, or carry an error. */
  readonly kinds: Kinds
  /** Calls in each slice of `over_time`. */
  readonly trend: readonly number[]
}

/** `done`: had an effect or an answer. `waiting`: previews, approvals, runs. `failed`: everything that carries an error. */
export interface Kinds {
  readonly done: number
  readonly waiting: number
  readonly failed: number
}

export interface CallFigures {
  readonly total: number
  readonly verdicts: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  /** The fifty with the most calls. */
  readonly tools: readonly ToolCalls[]
  /** Calls of other tools than these. */
  readonly others: number
  readonly grain: 'hour' | 'day' | 'week'
  readonly over_time: readonly (Kinds & { readonly since: string; readonly until: string })[]
}

export interface FailureFigure {
  readonly code: string
  readonly tool: string | null
  readonly count: number
  /** What to do about it; `null` where only the tool's own contract could say, and it is not served here. */
  readonly guidance: string | null
}

const TOOLS = 50
const FAILURES = 20

const failed: ReadonlySet<string> = new Set(['mismatch', 'stale', 'refused', 'failed', 'outcome_unknown'])
const done: ReadonlySet<string> = new Set(['ok', 'applied', 'replayed'])

/** How an outcome is counted over time. */
const kindOf = (outcome: string): 'done' | 'waiting' | 'failed' =>
  done.has(outcome) ? 'done' : failed.has(outcome) ? 'failed' : 'waiting'

/** Calls by tool, verdict, outcome and time. */
export function callFigures({ slices, grain }: Pick<Facts, 'slices' | 'grain'>): CallFigures {
  const sums = slices.flatMap((slice) => slice.sums)
  const byTool = new Map<string | undefined, CallSum[]>()
  for (const sum of sums) {
    const known = byTool.get(sum.tool)
    if (known === undefined) byTool.set(sum.tool, [sum])
    else known.push(sum)
  }
  const tools = [...byTool]
    .map(([tool, of]): ToolCalls => ({ tool: tool ?? null, ...breakdown(of), trend: [] }))
    .toSorted((one, other) => other.calls - one.calls || compare(one.tool, other.tool))
  const { calls: total, verdicts, outcomes } = breakdown(sums)
  return {
    total,
    verdicts,
    outcomes,
    tools: tools.slice(0, TOOLS).map((of) => ({ ...of, trend: trendOf(slices, of.tool) })),
    others: callsOf(tools.slice(TOOLS)),
    grain,
    over_time: slices.map(({ since, until, sums: of }) => ({
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      ...kindsOf(of),
    })),
  }
}

const trendOf = (slices: Facts['slices'], tool: string | null): readonly number[] =>
  slices.map(({ sums }) => callsOf(sums.filter((sum) => (sum.tool ?? null) === tool)))

const kindsOf = (sums: readonly CallSum[]): Kinds => ({
  done: callsOf(sums.filter(({ outcome }) => kindOf(outcome) === 'done')),
  waiting: callsOf(sums.filter(({ outcome }) => kindOf(outcome) === 'waiting')),
  failed: callsOf(sums.filter(({ outcome }) => kindOf(outcome) === 'failed')),
})

const callsOf = (sums: readonly { readonly calls: number }[]): number =>
  sums.reduce((total, { calls }) => total + calls, 0)

function breakdown(sums: readonly CallSum[]): Pick<ToolCalls, 'calls' | 'verdicts' | 'outcomes' | 'kinds'> {
  return {
    calls: callsOf(sums),
    verdicts: countedBy(sums, ({ verdict }) => verdict ?? 'none'),
    outcomes: countedBy(sums, ({ outcome }) => outcome),
    kinds: kindsOf(sums),
  }
}

/** The most frequent first. */
function countedBy(sums: readonly CallSum[], key: (sum: CallSum) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const sum of sums) counts.set(key(sum), (counts.get(key(sum)) ?? 0) + sum.calls)
  return Object.fromEntries([...counts].toSorted((one, other) => other[1] - one[1] || compare(one[0], other[0])))
}

const compare = (one: string | null, other: string | null): number => ((one ?? '') < (other ?? '') ? -1 : 1)

/** The most frequent failures: which, of what, how often, and what to do about it. */
export function failureFigures({ slices, guidance }: Pick<Facts, 'slices' | 'guidance'>): readonly FailureFigure[] {
  const counts = new Map<string, { readonly tool: string | undefined; readonly code: string; count: number }>()
  for (const { tool, errorCode, calls } of slices.flatMap((slice) => slice.sums)) {
    if (errorCode === undefined) continue
    const key = JSON.stringify([tool, errorCode])
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { tool, code: errorCode, count: calls })
    else known.count += calls
  }
  return [...counts.values()]
    .toSorted((one, other) => other.count - one.count || compare(one.code, other.code))
    .slice(0, FAILURES)
    .map(({ tool, code, count }) => ({
      code,
      tool: tool ?? null,
      count,
      guidance: guidance(tool, code) ?? adviceFor(code) ?? null,
    }))
}
