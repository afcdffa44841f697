// Figures about calls, as the API answers them: by tool, by verdict, by outcome and over time.
import { isErrorOutcome } from '../../model/outcome.ts'
import { adviceFor } from './failures.ts'
import type { CallSum, Facts } from './facts.ts'

const TOOLS = 50
const FAILURES = 20

const done: ReadonlySet<string> = new Set(['ok', 'applied', 'replayed'])

/** Calls by tool, verdict, outcome and time. */
export function callFigures({ slices, grain }: Pick<Facts, 'slices' | 'grain'>) {
  const sums = slices.flatMap((slice) => slice.sums)
  const tools = [...Map.groupBy(sums, ({ tool }) => tool)]
    .map(([tool, of]) => ({
      /** `null`: names that no tool has. */
      tool: tool ?? null,
      ...breakdown(of),
      kinds: kindsOf(of),
    }))
    .toSorted((one, other) => other.calls - one.calls || compare(one.tool, other.tool))
  const { calls: total, ...all } = breakdown(sums)
  return {
    total,
    ...all,
    /** The fifty with the most calls. `trend`: calls in each slice of `over_time`. */
    tools: tools.slice(0, TOOLS).map((of) => ({ ...of, trend: trendOf(slices, of.tool) })),
    /** Calls of other tools than these. */
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

const kindsOf = (sums: readonly CallSum[]) => ({
  /** Had an effect or an answer. */
  done: callsOf(sums.filter(({ outcome }) => done.has(outcome))),
  /** Previews, approvals, runs. */
  waiting: callsOf(sums.filter(({ outcome }) => !done.has(outcome) && !isErrorOutcome(outcome))),
  /** Everything that is answered with an error. */
  failed: callsOf(sums.filter(({ outcome }) => isErrorOutcome(outcome))),
})

/** How many calls these are together. */
export const callsOf = (sums: readonly { readonly calls: number }[]): number =>
  sums.reduce((total, { calls }) => total + calls, 0)

/**
 * Whether an agent chose this tool and had to say why. The card's own calls are a person's clicks, and nobody is asked for a
 * reason to read a resource or a prompt.
 */
export const isAgentsCall = ({ tool }: CallSum): boolean =>
  !/^(?:countersign_|(?:resources|prompts|completion|logging)\/)/.test(tool ?? '')

const breakdown = (sums: readonly CallSum[]) => ({
  calls: callsOf(sums),
  /** By verdict of the gate; `none` where the call did not reach it. */
  verdicts: countedBy(sums, ({ verdict }) => verdict ?? 'none'),
  outcomes: countedBy(sums, ({ outcome }) => outcome),
})

/** The most frequent first. */
const countedBy = (sums: readonly CallSum[], key: (sum: CallSum) => string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(sums, key)]
      .map(([name, of]) => [name, callsOf(of)] as const)
      .toSorted((one, other) => other[1] - one[1] || compare(one[0], other[0])),
  )

const compare = (one: string | null, other: string | null): number => ((one ?? '') < (other ?? '') ? -1 : 1)

/** The most frequent failures: which, of what, how often, and what to do about it. */
export const failureFigures = ({ slices, guidance }: Pick<Facts, 'slices' | 'guidance'>) =>
  [
    ...Map.groupBy(
      slices.flatMap(({ sums }) => sums),
      ({ tool, errorCode }) => JSON.stringify([tool, errorCode]),
    ).values(),
  ]
    .flatMap((of) => {
      const [{ tool, errorCode: code } = { tool: undefined, errorCode: undefined }] = of
      return code === undefined ? [] : [{ code, tool, count: callsOf(of) }]
    })
    .toSorted((one, other) => other.count - one.count || compare(one.code, other.code))
    .slice(0, FAILURES)
    .map(({ tool, code, count }) => ({
      code,
      tool: tool ?? null,
      count,
      /** What to do about it; `null` where only the tool's own contract could say, and it is not served here. */
      guidance: guidance(tool, code) ?? adviceFor(code) ?? null,
    }))
