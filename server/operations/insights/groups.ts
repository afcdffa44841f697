// Groups of similar texts, because nobody reads ten thousand sentences and many of them are the same one in other words.
// Texts are compared by the search index; each joins the group that it is most like on average, or begins one, the most
// frequent text first. No model, no chance: the same texts give the same groups. Time grows with the square of what is
// compared, so at most `SAMPLE` texts are, picked evenly; the answer says how many.
import { createTextLikeness } from '../../search/text-likeness.ts'
import { splitWords } from '../../search/words.ts'

/** Texts that are compared at most. */
export const SAMPLE = 600

/** Groups whose members are on average less alike than this stay apart (0 to 1). */
const ALIKE = 0.25

export interface Group<T> {
  /** The member that is most like all the others. */
  readonly typical: T
  /** In the order in which they were given. */
  readonly members: readonly T[]
}

/** Groups texts by what they say, the largest group first. */
export function groupTexts<T extends { readonly text: string }>(given: readonly T[]) {
  const items = evenly(given, SAMPLE)
  const copies = [...Map.groupBy(items, ({ text }) => formOf(text))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const likeness = createTextLikeness(copies.map(([form]) => form))
  const copiesOf = (form: number): readonly T[] => copies[form]?.[1] ?? []
  /** The likeness of a form to each text of a group, summed. */
  const sum = (group: readonly number[], form: number): number =>
    group.reduce((total, other) => total + copiesOf(other).length * likeness(form, other), 0)
  const groups: number[][] = []
  for (const form of copies.keys()) {
    const mean = (group: readonly number[]): number => sum(group, form) / group.flatMap(copiesOf).length
    const nearest = largest(groups, mean)
    if (nearest !== undefined && mean(nearest) >= ALIKE) nearest.push(form)
    else groups.push([form])
  }
  return {
    total: given.length,
    compared: items.length,
    groups: groups
      .flatMap((group): Group<T>[] => {
        const [typical] = copiesOf(largest(group, (form) => sum(group, form)) ?? -1)
        const own = new Set(group.flatMap(copiesOf))
        return typical === undefined ? [] : [{ typical, members: items.filter((item) => own.has(item)) }]
      })
      .toSorted((one, other) => other.members.length - one.members.length),
  }
}

/** The one with the largest value, the first of equals; `undefined` of none. */
function largest<T>(of: readonly T[], value: (one: T) => number): T | undefined {
  let [found] = of
  let most = -Infinity
  for (const one of of) {
    const own = value(one)
    if (own > most) [found, most] = [one, own]
  }
  return found
}

/** An even sample of at most `most`, the first and the last included, in their order. */
export function evenly<T>(given: readonly T[], most: number): readonly T[] {
  if (given.length <= most) return given
  const step = (given.length - 1) / Math.max(1, most - 1)
  return Array.from({ length: most }, (_, at) => given[Math.round(at * step)]).filter((item) => item !== undefined)
}

/** The words of a text without its numbers: texts that differ in nothing else are compared once. */
const formOf = (text: string): string => splitWords(text.replace(/\p{N}+/gu, ' ')).join(' ')
