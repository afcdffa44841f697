// What stays, what goes, what comes, between two sequences: words, lines, members of a list. Longest common subsequence
// by the plain table; where that would take too long for a card, everything between the common ends is replaced.

/** `-` goes, `+` comes, empty stays. */
export type Piece = readonly [sign: '' | '-' | '+', items: readonly string[]]

const MOST = 400_000

/** Runs of items of the same fate, in order; what goes stands before what comes. */
export const compare = (a: readonly string[], b: readonly string[]): readonly Piece[] => {
  const out: [Piece[0], string[]][] = []
  const put = (sign: Piece[0], item: string): void => {
    const last = out.at(-1)
    if (last?.[0] === sign) last[1].push(item)
    else out.push([sign, [item]])
  }
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) put('', a[from++] as string)
  let [endA, endB] = [a.length, b.length]
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1]
  const wide = endB - from + 1
  const fits = (endA - from + 1) * wide <= MOST
  const best = new Uint32Array(fits ? (endA - from + 1) * wide : 0)
  const at = (i: number, j: number): number => (i - from) * wide + j - from
  if (fits)
    for (let i = endA - 1; i >= from; i--)
      for (let j = endB - 1; j >= from; j--)
        best[at(i, j)] =
          a[i] === b[j]
            ? (best[at(i + 1, j + 1)] as number) + 1
            : Math.max(best[at(i + 1, j)] as number, best[at(i, j + 1)] as number)
  let [i, j] = [from, from]
  while (i < endA || j < endB) {
    if (i < endA && j < endB && fits && a[i] === b[j]) {
      put('', a[i++] as string)
      j++
    } else if (i < endA && (j === endB || !fits || (best[at(i + 1, j)] as number) >= (best[at(i, j + 1)] as number)))
      put('-', a[i++] as string)
    else put('+', b[j++] as string)
  }
  for (; endA < a.length; endA++) put('', a[endA] as string)
  return out
}
