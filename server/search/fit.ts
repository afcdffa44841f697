// Every query has a nearest tool, also one that no tool here can serve. Ranking cannot tell: its best hit has the score 1
// by definition. So it is counted how many different words of the query a hit speaks of, and how rare the rarest of them
// is that stands in its name. One word alone is chance, more often the more tools there are: "reset a password" meets a
// tool that resets a branch.
import { listAt, PART, type Catalogue } from './catalogue.ts'
import { markIn } from './postings.ts'
import type { Task } from './task.ts'
import { splitWords, terms } from './words.ts'

/**
 * What it takes to fit. `test/bench/retrieval.ts` measures these numbers, and others that it chooses on a part of its
 * queries. They are careful, because a tool that is there and not shown costs more than one that is shown in vain.
 */
export interface FitLimits {
  /** What the rarest word in a name is worth, where a counted word is worth 1. */
  readonly rarest: number
  /** How much more it takes for each natural logarithm of the number of tools. */
  readonly perSize: number
  readonly least: number
}

export const FIT_LIMITS: FitLimits = { rarest: 1, perSize: 0.2, least: 0.42 }

/** What one hit has of one need of the query. */
interface Covered {
  /** Different words that its name or first sentence has, or its server's name. */
  readonly words: number
  /** How rare the rarest of them is that its own or its server's name has; 1 is a word that a single tool has. */
  readonly rarest: number
}

/** What the best hits have of a query, in a catalogue of so many tools. */
export interface Evidence {
  readonly size: number
  readonly covered: readonly Covered[]
}

/** A word's neighbour in the hit counts for less than the word, and weighs for less. */
const neighbour = { words: 0.6, rarest: 0.7 } as const

/** More words than this say no more. */
const mostWords = 3

/** What these tools (their places in the catalogue) have of the query or of a step of it. */
export function evidenceOf(catalogue: Catalogue, task: Task, tools: readonly number[]): Evidence {
  const size = catalogue.tools.length
  const single = Math.log(1 + (size - 0.5) / 1.5)
  // Nearly every catalogue has a tool that knows the time, and it serves no task alone.
  const needs = [task, ...task.needs.filter(({ kind }) => kind !== 'now')]
  const wanted = needs.map(({ text }) => wordsOf(catalogue, text))
  const covered = tools.flatMap((tool) => {
    const server = new Set(numbersOf(catalogue, catalogue.tools[tool]!.server))
    const names = new Set([...server, ...listAt(catalogue.nameTerms, tool)])
    const speaksOf = (term: number): boolean => server.has(term) || markIn(catalogue.inTools, term, tool) >= PART.head
    return wanted.map((part): Covered => {
      let [words, rarest] = [0, 0]
      for (const { term, near } of part) {
        const isSaid = term !== undefined && speaksOf(term)
        words += isSaid ? 1 : near.some(speaksOf) ? neighbour.words : 0
        const inName =
          term !== undefined && names.has(term)
            ? catalogue.rarity[term]!
            : Math.max(
                0,
                ...near.filter((each) => names.has(each)).map((each) => neighbour.rarest * catalogue.rarity[each]!),
              )
        rarest = Math.max(rarest, inName / single)
      }
      return { words: Math.min(words, mostWords), rarest }
    })
  })
  return { size, covered }
}

/** Whether that is enough for one of them to be about what the query asks for. */
export const isEnough = ({ size, covered }: Evidence, { rarest, perSize, least }: FitLimits = FIT_LIMITS): boolean =>
  covered.some((hit) => hit.words + rarest * hit.rarest - perSize * Math.log(size) >= least)

interface Wanted {
  /** None where no tool has the word. */
  readonly term: number | undefined
  readonly near: readonly number[]
}

/** A single letter is what an apostrophe leaves behind. */
const wordsOf = ({ vocabulary }: Catalogue, text: string): readonly Wanted[] =>
  [...new Set(terms(splitWords(text), vocabulary.isWord))]
    .filter((term) => !/^[a-z]$/.test(term))
    .map((term) => ({ term: vocabulary.numberOf(term), near: vocabulary.neighboursOf(term) }))

const numbersOf = ({ vocabulary }: Catalogue, text: string): readonly number[] =>
  terms(splitWords(text), vocabulary.isWord).flatMap((term) => vocabulary.numberOf(term) ?? [])
