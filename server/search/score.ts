// BM25F over the fields of a tool, with three additions that long tasks need: a word's neighbours count as the word
// itself and never beside it, a tool whose name the task covers is worth more than one that shares a word with it, and a
// server that fits as a whole lifts its tools.
import { PART, type Catalogue } from './catalogue.ts'
import type { Weights } from './weights.ts'
import { splitWords, terms } from './words.ts'

/** Scores every tool against one text, into an array as long as the catalogue: 0 where nothing matches. */
type Scorer = (text: string, scores: Float64Array) => void

/** A word of a query: how rare it is (0 where no tool has it), what a neighbour counts at most, and what it is looked for by. */
interface Idea {
  readonly own: number
  readonly most: number
  readonly spread: readonly (readonly [term: number, share: number])[]
}

const MOST_IDEAS = 64

/** Makes the scorer of a catalogue. It keeps scratch space, so one call ends before the next begins. */
export function createScorer(catalogue: Catalogue, weights: Weights): Scorer {
  const { vocabulary, inTools, inServers, rarity, serverRarity } = catalogue
  const size = catalogue.tools.length
  const toolBest = createBest(size)
  const serverBest = createBest(catalogue.toolsOf.length)

  const fits = new Float64Array(catalogue.toolsOf.length)
  const covered = new Float64Array(size)

  return (text, scores) => {
    for (const scratch of [scores, fits, covered]) scratch.fill(0)
    const asked = new Map<number, number>()
    for (const { most, spread } of ideas(text)) {
      for (const [term, share] of spread) {
        asked.set(term, Math.max(asked.get(term) ?? 0, share))
        const worth = Math.min(rarity[term]!, most) * share * (weights.saturation + 1)
        for (let i = inTools.starts[term]!; i < inTools.starts[term + 1]!; i++) {
          const weight = inTools.weight[i]!
          toolBest.offer(inTools.document[i]!, (worth * weight) / (weight + weights.saturation))
        }
        const serverWorth = serverRarity[term]! * share
        for (let i = inServers.starts[term]!; i < inServers.starts[term + 1]!; i++)
          serverBest.offer(inServers.document[i]!, serverWorth * inServers.weight[i]!)
      }
      toolBest.addTo(scores)
      serverBest.addTo(fits)
    }
    for (const [term, share] of asked)
      for (let i = inTools.starts[term]!; i < inTools.starts[term + 1]!; i++)
        if (inTools.mark[i] === PART.name) covered[inTools.document[i]!]! += rarity[term]! * share
    for (let tool = 0; tool < size; tool++) {
      if (scores[tool] === 0) continue
      const coverage = covered[tool]! / (catalogue.nameWeight[tool]! || 1)
      scores[tool] =
        scores[tool]! * (1 - weights.coverage + weights.coverage * coverage) +
        weights.serverFit * fits[catalogue.serverOf[tool]!]!
    }
  }

  /** The distinct words of a text that the catalogue can answer at all; the rarest, if there are very many. */
  function ideas(text: string): readonly Idea[] {
    const known = [...new Set(terms(splitWords(text), vocabulary.isWord))]
      .map(ideaOf)
      .filter(({ spread }) => spread.length > 0)
    return known.length <= MOST_IDEAS ? known : known.toSorted((a, b) => b.own - a.own).slice(0, MOST_IDEAS)
  }

  function ideaOf(word: string): Idea {
    const term = vocabulary.numberOf(word)
    const own = term === undefined ? 0 : rarity[term]!
    const near = vocabulary.neighboursOf(word).map((each) => [each, weights.neighbour] as const)
    return { own, most: own || Infinity, spread: [...(term === undefined ? [] : [[term, 1] as const]), ...near] }
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
