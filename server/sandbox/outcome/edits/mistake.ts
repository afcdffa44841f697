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

const lineAt = (program: ProgramText, at: number): number => program.starts.findLastIndex((begins) => begins <= at) + 1

/** The edit that replaces a stretch of the program. */
export const spanEdit = (program: ProgramText, start: number, end: number, after: string): Edits =>
  spanEdits(program, [{ start, end, after }])

/** The edits that replace stretches: as short as each can be and still be found first on its line. */
export function spanEdits(program: ProgramText, spans: readonly Span[]): Edits {
  const byLine = new Map<number, Span[]>()
  for (const span of spans) {
    const line = lineAt(program, span.start)
    byLine.set(line, [...(byLine.get(line) ?? []), span])
  }
  return [...byLine].flatMap(([line, on]) => {
    const begins = program.starts[line - 1] ?? 0
    const [only] = on
    if (only === undefined) return []
    const before = program.code.slice(only.start, only.end)
    if (on.length === 1 && before !== '' && program.code.indexOf(before, begins) === only.start)
      return before === only.after ? [] : [{ line, before, after: only.after }]
    const last = Math.max(...on.map(({ end }) => end))
    const newline = program.code.indexOf('\n', last)
    const until = newline === -1 ? program.code.length : newline
    let made = ''
    let at = begins
    for (const { start, end, after } of on.toSorted((a, b) => a.start - b.start)) {
      made += program.code.slice(at, start) + after
      at = end
    }
    const whole = program.code.slice(begins, until)
    return made + program.code.slice(at, until) === whole
      ? []
      : [{ line, before: whole, after: made + program.code.slice(at, until) }]
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
    if (text in closers) depth++
    else if ((text === ')' || text === ']' || text === '}') && --depth === 0) return at
  }
  return -1
}

/** Arguments of the first call of this function on a row of tokens, with the index of its name and brackets. */
export function callOf(
  tokens: readonly Token[],
  names: readonly string[],
): { readonly name: Token; readonly open: Token; readonly close: Token; readonly inner: readonly Token[] } | undefined {
  for (const [at, name] of tokens.entries()) {
    const open = tokens[at + 1]
    if (name.kind !== 'name' || !names.includes(name.text) || open?.text !== '(') continue
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
