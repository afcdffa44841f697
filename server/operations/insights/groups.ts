// Nobody reads ten thousand sentences, and many of them are the same one in other words. Texts are compared as TF-IDF
// vectors of the letter groups inside their words (which forgives inflection, typing and language), and joined from the
// bottom up by average linkage (UPGMA, with the chain of nearest neighbours: Murtagh 1983), as long as groups are alike.
// No model, no chance: the same texts give the same groups. Time grows with the square of what is compared, so at most
// `SAMPLE` texts are, picked evenly; how many they were stands in the answer.
import { smallWords, stemOf, wordsOf } from './words.ts'

/** How many texts are compared at most. */
export const SAMPLE = 600

/** Groups whose members are on average less alike than this stay apart (cosine, 0 to 1). */
const ALIKE = 0.3

export interface Group<T> {
  /** The member that is most like all the others. */
  readonly typical: T
  /** In the order in which they were given. */
  readonly members: readonly T[]
}

export interface Groups<T> {
  /** Texts that were given. */
  readonly total: number
  /** Texts that were compared. */
  readonly compared: number
  /** The largest first. */
  readonly groups: readonly Group<T>[]
}

/** Groups texts by what they say. */
export function groupTexts<T extends { readonly text: string }>(given: readonly T[], sample = SAMPLE): Groups<T> {
  const items = evenly(given, sample)
  const alike = new Map<string, T[]>()
  for (const item of items) {
    const form = formOf(item.text)
    alike.set(form, [...(alike.get(form) ?? []), item])
  }
  const forms = [...alike.keys()]
  const members = [...alike.values()]
  const weights = members.map((group) => group.length)
  const likeness = cosines(forms)
  const groups = joined(likeness, weights)
    .flatMap((indexes): Group<T>[] => {
      const typical = members[typicalOf(indexes, likeness, weights)]?.[0]
      const own = new Set(indexes.flatMap((index) => members[index] ?? []))
      return typical === undefined ? [] : [{ typical, members: items.filter((item) => own.has(item)) }]
    })
    .toSorted((one, other) => other.members.length - one.members.length)
  return { total: given.length, compared: items.length, groups }
}

/** So many of them, the first and the last among them, in their order. */
export function evenly<T>(given: readonly T[], most: number): readonly T[] {
  if (given.length <= most) return given
  const step = (given.length - 1) / Math.max(1, most - 1)
  return Array.from({ length: most }, (_, at) => given[Math.round(at * step)]).filter((item) => item !== undefined)
}

/** What a text says without its numbers, small words and endings; texts of one form are one. */
const formOf = (text: string): string => {
  const words = wordsOf(text).map((word) => ({ word, stem: stemOf(word) }))
  const said = words.filter(({ stem }) => !smallWords.has(stem))
  return (said.length === 0 ? words : said).map(({ stem }) => stem).join(' ')
}

/** Letter groups of three inside padded words, and each word as a whole. */
function featuresOf(form: string): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (feature: string): void => void counts.set(feature, (counts.get(feature) ?? 0) + 1)
  for (const word of form.split(' ')) {
    const padded = Array.from(` ${word} `)
    for (let at = 0; at + 3 <= padded.length; at++) count(padded.slice(at, at + 3).join(''))
    count(`=${word}`)
  }
  return counts
}

/** Cosines of all pairs, row by row. */
function cosines(forms: readonly string[]): Float32Array {
  const size = forms.length
  const postings = new Map<string, { readonly document: number; readonly count: number }[]>()
  for (const [document, form] of forms.entries())
    for (const [feature, count] of featuresOf(form)) {
      const list = postings.get(feature)
      if (list === undefined) postings.set(feature, [{ document, count }])
      else list.push({ document, count })
    }
  const norms = new Float64Array(size)
  const dots = new Float32Array(size * size)
  for (const list of postings.values()) {
    const rarity = Math.log((1 + size) / (1 + list.length)) + 1
    const weighted = list.map(({ document, count }) => ({ document, weight: (1 + Math.log(count)) * rarity }))
    for (const [at, one] of weighted.entries()) {
      norms[one.document] = (norms[one.document] ?? 0) + one.weight ** 2
      for (let next = at + 1; next < weighted.length; next++) {
        const other = weighted[next]
        if (other === undefined) continue
        const cell = one.document * size + other.document
        dots[cell] = (dots[cell] ?? 0) + one.weight * other.weight
      }
    }
  }
  for (let row = 0; row < size; row++) {
    dots[row * size + row] = 1
    for (let column = row + 1; column < size; column++) {
      const cosine = (dots[row * size + column] ?? 0) / (Math.sqrt((norms[row] ?? 0) * (norms[column] ?? 0)) || 1)
      dots[row * size + column] = cosine
      dots[column * size + row] = cosine
    }
  }
  return dots
}

/** Average linkage: joins the two that are each other's nearest until no two are alike enough. */
function joined(likeness: Float32Array, weights: readonly number[]): readonly (readonly number[])[] {
  const size = weights.length
  const near = Float32Array.from(likeness)
  const heavy = Float64Array.from(weights)
  const groups: (number[] | undefined)[] = weights.map((_, index) => [index])
  const done = new Set<number>()
  const chain: number[] = []
  const at = (row: number, column: number): number => near[row * size + column] ?? 0
  for (;;) {
    if (chain.length === 0) {
      const start = groups.findIndex((group, index) => group !== undefined && !done.has(index))
      if (start < 0) return groups.filter((group) => group !== undefined)
      chain.push(start)
    }
    const here = chain.at(-1) ?? 0
    const before = chain.at(-2)
    // Of several that are equally near, the one that we came from: otherwise the chain could go in a circle.
    let best = before ?? -1
    for (let other = 0; other < size; other++)
      if (other !== here && groups[other] !== undefined && (best < 0 || at(here, other) > at(here, best))) best = other
    if (best < 0 || at(here, best) < ALIKE) {
      // Its nearest is too far, and with average linkage nothing that is joined later comes nearer.
      chain.pop()
      done.add(here)
      continue
    }
    if (best !== before) {
      chain.push(best)
      continue
    }
    chain.length -= 2
    const [into, from] = here < best ? [here, best] : [best, here]
    const [left, right] = [heavy[into] ?? 0, heavy[from] ?? 0]
    for (let other = 0; other < size; other++) {
      const mean = (left * at(into, other) + right * at(from, other)) / (left + right)
      near[into * size + other] = mean
      near[other * size + into] = mean
    }
    heavy[into] = left + right
    groups[into]?.push(...(groups[from] ?? []))
    groups[from] = undefined
    done.delete(into)
  }
}

function typicalOf(indexes: readonly number[], likeness: Float32Array, weights: readonly number[]): number {
  const size = weights.length
  let typical = indexes[0] ?? 0
  let most = -1
  for (const one of indexes.toSorted((left, right) => left - right)) {
    const sum = indexes.reduce((total, other) => total + (weights[other] ?? 0) * (likeness[one * size + other] ?? 0), 0)
    if (sum > most + 1e-6) [typical, most] = [one, sum]
  }
  return typical
}
