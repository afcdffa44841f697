// What a run used of its budget, why, and which budget the next one needs. A budget is a limit and no price: only what is used
// counts, so a run that was ended is told the largest one, and one that came near its limit a margin of half to all of it, and
// in a session at least what it takes to do again what the session has done: variables and imports end with an instance.
import { isTight, useOf, type BudgetAnalysis } from '../../errors/budget.ts'
import type { Program, RunFacts, Surroundings } from './facts.ts'
import { heavyLoops, importedModules } from './likely-causes.ts'

export interface AnalysedFuel {
  readonly analysis: BudgetAnalysis
  /** The `budget` that is recommended; absent where another one is not needed, or not to be had. */
  readonly budget?: number
}

/** A first import below this share of what was used is not worth a sentence. */
const noteworthy = 0.1

/** Analyses what a run used. */
export function analyseFuel(run: RunFacts, program: Program, known: Surroundings = {}): AnalysedFuel {
  const { consumed, budget } = run.fuel
  const ended = run.ended === 'out_of_fuel'
  const measured = useOf(consumed, budget)
  const use = ended
    ? { ...measured, utilization_percent: Math.max(100, measured.utilization_percent), status: 'exhausted' as const }
    : measured
  const imports = importCosts(run, program, known)
  const importCauses = imports.map(
    ({ module, fuel }) =>
      `The first import of ${module} took ${fuel === undefined ? 'a part' : inWords(fuel)} of it; ${
        run.sessionId === undefined
          ? 'in a session (`session_id`) only its first call pays that.'
          : run.sessionReset
            ? 'the session has begun anew, so the next import pays it again.'
            : 'the next call of this session does not pay it again.'
      }`,
  )
  if (!isTight(use))
    return {
      analysis: {
        ...use,
        recommendation: use.status === 'moderate' ? 'No change needed yet.' : 'No change needed.',
        likely_causes: importCauses,
      },
    }
  const causes = [...importCauses, ...heavyLoops(program)]
  const { words, to } = recommended(ended, budget, againOf(run, known), known.largestBudget)
  return {
    analysis: { ...use, recommendation: words, likely_causes: causes },
    ...(to === undefined ? {} : { budget: to }),
  }
}

interface Cost {
  readonly module: string
  readonly fuel?: number | undefined
}

/** First imports of this run that cost something. A run that was ended may not have said which: then its code does. */
function importCosts(run: RunFacts, program: Program, { packages }: Surroundings): readonly Cost[] {
  const saysAll = run.ended === 'finished' || run.ended === 'error'
  if (saysAll && run.imports.length === 0) return []
  const first = run.imports.filter(({ firstInSession }) => firstInSession)
  const named: readonly Cost[] =
    run.imports.length > 0
      ? first.map(({ module, fuel }) => ({ module, fuel: fuel ?? packages?.get(module) }))
      : importedModules(program).map((module) => ({ module, fuel: packages?.get(module) }))
  return named.filter(({ fuel }) => fuel !== undefined && fuel >= run.fuel.consumed * noteworthy).slice(0, 5)
}

/** More than the first import of any module of Python's own library takes; measured, `asyncio` takes most: 0.82 billion. */
const libraryImport = 1_000_000_000

/**
 * What a run uses at most where its session begins anew and what it had found there is made again: all that the session has
 * used. Of a session whose first runs are forgotten the imports are counted instead, which is most of what stays.
 */
function againOf({ fuel, imports, sessionFuel = [] }: RunFacts, { packages }: Surroundings): number {
  const session = sessionFuel.reduce((sum, { consumed }) => sum + consumed, 0)
  if (session === 0 || sessionFuel[0]?.run === 1) return session
  const found = imports.filter(({ firstInSession }) => !firstInSession)
  return Math.max(
    session,
    found.reduce((sum, { module }) => sum + (packages?.get(module) ?? libraryImport), fuel.consumed),
  )
}

function recommended(
  ended: boolean,
  budget: number,
  again: number,
  largest = Number.MAX_SAFE_INTEGER,
): { words: string; to?: number } {
  if (budget >= largest)
    return {
      words: ended
        ? 'No call may have a larger budget: do less in one call, or give a loop that has no end one.'
        : 'No call may have a larger budget: do less in one call, or keep work in a session.',
    }
  if (ended) {
    const to = largest === Number.MAX_SAFE_INTEGER ? Math.min(largest, rounded(budget * 10)) : largest
    return {
      to,
      words: `Look first whether a loop has no end. If the work is what you want, call again with \`budget\`: ${to} (${inWords(to)}): a budget is a limit, and only what is used counts.`,
    }
  }
  const [low, high] = [1.5, 2].map((times) => Math.min(largest, rounded(Math.max(budget * times, again)))) as [
    number,
    number,
  ]
  const range = low === high ? `${inWords(high)}: ${high}` : `${inRange(low, high)}: ${low} to ${high}`
  const why = again > budget * 1.5 ? ' It is enough for a session that begins anew, too.' : ''
  return { to: high, words: `Give calls like this one a \`budget\` of ${range}.${why}` }
}

/** Up to two digits, so that a figure can be copied. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return Math.ceil(value / step) * step
}

const units: readonly (readonly [size: number, name: string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
]

const unitOf = (value: number) => units.find(([size]) => value >= size) ?? ([1, ''] as const)
const figure = (value: number, size: number): string => String(Math.round((value / size) * 10) / 10)

/** A figure as it is said: `8.5 billion`. */
function inWords(value: number): string {
  const [size, name] = unitOf(value)
  return `${figure(value, size)} ${name}`.trimEnd()
}

function inRange(low: number, high: number): string {
  const [size, name] = unitOf(high)
  return `${figure(low, size)} to ${figure(high, size)} ${name}`.trimEnd()
}
