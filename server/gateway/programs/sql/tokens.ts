// SQL cut into its smallest parts, as the database itself would cut it. Whoever disagrees with the database about where a
// text or a comment ends takes a statement for a word. So whatever a setting of the database, its version or its client
// may see otherwise is not cut at all, and the text then counts as one that nobody can read.

import type { TextRange } from '../text-range.ts'

/** The databases whose SQL is read. */
export type SqlDialect = 'postgresql' | 'sqlite' | 'mysql' | 'tsql'

export interface Token {
  /** `name` is a name in quotes, `word` one without or a keyword. `mark` is an operator or a bracket. */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'parameter' | 'mark'
  /** Of a word in lower case, of a name and a text what stands between the quotes, else as written. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Why a text could not be cut; completes "It cannot be read: …". */
export interface Uncut {
  readonly why: string
}

interface Cut {
  readonly token?: Omit<Token, 'start' | 'end'>
  readonly end: number
}

type Cutter = (text: string, at: number) => Cut | Uncut | undefined

const word = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy
const wordOf: Readonly<Record<SqlDialect, RegExp>> = {
  postgresql: word,
  sqlite: word,
  mysql: word,
  // A temporary table begins with a hash.
  tsql: /#{0,2}[\p{L}_][\p{L}\p{M}\p{N}_$#@]*/uy,
}
const number = /(?:0x[0-9a-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy
const afterNumber = /[\p{L}\p{M}\p{N}_$@#]/uy
const mark = /(?:<=>|->>|->|\|\||[<>!=]=|<>|:=|::|<<|>>|[-+*/%^&|~!<>=(),.;:[\]?#@])/y
const dollarQuote = /\$(?:[\p{L}_][\p{L}\p{M}\p{N}_]*)?\$/uy

const parameters: Readonly<Record<SqlDialect, RegExp>> = {
  postgresql: /\$\d+/y,
  sqlite: /(?:\?\d*|[:@][\p{L}_][\p{L}\p{N}_]*)(?![(:\p{L}\p{N}_$])/uy,
  mysql: /(?:\?|@{1,2}(?:[\p{L}_][\p{L}\p{N}_$.]*|(?=['"`])))/uy,
  tsql: /@{1,2}[\p{L}_][\p{L}\p{N}_@#$]*/uy,
}

const mostCharacters = 100_000

/**
 * Lines that the terminal programs of these databases take for themselves, in the middle of a statement as well: a server may
 * hand its text to one. `sqlite3` runs what begins with a dot, and ends a statement at a line that is "go" or "/".
 */
const isOfClient: Readonly<Record<SqlDialect, (line: string) => boolean>> = {
  postgresql: () => false,
  sqlite: (line) => line.startsWith('.') || /^(?:go|\/)(?:$|--|\/\*)/i.test(line.replaceAll(/\s/g, '')),
  mysql: (line) => /\bdelimiter\b/i.test(line),
  tsql: (line) => /^(?::|!!)/.test(line.trimStart()),
}

/** The tokens of a text, without comments. */
export function tokensOf(text: string, dialect: SqlDialect): readonly Token[] | Uncut {
  if (text.length > mostCharacters)
    return { why: `it is longer than ${mostCharacters.toLocaleString('en')} characters` }
  // A driver may end a text there.
  if (text.includes('\0')) return { why: `it holds a NUL (at ${text.indexOf('\0') + 1})` }
  const ofClient = text.split(/[\n\r]/).findIndex(isOfClient[dialect])
  if (ofClient >= 0) return { why: `its line ${ofClient + 1} is a command of the program at the terminal` }
  const cutters = cuttersOf(dialect)
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const blank = stickyMatch(/[\t\n\f\r ]+/y, text, at)
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    const cut = firstOf(cutters, text, at)
    if (cut === undefined)
      return { why: `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}" is not expected (at ${at + 1})` }
    if ('why' in cut) return cut
    if (cut.token !== undefined) tokens.push({ ...cut.token, start: at, end: cut.end })
    at = cut.end
  }
  return tokens
}

function firstOf(cutters: readonly Cutter[], text: string, at: number): Cut | Uncut | undefined {
  for (const cutter of cutters) {
    const cut = cutter(text, at)
    if (cut !== undefined) return cut
  }
  return undefined
}

const cuttersOf = (dialect: SqlDialect): readonly Cutter[] => [
  lineComment(dialect),
  blockComment(dialect),
  quoted(dialect),
  ...(dialect === 'postgresql' ? [dollarQuoted] : []),
  plain('number', number, dialect),
  plain('parameter', parameters[dialect], dialect),
  plain('word', wordOf[dialect], dialect),
  plain('mark', mark, dialect),
]

const plain =
  (kind: 'word' | 'number' | 'parameter' | 'mark', form: RegExp, dialect: SqlDialect): Cutter =>
  (text, at) => {
    const found = stickyMatch(form, text, at)
    if (found === undefined) return undefined
    const end = at + found.length
    // T-SQL reads `1DELETE` as a number and a statement, others as a name or as nothing.
    if (kind === 'number' && stickyMatch(afterNumber, text, end) !== undefined)
      return { why: `a number runs into a word (at ${at + 1})` }
    if (kind === 'mark' && dialect !== 'postgresql' && /[#@?[\]]/.test(found)) return undefined
    return { token: { kind, value: kind === 'word' ? found.toLowerCase() : found }, end }
  }

const lineComment =
  (dialect: SqlDialect): Cutter =>
  (text, at) => {
    const hash = dialect === 'mysql' && text[at] === '#'
    // To MySQL `--1` is two minus signs.
    const dashes =
      text.startsWith('--', at) && (dialect !== 'mysql' || /^(?:[\t\n\f\r ]|$)/.test(text.slice(at + 2, at + 3)))
    if (!hash && !dashes) return undefined
    // A bare carriage return ends the comment to PostgreSQL, and to others it does not.
    const line = stickyMatch(/[^\n\r]*/y, text, at) ?? ''
    const end = at + line.length
    if (text[end] === '\r' && text[end + 1] !== '\n')
      return { why: `a comment ends with half a line break (at ${at + 1})` }
    return { end }
  }

const blockComment =
  (dialect: SqlDialect): Cutter =>
  (text, at) => {
    if (!text.startsWith('/*', at)) return undefined
    if (dialect === 'mysql' && /^(?:!|M!)/i.test(text.slice(at + 2, at + 4)))
      return { why: `it holds a comment that the database runs (at ${at + 1})` }
    const nests = dialect === 'postgresql' || dialect === 'tsql'
    let depth = 0
    for (const part of text.slice(at).matchAll(/\/\*|\*\//g)) {
      depth = part[0] === '*/' ? depth - 1 : nests || depth === 0 ? depth + 1 : depth
      if (depth === 0) return { end: at + part.index + 2 }
    }
    return { why: `a comment is not closed (at ${at + 1})` }
  }

const closing: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' }
const quotesOf: Readonly<Record<SqlDialect, string>> = {
  postgresql: `'"`,
  sqlite: `'"\`[`,
  mysql: `'"\``,
  tsql: `'"[`,
}

const quoted =
  (dialect: SqlDialect): Cutter =>
  (text, at) => {
    const escaped = dialect === 'postgresql' && /^e'/i.test(text.slice(at, at + 2))
    const open = escaped ? at + 1 : at
    const quote = text[open] ?? ''
    const close = closing[quote]
    if (close === undefined || !quotesOf[dialect].includes(quote)) return undefined
    // Whether a backslash escapes the quote behind it is a setting (NO_BACKSLASH_ESCAPES, standard_conforming_strings).
    const maySet = dialect === 'mysql' || dialect === 'postgresql'
    const isText = quote === "'" || (quote === '"' && dialect === 'mysql')
    // SQLite ends `[a]]` at the first bracket, the others at the second.
    const doubles = !(dialect === 'sqlite' && quote === '[')
    for (let here = open + 1; here < text.length; here++) {
      if (text[here] === '\\' && escaped) here++
      else if (text[here] === '\\' && isText && maySet) {
        here += (stickyMatch(/\\+/y, text, here)?.length ?? 1) - 1
        if (text[here + 1] === close)
          return { why: `whether a text ends behind a backslash depends on the server's settings (at ${here + 1})` }
      } else if (text[here] === close && doubles && text[here + 1] === close) here++
      else if (text[here] === close) {
        const value = text.slice(open + 1, here).replaceAll(close + close, close)
        return { token: { kind: isText ? 'text' : 'name', value }, end: here + 1 }
      }
    }
    return { why: `a quotation mark is not closed (at ${at + 1})` }
  }

const dollarQuoted: Cutter = (text, at) => {
  const tag = stickyMatch(dollarQuote, text, at)
  if (tag === undefined) return undefined
  const end = text.indexOf(tag, at + tag.length)
  if (end < 0) return { why: `a dollar quote is not closed (at ${at + 1})` }
  return { token: { kind: 'text', value: text.slice(at + tag.length, end) }, end: end + tag.length }
}

function stickyMatch(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at
  return form.exec(text)?.[0]
}

/** Cuts at semicolons; what is empty between two of them is left out. */
export function splitStatements(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = [[]]
  for (const token of tokens)
    if (token.kind === 'mark' && token.value === ';') statements.push([])
    else statements.at(-1)?.push(token)
  return statements.filter((statement) => statement.length > 0)
}

/** The word at a place, in lower case; nothing where something else stands there. */
export function wordAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.kind === 'word' ? token.value : ''
}

/** Whether this operator or bracket stands there. */
export const isMark = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'mark' && token.value === value

/** From the first of them to the last. */
export const rangeOf = (tokens: readonly Token[]): TextRange => ({
  from: tokens[0]?.start ?? 0,
  to: tokens.at(-1)?.end ?? 0,
})

/** As written, without comments, with one blank where there was any. */
export function sliceOf(text: string, tokens: readonly Token[]): string {
  const parts = tokens.map(
    ({ start, end }, at) => (start > (tokens[at - 1]?.end ?? start) ? ' ' : '') + text.slice(start, end),
  )
  return parts.join('')
}
