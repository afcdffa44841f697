// The words of thousands of tools are few, and each is said thousands of times. So what a piece of text becomes is worked
// out once, and from then on a word is a number, by which tables are arrays of numbers instead of maps of texts.
import { neighboursOf } from './thesaurus.ts'
import { isStopWord, piecesOf, SHORTEST_JOINED, stem, wordsIn } from './words.ts'

/** A term is a word without its ending; its number is its place in tables. */
export interface Vocabulary {
  readonly size: number
  /** The number of a term that some text has. */
  readonly numberOf: (term: string) => number | undefined
  /** The numbers of those that mean nearly the same. */
  readonly neighboursOf: (term: string) => readonly number[]
  /** Whether some text has this word, with its ending. */
  readonly isWord: (word: string) => boolean
}

/** Lists of numbers, one after the other in one array. */
export interface Lists {
  /** Where each list begins, and at last where the last one ends. */
  readonly starts: Uint32Array
  readonly items: Uint32Array
}

/** Reads texts as lists of terms, stop words gone and neighbours joined as `terms` does it. */
export function readTexts(texts: Iterable<string>): { readonly vocabulary: Vocabulary; readonly lists: Lists } {
  const words = new Map<string, number>()
  const numberOfWord = (word: string): number => {
    const known = words.get(word) ?? words.size
    if (known === words.size) words.set(word, known)
    return known
  }
  const pieces = new Map<string, readonly number[]>()
  const said: number[] = []
  const ends: number[] = []
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      let numbers = pieces.get(piece)
      if (numbers === undefined) pieces.set(piece, (numbers = wordsIn(piece).map(numberOfWord)))
      for (const number of numbers) said.push(number)
    }
    ends.push(said.length)
  }

  const numbers = new Map<string, number>()
  const numberOfTerm = (word: string): number => {
    const term = stem(word)
    const known = numbers.get(term) ?? numbers.size
    if (known === numbers.size) numbers.set(term, known)
    return known
  }
  const all = copied([...words.keys()])
  const termOf = Int32Array.from(all, (word) => (isStopWord(word) ? -1 : numberOfTerm(word)))
  const joinedWith = joins(words)

  const items: number[] = []
  const starts = new Uint32Array(ends.length + 1)
  let at = 0
  ends.forEach((end, list) => {
    for (; at < end; at++) {
      const word = said[at]!
      if (termOf[word]! >= 0) items.push(termOf[word]!)
      const joined = at + 1 < end ? joinedWith[word]?.get(said[at + 1]!) : undefined
      if (joined !== undefined) items.push(numberOfTerm(all[joined]!))
    }
    starts[list + 1] = items.length
  })

  return { vocabulary: createVocabulary(numbers, new Set(all)), lists: { starts, items: Uint32Array.from(items) } }
}

/** A function of its own: one that is made among the words of all texts would keep them. */
const createVocabulary = (numbers: ReadonlyMap<string, number>, words: ReadonlySet<string>): Vocabulary => ({
  size: numbers.size,
  numberOf: (term) => numbers.get(term),
  neighboursOf: (term) => [...neighboursOf(term)].flatMap((near) => numbers.get(near) ?? []),
  isWord: (word) => words.has(word),
})

/** A piece of a text may be a window into it that keeps the whole text in memory. */
const copied = (texts: readonly string[]): readonly string[] => JSON.parse(JSON.stringify(texts)) as string[]

/** By the first of two words the second ones with which it makes a third. */
function joins(words: ReadonlyMap<string, number>): readonly (ReadonlyMap<number, number> | undefined)[] {
  const found: (Map<number, number> | undefined)[] = []
  for (const [word, number] of words) {
    if (word.length < SHORTEST_JOINED) continue
    for (let cut = 1; cut < word.length; cut++) {
      const first = words.get(word.slice(0, cut))
      const second = first === undefined ? undefined : words.get(word.slice(cut))
      if (first === undefined || second === undefined) continue
      ;(found[first] ??= new Map()).set(second, number)
    }
  }
  return found
}
