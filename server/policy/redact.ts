// Redaction: secrets are hidden before anything is stored, shown or logged, by the contract's `secrets`, by the name of a field
// and by the look of a value. It is one pass over a text of bounded length; what is beyond is not recorded.
import { cardSecrets } from './card-numbers.ts'
import { commandSecrets } from './command-secrets.ts'
import { covers, fromPointer } from '../errors/pointer.ts'
import { secretlintFindings } from './secretlint.ts'
import { hiddenColumns, isPrivateMember, namedMember } from './named-entries.ts'
import { namedSecrets } from './named-secrets.ts'
import { readable } from './readable-text.ts'
import { recognisedSecrets } from './secret-looks.ts'
import { remembered } from './remembered.ts'
import { isPlainName, isSecretField, shortNames } from './secret-fields.ts'
import { isSecretName } from './secret-names.ts'
import { isValue } from './secret-shapes.ts'
import type { Span } from './secret-values.ts'
import { passwordsInProse } from './password-in-prose.ts'
import { tableSecrets } from './table-secrets.ts'

export const redacted = '[redacted]'
/** The mark without its closing bracket, before which a value may have ended. */
const mark = '[redacted'

/** Characters that are searched of one text, or of all texts of one value. */
export const longestText = 64_000
/** Characters that are searched beyond that, and not given out, because a secret may begin before the end. */
const margin = 2000
/** Keys and items that are searched of one value. */
const mostValues = 5000

/** Levels of nesting that are recorded. */
const deepest = 100
const tooDeep = '[too deep to record]'
const tooMuch = '[too much to record]'

/** Items that may be one command line. */
const longestCommand = 200

/** The secrets of a text in order, without overlaps and without what is hidden already. */
export function secretsIn(text: string): readonly Span[] {
  const looked = { text, shown: readable(text) }
  const own = [namedSecrets, commandSecrets, recognisedSecrets, tableSecrets, cardSecrets, passwordsInProse].flatMap(
    (search) => search(looked).map((span) => withoutPadding(looked.shown, span)),
  )
  // secretlint's may be wider: a whole URL, of which only the password is hidden.
  const theirs = secretlintFindings(looked).filter(
    (kept) => !own.some((each) => each.start < kept.end && kept.start < each.end),
  )
  const found = [...own, ...theirs]
    .filter(({ start, end }) => end > start && !text.slice(start, end).includes(mark) && !isInMark(text, start))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const apart: Span[] = []
  for (const span of found) {
    const last = apart.at(-1)
    if (last === undefined || span.start > last.end) apart.push(span)
    else if (span.end > last.end) apart[apart.length - 1] = { start: last.start, end: span.end }
  }
  return apart
}

/** Blanks at the end of a secret are the padding of the escape behind it (`readable`), which is left whole. */
function withoutPadding(shown: string, { start, end }: Span): Span {
  while (end > start && shown[end - 1] === ' ') end -= 1
  return { start, end }
}

const isInMark = (text: string, at: number): boolean => text.slice(Math.max(0, at - redacted.length), at).includes(mark)

/** The text from `start` on with these places hidden. */
function hide(text: string, spans: readonly Span[], start = 0, end = text.length): string {
  let [out, from] = ['', start]
  for (const span of spans) {
    if (span.end <= start || span.start >= end) continue
    out += text.slice(from, Math.max(from, span.start)) + redacted
    from = Math.min(span.end, end)
  }
  return out + text.slice(from, end)
}

/** What most arguments and results have something of; another each time, because what was looked at is remembered. */
const usual = (time: number) => [
  {
    exit_code: 1,
    stdout: `text ${time} with "quotes"`,
    files: [{ path: `${time}/a.txt`, bytes: 1 }],
    fuel: { left: 10 },
  },
  { recommendation: `See https://example.org/${time}?b=1.`, success: true, session_id: `s_${time}`, left: null },
]

/**
 * Has V8 compile the patterns that nearly every text is searched with; otherwise the first record of a process waits for that,
 * tens of milliseconds. V8 compiles a pattern at its first use, and once more, to be faster, at its second. In steps, between
 * which calls are answered.
 */
export async function compilePatterns(): Promise<void> {
  for (const value of [...usual(1), ...usual(2)]) {
    await new Promise((resume) => setImmediate(resume))
    redact(value)
  }
}

/** Hides secrets inside a text by how they look. Of a text beyond 64,000 characters only the beginning is given. */
export const redactText = (text: string): string => redactUpTo(text, longestText)

function redactUpTo(text: string, length: number): string {
  // No secret is shorter.
  if (text.length < 6) return text
  if (text.length <= length) return hideAll(text)
  const read = text.slice(0, length + margin)
  const shown = hide(read, secretsIn(read), 0, length)
  return `${shown}… [${text.length - length} more characters]`
}

/** What is hidden shortens a line, which may bring a word close enough to the name that gives it away. */
const rounds = 3

function hideIn(text: string): string {
  let held = redactDocument(text)
  for (let round = 0; round < rounds; round++) {
    const spans = secretsIn(held)
    if (spans.length === 0) return held
    held = hide(held, spans)
  }
  return held
}

