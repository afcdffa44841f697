// How alike texts are that say something for themselves, by the same index that finds tools: words weigh what their rarity
// among these texts says, endings are forgiven, and scripts without blanks are compared by pairs of characters.
import { createCatalogue } from './catalogue.ts'
import { createScorer } from './score.ts'
import { WEIGHTS } from './weights.ts'

/** Texts belong to no server, and so to none that fits better than another. */
const OF_TEXTS = { ...WEIGHTS, serverFit: 0 }

/** Compares texts with each other. Answers how alike two of them are, by their places: 0 to 1, the same both ways. */
export function createTextLikeness(texts: readonly string[]): (one: number, other: number) => number {
  const entries = texts.map((description) => ({ name: '', server: '', description, inputSchema: {} }))
  const score = createScorer(createCatalogue(entries, OF_TEXTS), OF_TEXTS)
  const scores = texts.map((text) => {
    const row = new Float64Array(texts.length)
    score(text, row)
    return row
  })
  // What one text finds of another, in relation to what it finds of itself.
  const share = (one: number, other: number): number =>
    Math.min(1, (scores[one]?.[other] ?? 0) / (scores[one]?.[one] || 1))
  return (one, other) => Math.sqrt(share(one, other) * share(other, one))
}
