// A common word gives half of a large catalogue a score. Sorting it all would cost more than scoring it, and nobody
// reads past the first page.

/**
 * The places of the highest positive scores, highest first; of equal scores the lower `place` comes first. One pass:
 * what is no better than the last of a full list is dropped at once.
 */
export function best(
  scores: Float64Array,
  count: number,
  place: Uint32Array,
  wanted: (at: number) => boolean,
): readonly number[] {
  const kept: number[] = []
  const before = (a: number, b: number): boolean =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && place[a]! < place[b]!)
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! <= 0) continue
    const full = kept.length === count
    if ((full && (count === 0 || !before(at, kept[count - 1]!))) || !wanted(at)) continue
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(at, kept[middle]!)) high = middle
      else low = middle + 1
    }
    if (full) kept.pop()
    kept.splice(low, 0, at)
  }
  return kept
}
