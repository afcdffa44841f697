// JSON text cut to limits before it is parsed: two megabytes can hold a million nested lists, and parsing them alone takes half
// a second in which nobody else is answered. What remains is valid JSON and contains the place that is past the limit.

export interface JsonLimits {
  /** Values, nested ones included. */
  readonly values: number
  /** How deep lists and objects may be nested. */
  readonly levels: number
}

interface Span {
  readonly start: number
  readonly end: number
}

interface CutText {
  /** JSON, if the text was: it ends before the first value that is too many, and has `null` for what is too deep. */
  readonly text: string
  readonly over: keyof JsonLimits
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const isOpener = (unit: number): boolean => unit === 0x5b || unit === 0x7b
const isCloser = (unit: number): boolean => unit === 0x5d || unit === 0x7d
/** RFC 8259, section 2. */
const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09

/** The part of a JSON text that is within the limits, in one pass; `undefined` where all of it is. */
export function cutJson(text: string, limits: JsonLimits): CutText | undefined {
  const open: string[] = []
  let values = 1
  let kept = ''
  let from = 0
  let deep = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfString(text, at)
    else if (isCloser(unit)) open.pop()
    else if (unit === comma) values++
    else if (isOpener(unit)) {
      if (open.length >= limits.levels) {
        deep = true
        kept += `${text.slice(from, at)}null`
        at = endOfNest(text, at)
        from = at + 1
        continue
      }
      open.push(unit === 0x7b ? '}' : ']')
      if (!isCloser(text.charCodeAt(afterSpace(text, at + 1)))) values++
    } else continue
    if (values > limits.values)
      return {
        text: kept + text.slice(from, unit === comma ? at : at + 1) + open.toReversed().join(''),
        over: deep ? 'levels' : 'values',
      }
  }
  return deep ? { text: kept + text.slice(from), over: 'levels' } : undefined
}

/**
 * Where the value under these keys begins and ends in the text of an object of any size. `undefined` where it is not there,
 * or where an object on the way has more than a hundred members before it.
 */
export function spanOf(text: string, keys: readonly string[]): Span | undefined {
  let [start, end] = [afterSpace(text, 0), text.length]
  for (const key of keys) {
    const found = memberOf(text, start, key)
    if (found === undefined) return undefined
    ;[start, end] = [found.start, found.end]
  }
  return { start, end }
}

const mostMembers = 100

/** The value of a member of an object that begins at `object`; of two with one name the later, as for `JSON.parse`. */
function memberOf(text: string, object: number, key: string): Span | undefined {
  if (text[object] !== '{') return undefined
  let found: Span | undefined
  let at = afterSpace(text, object + 1)
  for (let members = 0; text.charCodeAt(at) === quote; members++) {
    if (members >= mostMembers) return undefined
    const name = text.slice(at, endOfString(text, at) + 1)
    at = afterSpace(text, at + name.length)
    if (text[at] !== ':') return undefined
    const start = afterSpace(text, at + 1)
    const end = endOfValue(text, start)
    if (named(name, key)) found = { start, end }
    at = afterSpace(text, end)
    if (text.charCodeAt(at) === comma) at = afterSpace(text, at + 1)
  }
  return text[at] === '}' ? found : undefined
}

function named(text: string, key: string): boolean {
  // Each letter may be escaped, as six characters.
  if (text.length > key.length * 6 + 2) return false
  try {
    return JSON.parse(text) === key
  } catch {
    return false
  }
}

function afterSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

/** The place of the quotation mark that closes the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}

/** The place of the bracket that closes the list or object. */
function endOfNest(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfString(text, at)
    else if (isOpener(unit)) depth++
    else if (isCloser(unit) && --depth === 0) return at
  }
  return text.length
}

/** The place behind the value. */
function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return endOfString(text, start) + 1
  if (isOpener(first)) return endOfNest(text, start) + 1
  let at = start
  while (at < text.length && text.charCodeAt(at) !== comma && !isCloser(text.charCodeAt(at))) at++
  return at
}
