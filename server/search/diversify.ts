// Five servers that can all write a file would fill a short list with one step of a task. Each hit that is taken costs
// the ones that resemble it by name or share its server a little, so that the other steps get their tools into view.
import { listAt, type Catalogue } from './catalogue.ts'
import type { Weights } from './weights.ts'

/** How many of a ranking can change places. */
export const CONSIDERED = 50

/** Takes `limit` tools from a ranking, best first; the scores returned never rise. */
export function diversify(
  catalogue: Catalogue,
  weights: Weights,
  ranked: readonly number[],
  scores: Float64Array,
  limit: number,
): readonly { readonly tool: number; readonly score: number }[] {
  const left = ranked.slice(0, CONSIDERED).map((tool) => ({ tool, score: scores[tool]! }))
  const taken: { tool: number; score: number }[] = []
  while (left.length > 0 && taken.length < limit) {
    let best = 0
    for (let i = 1; i < left.length; i++) if (left[i]!.score > left[best]!.score) best = i
    const [next] = left.splice(best, 1)
    taken.push(next!)
    for (const other of left) other.score *= kept(catalogue, weights, next!.tool, other.tool)
  }
  const least = taken.at(-1)?.score ?? 0
  for (const tool of ranked.slice(CONSIDERED, CONSIDERED + limit - taken.length))
    taken.push({ tool, score: Math.min(least, scores[tool]!) })
  return taken
}

function kept(catalogue: Catalogue, weights: Weights, taken: number, other: number): number {
  const sameServer = catalogue.serverOf[taken] === catalogue.serverOf[other] ? weights.sameServer : 1
  return sameServer * (1 - weights.resemblance * resemblance(catalogue, taken, other))
}

/** How much of two names' words is common, by what the words weigh. */
function resemblance(catalogue: Catalogue, one: number, other: number): number {
  let common = 0
  const others = listAt(catalogue.nameTerms, other)
  for (const term of listAt(catalogue.nameTerms, one)) if (others.includes(term)) common += catalogue.rarity[term]!
  const all = catalogue.nameWeight[one]! + catalogue.nameWeight[other]! - common
  return all > 0 ? common / all : 0
}
