// "ignore … previous … instructions": words that stand near each other say what none of them says alone. A regular
// expression for that tries every combination; here each list of words is found once, and what follows what is read off
// their places, so that a text costs one pass for each list.

/** Words, and how many characters may stand between the words before and these. */
export interface Step {
  /** Global, and linear by itself: words, no quantifier over what another one may take. */
  readonly words: RegExp
  readonly within: number
}

/** Whether the steps stand in a text one after the other, each near enough to the one before. */
export function chained(text: string, steps: readonly Step[]): boolean {
  /** Where a chain of the steps so far may end; before the first step that is anywhere. */
  let ends: readonly number[] | undefined
  for (const { words, within } of steps) {
    const found = [...text.matchAll(words)]
    ends = ends === undefined ? found.map(endOf) : found.filter(near(ends, within)).map(endOf)
  }
  return ends !== undefined && ends.length > 0
}

const endOf = ({ index, 0: found }: RegExpExecArray): number => index + found.length

/** Whether a place lies at most so far behind the last of these ends before it. Asked from the left to the right, once. */
function near(ends: readonly number[], within: number): (place: RegExpExecArray) => boolean {
  let passed = 0
  return ({ index }) => {
    while (passed < ends.length && (ends[passed] ?? 0) <= index) passed++
    const last = ends[passed - 1]
    return last !== undefined && index - last <= within
  }
}
