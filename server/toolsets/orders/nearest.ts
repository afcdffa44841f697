// "DESK-1 does not exist" makes an agent guess; "did you mean DESK-01?" does not.

/** Number of single-character edits between two words, case ignored. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Up to three of the known words that are close to what was written, the closest first. */
export function nearest(written: string, known: readonly string[]): string[] {
  const word = written.slice(0, 80).toLowerCase()
  const limit = Math.max(2, Math.ceil(word.length / 3))
  return known
    .map((candidate) => ({ candidate, edits: distance(word, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
