// How sure a difference between two shares is. Newcombe's hybrid score interval (R. G. Newcombe, "Interval estimation for the
// difference between independent proportions", Statistics in Medicine 17, 1998, method 10): Wilson's intervals of the two
// shares, put together. It never leaves -1 to 1 and is usable for few calls and for shares of none or all, where the
// textbook's interval is empty.

/** So many of so many; whole numbers, `hits` at most `of`. */
export interface Share {
  readonly hits: number
  readonly of: number
}

/** A difference of two shares, -1 to 1, and between what it lies in 95 of 100 cases. */
export interface Difference {
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** The normal distribution has 95 % of its weight between minus and plus this. */
const Z = 1.959963984540054

/** Share of `one` minus share of `other`; `undefined` where one of them is of nothing. */
export function differenceOf(one: Share, other: Share): Difference | undefined {
  if (one.of === 0 || other.of === 0) return undefined
  const [p, q] = [one.hits / one.of, other.hits / other.of]
  const [ofOne, ofOther] = [wilson(one), wilson(other)]
  const difference = p - q
  return {
    difference,
    low: Math.max(-1, difference - Math.hypot(p - ofOne.low, ofOther.high - q)),
    high: Math.min(1, difference + Math.hypot(ofOne.high - p, q - ofOther.low)),
  }
}

/** Wilson's score interval of one share. */
function wilson({ hits, of }: Share) {
  const share = hits / of
  const around = 1 + Z ** 2 / of
  const middle = (share + Z ** 2 / (2 * of)) / around
  const half = (Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))) / around
  return { low: Math.min(share, middle - half), high: Math.max(share, middle + half) }
}
