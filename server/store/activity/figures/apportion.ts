/** Deals at most `most` out in proportion to the counts, to nobody more than they have (largest remainders). */
export const apportion = (counts: readonly number[], most: number): readonly number[] => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= most) return counts
  const exact = counts.map((count) => (count * most) / total)
  const shares = exact.map(Math.floor)
  const left = most - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.at - other.at)
  for (const { at } of byRemainder.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}
