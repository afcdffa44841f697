// BM25F over the fields of a tool, with three additions that long tasks need: a word's neighbours count as the word
// itself and never beside it, a tool whose name the task covers is worth more than one that shares a word with it, and a
// server that fits as a whole lifts its tools.
import type { Catalogue } from './catalogue.ts'
import { neighboursOf } from './thesaurus.ts'
import type { Weights } from './weights.ts'
import { splitWords, terms } from './words.ts'

/** Scores every tool against one text, into an array as long as the catalogue: 0 where nothing matches. */
type Scorer = (text: string, scores: Float64Array) => void

const MOST_IDEAS = 64

/** Makes the scorer of a catalogue. It keeps scratch space, so one call ends before the next begins. */
export function createScorer(catalogue: Catalogue, weights: Weights): Scorer {
  const size = catalogue.tools.length
  const toolBest = createBest(size)
  const serverBest = createBest(catalogue.toolsOf.length)

  const fits = new Float64Array(catalogue.toolsOf.length)
  const covered = new Float64Array(size)

  return (text, scores) => {
    for (const scratch of [scores, fits, covered]) scratch.fill(0)
    const asked = new Map<string, number>()
    for (const idea of ideas(text)) {
      const most = catalogue.rarity(idea) || Infinity
      for (const [term, share] of spread(idea)) {
        asked.set(term, Math.max(asked.get(term) ?? 0, share))
        const found = catalogue.inTools.get(term)!
        const worth = Math.min(catalogue.rarity(term), most) * share * (weights.saturation + 1)
        for (let i = 0; i < found.at.length; i++) {
          const weight = found.weight[i]!
          toolBest.offer(found.at[i]!, (worth * weight) / (weight + weights.saturation))
        }
        const fitting = catalogue.inServers.get(term)
        if (fitting === undefined) continue
        const serverWorth = catalogue.serverRarity(term) * share
        for (let i = 0; i < fitting.at.length; i++) serverBest.offer(fitting.at[i]!, serverWorth * fitting.weight[i]!)
      }
      toolBest.addTo(scores)
      serverBest.addTo(fits)
    }
    for (const [term, share] of asked)
      for (const tool of catalogue.inNames.get(term) ?? []) covered[tool]! += catalogue.rarity(term) * share
    for (let tool = 0; tool < size; tool++) {
      if (scores[tool] === 0) continue
      const coverage = covered[tool]! / (catalogue.nameWeight[tool]! || 1)
      scores[tool] =
        scores[tool]! * (1 - weights.coverage + weights.coverage * coverage) +
        weights.serverFit * fits[catalogue.serverOf[tool]!]!
    }
  }

  /** The distinct words of a text that the catalogue can answer at all; the rarest, if there are very many. */
  function ideas(text: string): readonly string[] {
    const distinct = new Set(terms(splitWords(text), catalogue.vocabulary))
    const known = [...distinct].filter((term) => spread(term).length > 0)
    if (known.length <= MOST_IDEAS) return known
    return known.toSorted((a, b) => catalogue.rarity(b) - catalogue.rarity(a)).slice(0, MOST_IDEAS)
  }

  function spread(idea: string): readonly (readonly [term: string, share: number])[] {
    const near = [...neighboursOf(idea)].map((term) => [term, weights.neighbour] as const)
    return [[idea, 1] as const, ...near].filter(([term]) => catalogue.inTools.has(term))
  }
}

/** Collects the best offer per place, adds the lot to a sum and starts anew, touching only what was offered. */
function createBest(size: number): { offer(at: number, value: number): void; addTo(sum: Float64Array): void } {
  const best = new Float64Array(size)
  const touched = new Uint32Array(size)
  let count = 0
  return {
    offer(at, value) {
      const before = best[at]!
      if (value <= before) return
      if (before === 0) touched[count++] = at
      best[at] = value
    },
    addTo(sum) {
      for (let i = 0; i < count; i++) {
        const at = touched[i]!
        sum[at]! += best[at]!
        best[at] = 0
      }
      count = 0
    },
  }
}