/** Short texts come back: what was previewed is applied, and is in the result. Only those in which nothing is hidden are kept. */
const hideAll = remembered(hideIn, { longest: 300, most: 500, keeps: (shown, text) => shown === text })

/** Redacts JSON in a text field by field, as many tools answer JSON as text. It is not reformatted if nothing is hidden. */
function redactDocument(text: string): string {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  if (start < 0 || end <= start) return text
  try {
    const parsed: unknown = JSON.parse(text.slice(start, end))
    const hidden = JSON.stringify(redact(parsed))
    return hidden === JSON.stringify(parsed) ? text : text.slice(0, start) + hidden + text.slice(end)
  } catch {
    return text
  }
}

/**
 * A copy of a JSON value with its secrets hidden, and of bounded size: `most` characters of text. `marked` are the
 * contract's own fields, as JSON Pointers in which `*` stands for any one key or index.
 */
export function redact(value: unknown, marked: readonly string[] = [], most: number = longestText): unknown {
  return walk(value, [], { marked: marked.map(fromPointer), left: most, values: mostValues })
}

interface Walk {
  readonly marked: readonly (readonly string[])[]
  /** Characters that may still be searched. */
  left: number
  values: number
}

function redactPart(text: string, walked: Walk): string {
  if (walked.left <= 0) return text === '' ? text : tooMuch
  const shown = redactUpTo(text, walked.left)
  walked.left -= text.length
  return shown
}

/** A key as it is given out. Plain words in which nothing is hidden come back with every call. */
function redactKey(key: string, walked: Walk): string {
  if (walked.left < key.length) return redactPart(key, walked)
  walked.left -= key.length
  return shownKey(key)
}

const shownKey = remembered((key) => redactUpTo(key, longestText), {
  ...shortNames,
  keeps: (shown, key) => shown === key && isPlainName(key),
})

function walk(value: unknown, path: readonly string[], walked: Walk): unknown {
  if (value === null || value === undefined) return value
  if (path.length > 0 && walked.marked.some((each) => covers(each, path))) return redacted
  const name = path.at(-1)
  if (name !== undefined && isSecretField(name, value)) return redacted
  if (typeof value === 'string') return redactPart(value, walked)
  if (typeof value === 'number') return cardSecrets({ text: '', shown: String(value) }).length === 0 ? value : redacted
  if (typeof value !== 'object') return value
  if (path.length >= deepest) return tooDeep
  return Array.isArray(value) ? walkList(value, path, walked) : walkObject(value as Members, path, walked)
}

function walkList(list: readonly unknown[], path: readonly string[], walked: Walk): unknown {
  // A header as a pair: ["Authorization", "…"].
  if (
    list.length === 2 &&
    typeof list[0] === 'string' &&
    isSecretName(list[0]) &&
    !/\s/.test(list[0]) &&
    mayBeOf(list[1])
  )
    return [list[0], redacted]
  const items = list.slice(0, Math.max(0, walked.values))
  walked.values -= items.length
  const shown = isCommand(items)
    ? redactCommand(items, walked)
    : items.map((item, i) => walk(item, [...path, String(i)], walked))
  return items.length === list.length ? shown : [...shown, tooMuch]
}

/** Whether it is not another name, as in `["authorization_code", "refresh_token"]`. */
const mayBeOf = (value: unknown): boolean => typeof value !== 'string' || (isValue(value) && !isSecretName(value))

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= longestCommand && value.every((item) => typeof item === 'string')

const isCommand = (items: readonly unknown[]): items is readonly string[] =>
  items.length > 1 && isWords(items) && items.some((item) => item.startsWith('-'))

/** Redacts a command line as one text, because one item names what the next one is: `["--token", "…"]`. */
function redactCommand(items: readonly string[], walked: Walk, program = ''): readonly string[] {
  const line = [program, ...items].join(' ')
  if (line.length > walked.left) return items.map((item) => redactPart(item, walked))
  walked.left -= line.length
  const spans = secretsIn(line)
  let at = program.length + 1
  return items.map((item) => {
    const start = at
    at += item.length + 1
    return hide(line, spans, start, start + item.length)
  })
}

/** The secrets of a command line. */
export function secretsOfCommand(program: string, items: readonly string[]): readonly string[] {
  const line = [program, ...items].join(' ').slice(0, longestText)
  return secretsIn(line).map(({ start, end }) => line.slice(start, end))
}

type Members = Readonly<Record<string, unknown>>

function walkObject(value: Members, path: readonly string[], walked: Walk): unknown {
  const named = namedMember(value)
  const program = [value['command'], value['cmd'], value['program']].find((each) => typeof each === 'string')
  const out: [string, unknown][] = []
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    if (walked.values-- <= 0) return Object.fromEntries([...out, ['…', tooMuch]])
    const held = hiddenColumns(value, key, (cell) => (typeof cell === 'string' && isValue(cell) ? redacted : cell))
    const hides = (named(key) && !(typeof held === 'string' && !isValue(held))) || isPrivateMember(value, key)
    const shown =
      program !== undefined && /^arg(?:s|v|uments)$/i.test(key) && isWords(held)
        ? redactCommand(held, walked, program)
        : walk(held, [...path, key], walked)
    out.push([redactKey(key, walked), hides ? redacted : shown])
  }
  return Object.fromEntries(out)
}
