// Where a value behind a name begins and ends, in whatever quotes and escapes.

/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text to search: as it is, and with its escapes resolved (`readable`), at the same length. */
export interface SearchedText {
  readonly text: string
  readonly shown: string
}

/** Of a value, in characters. A longer one is cut here, or where its line ends. */
const longestValue = 8000

const blanks = /[ \t]*/y
const scheme = /(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+/iy
/** A value without quotes. Punctuation is a part of it where more of the value follows, and not another name. */
const bare = /(?:[^\s,;'"`&)}\]<>|]|[,;'"`&)}\]<>|](?=[\p{L}\p{N}!#$%^*+_@~?=])(?![\w. -]{1,30}[=:"']))+/uy
const line = /digest [^\r\n]{1,400}|[^\r\n"'`<>]{1,400}/iy
/** The prefix of a string literal: `b'…'`, `f"…"`, `N'…'`, `@"…"`. */
const prefix = /(?:[NEx@bBfFrRuU]|[rRbBfF]{2})(?=['"])/y
const block = /[|>][+-]?[ \t]*\n[ \t]+/y

/** Where the match of a sticky pattern at `at` ends; `at` where it does not match. */
export function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/**
 * The span of the first group that matched, in every match of a pattern with the flags `d` and `g`. Without `matchAll`, which
 * copies the pattern each time, while most texts are short and match nothing.
 */
export function groupSpans(text: string, pattern: RegExp): readonly Span[] {
  const spans: Span[] = []
  pattern.lastIndex = 0
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    const at = (hit.indices ?? []).slice(1).find((each) => each !== undefined)
    if (at !== undefined) spans.push({ start: at[0], end: at[1] })
  }
  return spans
}

/** How many backslashes precede a place: a closing quote is escaped like its opening one. */
function level(text: string, at: number): number {
  let count = 0
  while (count < 20 && text[at - 1 - count] === '\\') count++
  return count
}

/** The value that begins here, without its quotes. `whole`: it may contain blanks, up to the end of its line. */
export function valueAt({ text, shown }: SearchedText, from: number, whole = false): Span | undefined {
  let at = after(blanks, shown, from)
  const isBlock = after(block, shown, at) > at
  at = after(block, shown, at)
  at = after(prefix, shown, at)
  const quote = shown[at] ?? ''
  // The quote closes a prompt: `read -p 'Password: ' NAME`.
  if (/["'`]/.test(quote) && /[\s),;\]}>]|$/y.test(shown[at + 1] ?? '') && opens(shown, from, quote)) return undefined
  if (/["'`]/.test(quote)) return quoted({ text, shown }, at, quote)
  if (whole || isBlock) return spanTo(at, after(line, shown, at))
  at = after(scheme, shown, at)
  return spanTo(at, bareEnd(shown, at))
}

/** The last value without quotes: another one that begins within it has the same end. */
let run = { text: '', from: 0, end: 0 }

function bareEnd(text: string, at: number): number {
  if (run.text !== text || at < run.from || at >= run.end) run = { text, from: at, end: after(bare, text, at) }
  return run.end
}

/** Whether this quote was opened before on the same line. */
function opens(shown: string, at: number, quote: string): boolean {
  const before = shown.slice(Math.max(0, at - 200), at)
  return before.slice(before.lastIndexOf('\n') + 1).split(quote).length % 2 === 0
}

/** `undefined` for an empty span. */
export const spanTo = (start: number, end: number): Span | undefined => (end > start ? { start, end } : undefined)

/** The text up to the closing quote, or up to the end of the line where there is none. */
function quoted({ text, shown }: SearchedText, at: number, quote: string): Span | undefined {
  const depth = level(text, at)
  const start = after(scheme, shown, at + 1)
  for (let end = shown.indexOf(quote, at + 1); end >= 0 && end - at < longestValue; end = shown.indexOf(quote, end + 1))
    if (level(text, end) <= depth) return spanTo(start, end - level(text, end))
  const broken = shown.slice(at + 1, at + 1 + longestValue).search(/[\r\n]/)
  return spanTo(start, broken < 0 ? Math.min(shown.length, at + longestValue) : at + 1 + broken)
}
