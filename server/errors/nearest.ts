// "Did you mean …?": names that a model remembers or a person types are more often one letter wrong than a whole word.

/**
 * Up to `limit` names within a third of their length, by Levenshtein distance; nearest first, equals by name. That of `except`
 * is none of them.
 */
export function nearest(name: string, known: Iterable<string>, limit = 3, except?: string): readonly string[] {
  if (name.length > 100) return []
  const wanted = name.toLowerCase()
  const letters = lettersOf(wanted)
  const near: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of known) {
    const most = mostOff(candidate.length)
    if (Math.abs(candidate.length - name.length) > most || candidate === except) continue
    const text = candidate.toLowerCase()
    if (isFar(letters, lettersOf(text), most)) continue
    const distance = distanceWithin(wanted, text, most)
    if (distance <= most) near.push({ candidate, distance })
  }
  return near
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Names that others are compared with again and again: what is cheap to compare of each is laid out once, side by side. */
export class Vocabulary {
  readonly names: readonly string[]
  readonly #all: ReadonlySet<string>
  readonly #lengths: Uint8Array
  readonly #letters: Int32Array

  constructor(names: readonly string[]) {
    this.names = names
    this.#all = new Set(names)
    this.#lengths = Uint8Array.from(names, ({ length }) => length)
    this.#letters = Int32Array.from(names, (name) => lettersOf(name.toLowerCase()))
  }

  has(name: string): boolean {
    return this.#all.has(name)
  }

  /** Those that `nearest` may answer for a name, and few others. */
  likely(name: string): readonly string[] {
    const found: string[] = []
    const letters = lettersOf(name.toLowerCase())
    for (let at = 0; at < this.names.length; at++) {
      const length = this.#lengths[at] ?? 0
      const most = mostOff(length)
      if (Math.abs(length - name.length) <= most && !isFar(letters, this.#letters[at] ?? 0, most))
        found.push(this.names[at] ?? '')
    }
    return found
  }
}

/** So many letters of a name may be wrong. */
const mostOff = (length: number): number => Math.max(2, Math.floor(length / 3))

/** Each letter that only one of two names has is one that differs: most names are told apart by that alone. */
const isFar = (letters: number, others: number, most: number): boolean =>
  bitsOf(letters & ~others) > most || bitsOf(others & ~letters) > most

/** A bit for each letter, which some share. */
function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}

function bitsOf(bits: number): number {
  let [left, count] = [bits, 0]
  for (; left !== 0; left &= left - 1) count++
  return count
}

/** Levenshtein's distance, or some number above `most` where it is more. */
function distanceWithin(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  let next = [...row]
  for (let i = 1; i <= a.length; i++) {
    next[0] = i
    let least = i
    const letter = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1)
      const value = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next[j] = value
      if (value < least) least = value
    }
    if (least > most) return least
    ;[row, next] = [next, row]
  }
  return row[b.length] ?? 0
}
