// An agent behind a gateway sees four tools and must find the one it needs among thousands, with a query that may be a
// name, two words or a whole task. Everything here is counting: no model, no network, no clock, so that the same
// catalogue and query always give the same answer.
import { best } from './best.ts'
import { createByName, nameKey, sorting } from './by-name.ts'
import { createCatalogue } from './catalogue.ts'
import { CONSIDERED, diversify } from './diversify.ts'
import { createPrerequisites } from './prerequisites.ts'
import { passes, type ToolFilters } from './filters.ts'
import { evidenceOf, isEnough, type Evidence } from './fit.ts'
import { createScorer } from './score.ts'
import { readTask } from './task.ts'
import type { IndexedTool } from './tool-text.ts'
import { WEIGHTS, type Weights } from './weights.ts'

interface ToolHit {
  readonly tool: IndexedTool
  /** Its place among the tools that were handed in. */
  readonly at: number
  /** 1 for the best hit, the others in relation to it; never rising down the list. */
  readonly score: number
}

export interface SearchOptions {
  /** At most this many hits; 10 when absent. */
  readonly limit?: number | undefined
  readonly filters?: ToolFilters | undefined
}

export interface ToolIndex {
  readonly size: number
  search(query: string, options?: SearchOptions): readonly ToolHit[]
  /** Whether one of these hits of a query is about what it asks for, rather than only the nearest that there is. */
  fits(query: string, hits: readonly ToolHit[]): boolean
  /** By what that is decided. */
  evidence(query: string, hits: readonly ToolHit[]): Evidence
}

const DEFAULT_LIMIT = 10
/** Whoever asks for a tool by its name wants that one; what else fits is shown as second choice. */
const BESIDE_EXACT = 0.5
const LONGEST_NAME = 500
const FEEDING_HITS = 4
/** A query whose tool is there has it among these; more would only find more by chance. */
const JUDGED_HITS = 10
/** What a fed tool keeps of its own score, so that the better of two stays the better. */
const OWN_SHARE = 0.3

/** Indexes tools for ranked search. Building costs milliseconds per thousand tools; build anew when the list changes. */
export function createToolIndex(tools: readonly IndexedTool[], weights: Weights = WEIGHTS): ToolIndex {
  const catalogue = createCatalogue(tools, weights)
  const score = createScorer(catalogue, weights)
  const prerequisitesOf = createPrerequisites(catalogue)
  // Scratch space: a search is one uninterrupted run, and large arrays are what it would spend its time on.
  const sum = new Float64Array(tools.length)
  const parts = new Float64Array(tools.length)
  const part = new Float64Array(tools.length)
  const place = new Uint32Array(tools.length)
  sorting(tools.map(({ name }) => name)).forEach((tool, at) => (place[tool] = at))
  const named = createByName(tools)

  const evidence: ToolIndex['evidence'] = (query, hits) =>
    evidenceOf(
      catalogue,
      readTask(query),
      hits.slice(0, JUDGED_HITS).map(({ at }) => at),
    )

  return {
    size: tools.length,
    fits: (query, hits) => isEnough(evidence(query, hits)),
    evidence,
    search(query, { limit = DEFAULT_LIMIT, filters = {} } = {}) {
      const most = Math.min(Math.max(0, Math.floor(limit) || 0), tools.length)
      const key = nameKey(query.slice(0, LONGEST_NAME))
      if (most === 0 || key === '') return []
      // `alpha:weather_forecast` has the words of "weather:forecast", but another tool has its very name.
      const likeness = (tool: number): number =>
        tools[tool]!.name === query ? 2 : nameKey(tools[tool]!.name) === key ? 1 : 0
      const exact = [...named(key)]
        .filter((tool) => passes(tools[tool]!, filters))
        .toSorted((a, b) => likeness(b) - likeness(a) || place[a]! - place[b]!)
      const scores = scoreTask(query)
      feed(scores)
      const wanted = (tool: number): boolean => passes(tools[tool]!, filters) && !exact.includes(tool)
      const ranked = best(scores, Math.max(most, CONSIDERED), place, wanted)
      const chosen = diversify(catalogue, weights, ranked, scores, most - exact.length)
      const top = (chosen[0]?.score ?? 1) * (exact.length > 0 ? 1 / BESIDE_EXACT : 1)
      return [
        ...exact.map((at) => ({ tool: tools[at]!, at, score: 1 })),
        ...chosen.map(({ tool: at, score }) => ({ tool: tools[at]!, at, score: Number((score / top).toFixed(4)) })),
      ].slice(0, most)
    },
  }

  /** The task as a whole, plus the best of what its parts ask for, each measured against its own best tool. */
  function scoreTask(query: string): Float64Array {
    const task = readTask(query)
    score(task.text, sum)
    scale(sum, 1)
    parts.fill(0)
    for (const need of task.needs) {
      score(need.text, part)
      scale(part, weights[need.kind])
      for (let tool = 0; tool < part.length; tool++) if (part[tool]! > parts[tool]!) parts[tool] = part[tool]!
    }
    for (let tool = 0; tool < sum.length; tool++) sum[tool]! += parts[tool]!
    return sum
  }

  function feed(scores: Float64Array): void {
    const own = best(scores, FEEDING_HITS, place, () => true).map((tool) => ({ tool, score: scores[tool]! }))
    for (const { tool, score } of own)
      for (const prerequisite of prerequisitesOf(tool)) {
        const fed = weights.prerequisite * score + OWN_SHARE * scores[prerequisite]!
        if (fed > scores[prerequisite]!) scores[prerequisite] = fed
      }
  }
}

/** Brings the best score to this value, and the others with it. */
function scale(scores: Float64Array, to: number): void {
  let most = 0
  for (let tool = 0; tool < scores.length; tool++) if (scores[tool]! > most) most = scores[tool]!
  if (most > 0) for (let tool = 0; tool < scores.length; tool++) scores[tool]! *= to / most
}
