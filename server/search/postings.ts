// Where each term occurs and what it weighs there. Documents are counted one after the other, and a query asks by term; the
// turn from one to the other is made once, into arrays of numbers.

/** By term, from `starts[term]` to `starts[term + 1]`: in which documents it is, in their order. */
export interface Postings {
  readonly starts: Uint32Array
  readonly document: Uint32Array
  readonly weight: Float64Array
  /** What the term is marked with in that document. */
  readonly mark: Uint8Array
}

/** Counts the terms of documents, of which there are so many. */
export function createPostings(terms: number) {
  const weights = new Float64Array(terms)
  const marks = new Uint8Array(terms)
  const counted: number[] = []
  const all = { document: [] as number[], term: [] as number[], weight: [] as number[], mark: [] as number[] }
  return {
    /** Adds a positive weight to a term of the document that is being counted; of its marks the highest counts. */
    add(term: number, weight: number, mark = 0): void {
      if (weights[term] === 0) counted.push(term)
      weights[term]! += weight
      if (mark > marks[term]!) marks[term] = mark
    },
    /** Ends a document. */
    end(document: number, worth: (weight: number) => number = (weight) => weight): void {
      for (const term of counted) {
        all.document.push(document)
        all.term.push(term)
        all.weight.push(worth(weights[term]!))
        all.mark.push(marks[term]!)
        weights[term] = 0
        marks[term] = 0
      }
      counted.length = 0
    },
    /** What was counted, by term. */
    byTerm(): Postings {
      const starts = new Uint32Array(terms + 1)
      for (const term of all.term) starts[term + 1]!++
      for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!
      const next = starts.slice()
      const size = all.term.length
      const postings = {
        starts,
        document: new Uint32Array(size),
        weight: new Float64Array(size),
        mark: new Uint8Array(size),
      }
      for (let i = 0; i < size; i++) {
        const at = next[all.term[i]!]!++
        postings.document[at] = all.document[i]!
        postings.weight[at] = all.weight[i]!
        postings.mark[at] = all.mark[i]!
      }
      return postings
    },
  }
}

/** In how many documents a term is. */
export const documentsWith = ({ starts }: Postings, term: number): number => starts[term + 1]! - starts[term]!

/** What a term is marked with in a document; −1 where it is not in it. */
export function markIn({ starts, document, mark }: Postings, term: number, wanted: number): number {
  let [low, high] = [starts[term]!, starts[term + 1]!]
  while (low < high) {
    const middle = (low + high) >> 1
    if (document[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low < starts[term + 1]! && document[low] === wanted ? mark[low]! : -1
}
