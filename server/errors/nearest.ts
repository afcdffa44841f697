// "Did you mean …?": names that a model remembers or a person types are more often one letter wrong than a whole word.

/** Up to `limit` names within a third of their length, by Levenshtein distance; nearest first, equals by name. */
export function nearest(name: string, known: Iterable<string>, limit = 3): readonly string[] {
  if (name.length > 100) return []
  const wanted = name.toLowerCase()
  const near: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of known) {
    const most = Math.max(2, Math.floor(candidate.length / 3))
    // So many letters too many or too few are at least so many that differ.
    if (Math.abs(candidate.length - name.length) > most) continue
    const distance = distanceWithin(wanted, candidate.toLowerCase(), most)
    if (distance <= most) near.push({ candidate, distance })
  }
  return near
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
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
