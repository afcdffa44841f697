// Tools come in chains: a route wants coordinates that another tool finds, a ticket search a station code. A task never
// names that first link, so a good hit passes part of its score on to the tools of its server that it mentions, or whose
// name and summary speak of the arguments that it must be given.
import { PART, type Catalogue } from './catalogue.ts'
import { bareName, readNeeds, type ToolNeeds } from './tool-text.ts'
import { terms } from './words.ts'

/** The tools that bring what this one needs; of its own server, itself left out. */
type Prerequisites = (tool: number) => ReadonlySet<number>

const NEIGHBOUR_SHARE = 0.6
const CLOSE_TO_BEST = 0.8
/** Below this, the words in common are ones that any two tools share (id, name, path). */
const LEAST_RARITY = 4

/** Finds prerequisites on demand and remembers them: few tools ever lead a result. */
export function createPrerequisites(catalogue: Catalogue): Prerequisites {
  const known = new Map<number, ReadonlySet<number>>()
  return (tool) => {
    let found = known.get(tool)
    if (found === undefined) {
      const needs = readNeeds(catalogue.tools[tool]!)
      known.set(tool, (found = new Set([...mentioned(tool, needs), ...providing(tool, needs)])))
    }
    return found
  }

  function mentioned(tool: number, { mentions }: ToolNeeds): readonly number[] {
    if (mentions.size === 0) return []
    const siblings = catalogue.toolsOf[catalogue.serverOf[tool]!]!
    return siblings.filter((other) => other !== tool && mentions.has(bareName(catalogue.tools[other]!)))
  }

  function providing(tool: number, { required }: ToolNeeds): readonly number[] {
    const offers = new Map<number, number>()
    for (const term of new Set(terms(required, catalogue.vocabulary.isWord)))
      for (const [other, worth] of speakingOf(term, tool)) offers.set(other, (offers.get(other) ?? 0) + worth)
    let best = 0
    for (const worth of offers.values()) best = Math.max(best, worth)
    if (best <= LEAST_RARITY) return []
    return [...offers].filter(([, worth]) => worth >= CLOSE_TO_BEST * best).map(([other]) => other)
  }

  /** The siblings whose name or summary holds the word or a neighbour of it, and what that is worth. */
  function speakingOf(term: string, tool: number): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    const { vocabulary, inTools, serverOf, rarity } = catalogue
    const own = vocabulary.numberOf(term)
    const near = vocabulary.neighboursOf(term).map((word) => [word, NEIGHBOUR_SHARE] as const)
    for (const [word, share] of [...(own === undefined ? [] : [[own, 1] as const]), ...near])
      for (let i = inTools.starts[word]!; i < inTools.starts[word + 1]!; i++) {
        const other = inTools.document[i]!
        if (inTools.mark[i]! >= PART.head && other !== tool && serverOf[other] === serverOf[tool])
          found.set(other, Math.max(found.get(other) ?? 0, share * rarity[word]!))
      }
    return found
  }
}
