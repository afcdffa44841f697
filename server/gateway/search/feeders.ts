// Tools come in chains: a route wants coordinates that another tool finds, a ticket search a station code. A task never
// names that first link, so a good hit passes part of its score on to the tools of its server that it mentions, or whose
// name and summary speak of the arguments that it must be given.
import type { Catalogue } from './catalogue.ts'
import { neighboursOf } from './thesaurus.ts'
import { bareName } from './tool-text.ts'
import { terms } from './words.ts'

/** The tools that bring what this one needs; of its own server, itself left out. */
export type Feeders = (tool: number) => ReadonlySet<number>

const NEIGHBOUR_SHARE = 0.6
const CLOSE_TO_BEST = 0.8
/** Below this, the words in common are ones that any two tools share (id, name, path). */
const LEAST_RARITY = 4

/** Finds feeders on demand and remembers them: few tools ever lead a result. */
export function createFeeders(catalogue: Catalogue): Feeders {
  const known = new Map<number, ReadonlySet<number>>()
  return (tool) => {
    let feeders = known.get(tool)
    if (feeders === undefined) known.set(tool, (feeders = new Set([...mentioned(tool), ...providing(tool)])))
    return feeders
  }

  function siblings(tool: number): readonly number[] {
    return catalogue.toolsOf[catalogue.serverOf[tool]!]!.filter((other) => other !== tool)
  }

  function mentioned(tool: number): readonly number[] {
    const { mentions } = catalogue.texts[tool]!
    if (mentions.size === 0) return []
    return siblings(tool).filter((other) => mentions.has(bareName(catalogue.tools[other]!)))
  }

  function providing(tool: number): readonly number[] {
    const wanted = [...new Set(terms(catalogue.texts[tool]!.required, catalogue.vocabulary))]
    if (wanted.length === 0) return []
    const offers = siblings(tool).map((other) => {
      const { words } = catalogue.texts[other]!
      const said = new Set(terms([...words.name, ...words.summary], catalogue.vocabulary))
      return { other, worth: wanted.reduce((sum, term) => sum + bestMatch(term, said), 0) }
    })
    const best = offers.reduce((most, { worth }) => Math.max(most, worth), 0)
    if (best <= LEAST_RARITY) return []
    return offers.filter(({ worth }) => worth >= CLOSE_TO_BEST * best).map(({ other }) => other)
  }

  function bestMatch(term: string, said: ReadonlySet<string>): number {
    let best = said.has(term) ? catalogue.rarity(term) : 0
    for (const near of neighboursOf(term))
      if (said.has(near)) best = Math.max(best, NEIGHBOUR_SHARE * catalogue.rarity(near))
    return best
  }
}
