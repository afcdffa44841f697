// Every query has a nearest tool, also one that no tool here can serve. Ranking cannot tell: its best hit has the score 1
// by definition. So what the best hits share with a query is weighed against the query itself: of "refund a payment" a
// catalogue of charts and files covers little, and nothing that is rare in it.
import type { Catalogue } from './catalogue.ts'
import type { Task } from './task.ts'
import { neighboursOf } from './thesaurus.ts'
import { splitWords, terms } from './words.ts'

/**
 * Below both, nothing fits. `test/bench/retrieval.ts` measures them and chooses others on a part of its queries; those say
 * the same. They are careful, because a tool that is there and not shown costs more than one that is shown in vain.
 */
export interface FitLimits {
  /** Of what the query's words weigh, the share that name and first sentence of the best hit cover. */
  readonly share: number
  /** What they cover together, measured in words that a single tool has. */
  readonly words: number
}

export const FIT_LIMITS: FitLimits = { share: 0.3, words: 0.65 }

/** What a word in a hit's text is worth for its neighbour in the query; more than in the ranking, where it competes. */
const NEIGHBOUR_SHARE = 0.7

/** Whether one of these tools (their places in the catalogue) fits the query or a step of it. */
export function fits(catalogue: Catalogue, task: Task, tools: readonly number[], limits: FitLimits): boolean {
  const size = catalogue.tools.length
  // As `rarity` weighs a word that one tool has, and one that none has.
  const single = Math.log(1 + (size - 0.5) / 1.5)
  const unheard = Math.log(1 + (size + 0.5) / 0.5)
  const weigh = (term: string): number => (catalogue.inTools.has(term) ? catalogue.rarity(term) : unheard)
  const parts = [task, ...task.needs].map(({ text }) => [...new Set(terms(splitWords(text), catalogue.vocabulary))])
  const wholes = parts.map((part) => part.reduce((sum, term) => sum + weigh(term), 0))
  return tools.some((tool) => {
    const server = new Set(terms(splitWords(catalogue.tools[tool]!.server), catalogue.vocabulary))
    const speaksOf = (term: string): boolean =>
      server.has(term) || (catalogue.inHeads.get(term)?.includes(tool) ?? false)
    const covers = (term: string): number => {
      if (speaksOf(term)) return weigh(term)
      let most = 0
      for (const near of neighboursOf(term))
        if (speaksOf(near)) most = Math.max(most, NEIGHBOUR_SHARE * Math.min(catalogue.rarity(near), weigh(term)))
      return most
    }
    return parts.some((part, at) => {
      const covered = part.reduce((sum, term) => sum + covers(term), 0)
      return covered / (wholes[at]! || 1) >= limits.share || covered / single >= limits.words
    })
  })
}
