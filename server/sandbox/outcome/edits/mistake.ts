// What an edit is made from, and the few ways in which one is written down.
import type { CodeEdit } from '../../../errors/guidance.ts'
import type { Surroundings } from '../facts.ts'
import { codeOf, indentOf, tokensOn, type ProgramText, type Token } from '../program-text.ts'
import type { RaisedError } from '../raised-error.ts'

export interface Mistake {
  readonly program: ProgramText
  readonly error: RaisedError
  /** Words that the rule found in the message. */
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly known: Surroundings
}

export type Edits = readonly CodeEdit[]

/** The line that the error names. */
export interface Place {
  readonly line: number
  readonly text: string
  /** The text without its comment. */
  readonly code: string
  readonly indent: string
  /** Where the line begins in the program. */
  readonly start: number
  /** Its tokens, comments left out. */
  readonly tokens: readonly Token[]
  /** Where the error points to in the program, and where that ends. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The place of an error; `undefined` where it names no line of the program. */
export function placeOf({ program, error }: Mistake): Place | undefined {
  const { line, column, endColumn } = error
  const text = line === undefined ? undefined : program.lines[line - 1]
  if (line === undefined || text === undefined) return undefined
  const start = program.starts[line - 1] ?? 0
  const indent = indentOf(text)
  // CPython prints the line without its indentation and counts from there.
  const zero = start + (program.language === 'python' ? indent.length : 0) - 1
  return {
    line,
    text,
    code: codeOf(program, line),
    indent,
    start,
    tokens: tokensOn(program, line),
    from: column === undefined ? undefined : zero + column,
    to: endColumn === undefined ? undefined : zero + endColumn,
  }
}

/** The edit that replaces a line, or none where the line stays as it is. */
export function lineEdit(program: ProgramText, line: number, after: string): Edits {
  const before = program.lines[line - 1]
  return before === undefined || before === after ? [] : [{ line, before, after }]
}

interface Span {
  readonly start: number
  readonly end: number
  readonly after: string
}

function lineAt({ starts }: ProgramText, at: number): number {
  let line = starts.length
  while (line > 0 && (starts[line - 1] ?? 0) > at) line--
  return line
}

/** The edit that replaces a stretch of the program: as short as it can be and still be found first on its line. */
export function spanEdit(program: ProgramText, start: number, end: number, after: string): Edits {
  const line = lineAt(program, start)
  const before = program.code.slice(start, end)
  return before !== '' && program.code.indexOf(before, program.starts[line - 1] ?? 0) === start
    ? before === after
      ? []
      : [{ line, before, after }]
    : lineAnew(program, line, [{ start, end, after }])
}

/** The edit that writes a line anew, with these stretches of it replaced. */
function lineAnew({ code, starts }: ProgramText, line: number, spans: readonly Span[]): Edits {
  const begins = starts[line - 1] ?? 0
  let last = 0
  let made = ''
  let at = begins
  for (const { start, end, after } of spans) {
    made += code.slice(at, start) + after
    at = end
    last = Math.max(last, end)
  }
  const newline = code.indexOf('\n', last)
  const until = newline === -1 ? code.length : newline
  made += code.slice(at, until)
  const before = code.slice(begins, until)
  return made === before ? [] : [{ line, before, after: made }]
}

/** The edits that replace stretches, line by line. */
export function spanEdits(program: ProgramText, spans: readonly Span[]): Edits {
  if (spans.length === 0) return []
  const byLine = new Map<number, Span[]>()
  for (const span of spans) {
    const line = lineAt(program, span.start)
    byLine.set(line, [...(byLine.get(line) ?? []), span])
  }
  return [...byLine].flatMap(([line, on]) => {
    const [first] = on
    return on.length === 1 && first !== undefined
      ? spanEdit(program, first.start, first.end, first.after)
      : lineAnew(
          program,
          line,
          on.toSorted((a, b) => a.start - b.start),
        )
  })
}

/** The edit that replaces one token. */
export const tokenEdit = (program: ProgramText, token: Token, after: string): Edits =>
  spanEdit(program, token.start, token.start + token.text.length, after)

/** The edit that puts text before a place. */
export const insertEdit = (program: ProgramText, at: number, text: string): Edits => spanEdit(program, at, at, text)

/** Puts a call around a stretch of the program. */
export const wrapped = ({ program }: Mistake, start: number, end: number, name: string): Edits =>
  spanEdit(program, start, end, `${name}(${program.code.slice(start, end)})`)

/** The end of a token. */
export const endOf = (token: Token): number => token.start + token.text.length

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The bracket that closes this one. */
export const closerOf = (open: string): string => closers[open] ?? ''

/** The token that closes the bracket at this index of a row of tokens. */
export function closingIndex(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? ''
    if (tokens[at]?.kind !== 'operator') continue
    if (text === '(' || text === '[' || text === '{') depth++
    else if ((text === ')' || text === ']' || text === '}') && --depth === 0) return at
  }
  return -1
}

/** Arguments of the first call of this function on a row of tokens, with the index of its name and brackets. */
export function callOf(
  tokens: readonly Token[],
  names: readonly string[],
): { readonly name: Token; readonly open: Token; readonly close: Token; readonly inner: readonly Token[] } | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at]
    const open = tokens[at + 1]
    if (name?.kind !== 'name' || open?.text !== '(' || !names.includes(name.text)) continue
    const end = closingIndex(tokens, at + 1)
    const close = tokens[end]
    if (close !== undefined) return { name, open, close, inner: tokens.slice(at + 2, end) }
  }
  return undefined
}

/** A program with its edits made; `undefined` where one of them does not fit. */
export function withEdits(code: string, edits: Edits): string | undefined {
  let made = code
  // From below, so that the numbers of the lines above stay true.
  for (const { line, before, after } of edits.toSorted((a, b) => b.line - a.line)) {
    const begins = made.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
    const at = made.indexOf(before, begins)
    const newline = made.indexOf('\n', begins)
    if (at === -1 || (newline !== -1 && at > newline)) return undefined
    made = made.slice(0, at) + after + made.slice(at + before.length)
  }
  return made
}
