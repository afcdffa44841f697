// Where marked values stand in a text, in each form in which they get into one. A call may have tens of thousands of them, and its
// record thousands of texts, so a text is gone through once, whatever the number of values.

/** Shorter values stand in other words by chance; they are hidden where they are the whole of what is said. */
const shortestPart = 4
/** Forms of a long value take time to make, and most texts are shorter than any of them. */
const longText = 1000

/** From where to where something stands in a text. */
export type Span = readonly [from: number, to: number]

/** Finds these values: spans in their order, of which none overlaps another. */
export function seeking(values: ReadonlySet<string>): (text: string) => readonly Span[] {
  const [parts, words] = [[...values].filter(isPart), [...values].filter((value) => !isPart(value))]
  const wholeAt = wholes(words.map(escaped))
  let inShort: LengthAt | undefined
  let inLong: LengthAt | undefined
  return (text) => {
    const partAt =
      text.length < longText
        ? (inShort ??= indexed(parts.filter((value) => leastOf(value) < longText).flatMap(formsOf)))
        : (inLong ??= indexed(parts.flatMap(formsOf)))
    return spansIn(text, (at) => Math.max(partAt(text, at), wholeAt(text, at)))
  }
}

/** How much of a text from here on is a value; 0 where none begins. */
type LengthAt = (text: string, at: number) => number

const isPart = ({ length }: string): boolean => length >= shortestPart

/** Values that overlap are one span: what is left of the one would say what the other was. */
function spansIn(text: string, lengthAt: (at: number) => number): readonly Span[] {
  const spans: Span[] = []
  let [from, to] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const length = lengthAt(at)
    if (length === 0) continue
    if (at >= to) {
      if (to > from) spans.push([from, to])
      from = at
    }
    to = Math.max(to, at + length)
  }
  return to > from ? [...spans, [from, to]] : spans
}

/** The longest of these forms that begins at a place: looked up by its first characters, then among those that begin with them. */
function indexed(given: readonly string[]): LengthAt {
  const forms = [...new Set(given)].toSorted()
  const longest = forms.reduce((most, { length }) => Math.max(most, length), 0)
  const within = beginnings(forms)
  const begins = new Map<string, { readonly from: number; to: number }>()
  for (const [at, form] of forms.entries()) {
    const first = form.slice(0, shortestPart)
    const known = begins.get(first)
    if (known === undefined) begins.set(first, { from: at, to: at + 1 })
    else known.to = at + 1
  }
  return (text, at) => {
    const among = begins.get(text.slice(at, at + shortestPart))
    if (among === undefined) return 0
    const rest = text.slice(at, at + longest)
    let [low, high] = [among.from, among.to]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((forms[middle] ?? '') <= rest) low = middle + 1
      else high = middle
    }
    // Whatever the text goes on with is the last form that is not behind it, or a beginning of that.
    for (let last = low - 1; last >= among.from; last = within[last] ?? -1) {
      const form = forms[last] ?? ''
      if (rest.startsWith(form)) return form.length
    }
    return 0
  }
}

/** Of each of these sorted forms: at which place the longest other one stands with which it begins, or -1. */
function beginnings(forms: readonly string[]): readonly number[] {
  const open: number[] = []
  return forms.map((form, at) => {
    while (open.length > 0 && !form.startsWith(forms[open.at(-1) ?? 0] ?? '')) open.pop()
    const longest = open.at(-1) ?? -1
    open.push(at)
    return longest
  })
}

const afterColon = /"\s?:\s?$/
const closesText = /\\*"/y
const closesMember = /\s*[,}]/y

/** Short values where they are the whole of a text, or of a member, of JSON that a tool has written itself. */
function wholes(words: readonly string[]): LengthAt {
  const sought = new Set(words)
  const lengths = [...new Set(words.map(({ length }) => length))].toSorted((a, b) => b - a)
  if (words.length === 0) return () => 0
  const ends = (pattern: RegExp, text: string, at: number): boolean => {
    pattern.lastIndex = at
    return pattern.test(text)
  }
  return (text, at) => {
    const before = text[at - 1]
    const isText = before === '"'
    if (
      !isText &&
      (before === undefined || !/[:\s]/.test(before) || !afterColon.test(text.slice(Math.max(0, at - 4), at)))
    )
      return 0
    const closes = isText ? closesText : closesMember
    return lengths.find((length) => sought.has(text.slice(at, at + length)) && ends(closes, text, at + length)) ?? 0
  }
}

/** An address leaves out some characters that are not seen. */
const leastOf = (value: string): number => value.replace(/[\0- ]/g, '').length

/** A value as it may stand in a line: as it is, in JSON, in JSON inside of JSON, and in an address or a form. */
function formsOf(value: string): readonly string[] {
  // Nothing writes these otherwise.
  if (/^[\w*.-]+$/.test(value)) return [value]
  const once = escaped(value)
  const encoded = [encodeURIComponent, encodeURI, inForm, inAddress].map((encode) => attempt(encode, value))
  const lower = encoded.map((text) => text.replace(/(?:%[\dA-F]{2})+/g, (each) => each.toLowerCase()))
  return [value, once, escaped(once), ...encoded, ...lower].filter(isPart)
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const inForm = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)

const inAddress = (text: string): string => new URL(`https://x/?${text}`).href.slice('https://x/?'.length)

/** Half a surrogate pair cannot be encoded. */
function attempt(encode: (text: string) => string, text: string): string {
  try {
    return encode(text)
  } catch {
    return text
  }
}
