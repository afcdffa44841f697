// What something costs at one size says little of what it will cost at the next: here are the sizes beside each other, and
// the exponent of the line through them (least squares of log(cost) over log(size)). 0 is flat, 1 is linear. All sizes are
// there at once and take turns, so that whatever else the machine does hits all of them alike.
import type { Aim } from './aims.ts'
import { median, slope, table } from './figures.ts'

/** Highest exponents: of what must not grow, and of what may grow with its size and no faster. */
export const flat = 0.1
export const linear = 1.1

type Costs = Readonly<Record<string, number>>

/** What is measured, at one size. */
export interface AtSize {
  /**
   * Each does everything of its own once and answers how long that took, in milliseconds. One after the other: what takes
   * much memory makes work for the next.
   */
  readonly rounds: readonly ((turn: number) => Promise<Costs>)[]
  close?(): Promise<void>
}

interface CurveOptions {
  readonly title: string
  /** What there are so many of. */
  readonly unit: string
  readonly sizes: readonly number[]
  readonly open: (size: number) => Promise<AtSize>
  /** The highest exponent of each cost. */
  readonly aims: Readonly<Record<string, number>>
}

const warmUp = 2
const fewestRounds = 5
const mostRounds = 300
const longestMs = 20_000

/** Milliseconds that this takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Powers of ten. */
export const decades = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at))

/** Measures the costs at each size and prints them, with their exponents. */
export async function curves({ title, unit, sizes, open, aims }: CurveOptions): Promise<readonly Aim[]> {
  const opened: (AtSize & { readonly size: number; readonly taken: Costs[] })[] = []
  try {
    for (const size of sizes) opened.push({ size, taken: [], ...(await open(size)) })
    for (const round of opened[0]?.rounds.keys() ?? []) await takeTurns(opened, round)
  } finally {
    for (const one of opened) await one.close?.()
  }
  const lines = Object.entries(aims).map(([what, aim]) => {
    const costs = opened.map(({ size, taken }) => [size, median(taken.flatMap((costs) => costs[what] ?? []))] as const)
    return { what, aim, costs, exponent: exponentOf(costs), last: exponentOf(costs.slice(-2)) }
  })
  console.log(`sizes: ${title}; p50 in ms`)
  console.log(
    table([
      [unit, ...lines.map(({ what }) => what)],
      ...sizes.map((size, at) => [
        size.toLocaleString('en'),
        ...lines.map(({ costs }) => shown(costs[at]?.[1] ?? NaN)),
      ]),
      ['exponent', ...lines.map(({ exponent }) => exponent.toFixed(2))],
      ['of the last step', ...lines.map(({ last }) => last.toFixed(2))],
    ]),
  )
  console.log()
  return lines.map(({ what, aim, exponent, last }) => ({
    what: `${title}: ${what}, by ${unit}`,
    aim,
    unit: 'exponent',
    measured: exponent,
    note: `of the last step ${last.toFixed(2)}`,
  }))
}

async function takeTurns(opened: readonly (AtSize & { readonly taken: Costs[] })[], round: number): Promise<void> {
  const end = performance.now() + longestMs
  for (let turn = 0; turn < warmUp + mostRounds; turn++) {
    if (turn >= warmUp + fewestRounds && performance.now() > end) break
    for (let at = 0; at < opened.length; at++) {
      const one = opened[(at + turn) % opened.length]
      const costs = await one?.rounds[round]?.(turn)
      if (turn >= warmUp && costs !== undefined) one?.taken.push(costs)
    }
  }
}

const shown = (ms: number): string => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))

/** The power of its size by which a cost grows. */
const exponentOf = (costs: readonly (readonly [size: number, ms: number])[]): number =>
  slope(costs.map(([size, ms]) => [Math.log(size), Math.log(ms)]))
