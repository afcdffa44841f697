// Names of fields, of tools and of clients come back with every call, and so does a reason that stands in it three times. What a
// pure function has said of such a text is remembered for a while.

interface Bounds<T> {
  /** In characters: longer texts hardly come back. */
  readonly longest: number
  /** Texts of which it remembers at least the last so many, and at most twice as many. */
  readonly most: number
  /** Whether an answer may be kept; all are when absent. */
  readonly keeps?: (answer: T, text: string) => boolean
}

/** A pure function of texts that remembers what it has answered lately. */
export function remembered<T extends {}>(
  work: (text: string) => T,
  { longest, most, keeps = () => true }: Bounds<T>,
): (text: string) => T {
  let recent = new Map<string, T>()
  let earlier = new Map<string, T>()

  function keep(text: string, answer: T): void {
    if (recent.size >= most) {
      earlier = recent
      recent = new Map()
    }
    recent.set(text, answer)
  }

  return (text) => {
    if (text.length > longest) return work(text)
    const known = recent.get(text)
    if (known !== undefined) return known
    const before = earlier.get(text)
    const answer = before ?? work(text)
    if (before !== undefined) keep(text, answer)
    else if (keeps(answer, text)) keep(detached(text), answer)
    return answer
  }
}

/** A copy. V8 keeps the whole of a text of which a part was cut out, for as long as the part lives. */
const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
