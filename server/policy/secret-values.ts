// Where a value begins and ends that stands behind a name, in whatever quotes and escapes.

/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text to look through: as it is, and as it reads (`readable`), of one length. */
export interface Looked {
  readonly text: string
  readonly shown: string
}

/** Longer ones are hidden up to here, and with what follows on the line. */
const longestValue = 8000

const blanks = /[ \t]*/y
const scheme = /(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+/iy
/** Signs that may end a value are a part of it where it goes on behind them, and not with the next name. */
const bare = /(?:[^\s,;'"`&)}\]<>|]|[,;'"`&)}\]<>|](?=[\p{L}\p{N}!#$%^*+_@~?=])(?![\w. -]{1,30}[=:"']))+/uy
const line = /digest [^\r\n]{1,400}|[^\r\n"'`<>]{1,400}/iy
/** Of a string: `b'…'`, `f"…"`, `N'…'`, `@"…"`. */
const prefix = /(?:[NEx@bBfFrRuU]|[rRbBfF]{2})(?=['"])/y
const block = /[|>][+-]?[ \t]*\n[ \t]+/y

/** Where a sticky pattern ends that begins here; `at` where it does not match. */
export function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/**
 * Where the first group that took part stands, in every match of a pattern with the flags `d` and `g`. Not by `matchAll`,
 * which copies the pattern each time: most texts are short and match nothing.
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

/** How many backslashes stand before a place: a quote ends with the quote that is escaped as it is. */
function level(text: string, at: number): number {
  let count = 0
  while (count < 20 && text[at - 1 - count] === '\\') count++
  return count
}

/** The value that begins here, without its quotes. `whole`: it may have blanks and goes to the end of its line. */
export function valueAt({ text, shown }: Looked, from: number, whole = false): Span | undefined {
  let at = after(blanks, shown, from)
  const isBlock = after(block, shown, at) > at
  at = after(block, shown, at)
  at = after(prefix, shown, at)
  const quote = shown[at] ?? ''
  // A prompt ends here: `read -p 'Password: ' NAME`.
  if (/["'`]/.test(quote) && /[\s),;\]}>]|$/y.test(shown[at + 1] ?? '') && opens(shown, from, quote)) return undefined
  if (/["'`]/.test(quote)) return quoted({ text, shown }, at, quote)
  if (whole || isBlock) return spanOf(at, after(line, shown, at))
  at = after(scheme, shown, at)
  return spanOf(at, bareEnd(shown, at))
}

/** The last value without quotes that was read: another one that begins within it has the same end. */
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

const spanOf = (start: number, end: number): Span | undefined => (end > start ? { start, end } : undefined)

/** What stands between this quote and the one that closes it; up to the end of the line where none does. */
function quoted({ text, shown }: Looked, at: number, quote: string): Span | undefined {
  const depth = level(text, at)
  const start = after(scheme, shown, at + 1)
  for (let end = shown.indexOf(quote, at + 1); end >= 0 && end - at < longestValue; end = shown.indexOf(quote, end + 1))
    if (level(text, end) <= depth) return spanOf(start, end - level(text, end))
  const broken = shown.slice(at + 1, at + 1 + longestValue).search(/[\r\n]/)
  return spanOf(start, broken < 0 ? Math.min(shown.length, at + longestValue) : at + 1 + broken)
}
