// A program as a row of tokens: enough to find a name, a text or a comment, and too little to know what it means. An edit
// must not touch a name inside a string, so names are looked for here and never in the raw text.
import type { Language, Program } from './facts.ts'

export type TokenKind = 'name' | 'number' | 'string' | 'comment' | 'operator'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Place of its first letter in the program. */
  readonly start: number
  /** From 1. */
  readonly line: number
}

export interface ProgramText {
  readonly language: Language
  readonly code: string
  readonly lines: readonly string[]
  /** Where each line begins in the program. */
  readonly starts: readonly number[]
  readonly tokens: readonly Token[]
}

/** Larger programs get words and no edits: reading them would cost more than the words are worth. */
export const largestProgram = 65_536

const word = /[\p{L}_$][\p{L}\p{N}_$]{0,200}/uy
const pythonPrefix = /(?:[rbuf]|[rbf]{2})(?=["'])/iy
/** Operators of several signs, by their first. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '=': ['===', '=>', '=='],
  '!': ['!==', '!='],
  '*': ['**=', '*=', '**'],
  '/': ['//=', '/=', '//'],
  '>': ['>>=', '>='],
  '<': ['<<=', '<='],
  '.': ['...'],
  '+': ['++', '+='],
  '-': ['--', '-=', '->'],
  '&': ['&&'],
  '|': ['||'],
  '?': ['??', '?.'],
  ':': [':='],
}
/** Signs with which an operator goes on after its first. */
const goesOn = '=*/<>.+-&|?'

const [newline, hash, dollar, star, point, slash, backslash, backtick] = [10, 35, 36, 42, 46, 47, 92, 96]
const isQuote = (letter: number): boolean => letter === 34 || letter === 39
const isDigit = (letter: number): boolean => letter >= 48 && letter <= 57
const isPlainWord = (letter: number): boolean =>
  (letter >= 97 && letter <= 122) ||
  (letter >= 65 && letter <= 90) ||
  isDigit(letter) ||
  letter === 95 ||
  letter === dollar

/** Reads a program into lines and tokens; one pass, and nothing is evaluated. */
export function readProgram({ language, code }: Program): ProgramText {
  const lines: string[] = []
  const starts: number[] = []
  for (let at = 0, end = 0; end !== -1; at = end + 1) {
    end = code.indexOf('\n', at)
    starts.push(at)
    lines.push(end === -1 ? code.slice(at) : code.slice(at, end))
  }
  return { language, code, lines, starts, tokens: code.length > largestProgram ? [] : tokensOf(language, code) }
}

/** Letters are compared as numbers: this is most of what an explanation costs. */
function tokensOf(language: Language, code: string): readonly Token[] {
  const tokens: Token[] = []
  const isPython = language === 'python'
  let at = 0
  let line = 1
  while (at < code.length) {
    const letter = code.charCodeAt(at)
    if (letter <= 32) {
      if (letter === newline) line++
      at++
      continue
    }
    let kind: TokenKind = 'operator'
    let end = at + 1
    const next = code.charCodeAt(at + 1)
    const quoteAt = isPython && isPlainWord(letter) && !isDigit(letter) ? at + prefixLength(code, at) : at
    const quote = code.charCodeAt(quoteAt)
    if (isQuote(quote) || (quote === backtick && !isPython)) {
      kind = 'string'
      end = stringEnd(code, quoteAt, isPython)
    } else if (isPython ? letter === hash : letter === slash && (next === slash || next === star)) {
      kind = 'comment'
      end = commentEnd(code, at)
    } else if (isDigit(letter)) {
      kind = 'number'
      end = numberEnd(code, at)
    } else if (isPlainWord(letter) || letter > 127) {
      const wordEnds = wordEnd(code, at)
      if (wordEnds > at) {
        kind = 'name'
        end = wordEnds
      }
    } else if (goesOn.includes(code[at + 1] ?? ' ')) end = at + operatorLength(code, at)
    const text = code.slice(at, end)
    tokens.push({ kind, text, start: at, line })
    if (kind === 'string' || kind === 'comment')
      for (let found = text.indexOf('\n'); found !== -1; found = text.indexOf('\n', found + 1)) line++
    at = end
  }
  return tokens
}

/** Letters before the quotation mark of a string; none where there is no string. */
function prefixLength(code: string, at: number): number {
  // At most two of them.
  return isQuote(code.charCodeAt(at + 1)) || isQuote(code.charCodeAt(at + 2)) ? lengthAt(pythonPrefix, code, at) : 0
}

function lengthAt(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(code) ? pattern.lastIndex - at : 0
}

const longestNumber = 101

function numberEnd(code: string, at: number): number {
  let end = at + 1
  for (let letter = code.charCodeAt(end); end < at + longestNumber; letter = code.charCodeAt(++end))
    if (letter === dollar || (letter !== point && !isPlainWord(letter))) break
  return end
}

function operatorLength(code: string, at: number): number {
  for (const sign of operators[code[at] ?? ''] ?? []) if (code.startsWith(sign, at)) return sign.length
  return 1
}

/** Where a word ends that begins here; here where none does. Letters other than those of English are looked up. */
function wordEnd(code: string, at: number): number {
  let end = at
  while (isPlainWord(code.charCodeAt(end))) end++
  return code.charCodeAt(end) > 127 ? at + lengthAt(word, code, at) : end
}

function commentEnd(code: string, at: number): number {
  const isBlock = code.charCodeAt(at) === slash && code.charCodeAt(at + 1) === star
  const end = isBlock ? code.indexOf('*/', at + 2) : code.indexOf('\n', at)
  return end === -1 ? code.length : isBlock ? end + 2 : end
}

/** A string that is not closed ends with its line, as both languages have it. */
function stringEnd(code: string, quoteAt: number, isPython: boolean): number {
  const quote = code.charCodeAt(quoteAt)
  const isClosed = (at: number): boolean => code.charCodeAt(at + 1) === quote && code.charCodeAt(at + 2) === quote
  const width = isPython && isClosed(quoteAt) ? 3 : 1
  for (let at = quoteAt + width; at < code.length; at++) {
    const letter = code.charCodeAt(at)
    if (letter === backslash) at++
    else if (letter === quote && (width === 1 || isClosed(at))) return at + width
    else if (letter === newline && width === 1 && quote !== backtick) return at
  }
  return code.length
}

/** The first token that begins on a line, or below it. */
function firstOn({ tokens }: ProgramText, line: number): number {
  let from = 0
  let to = tokens.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((tokens[middle]?.line ?? 0) < line) from = middle + 1
    else to = middle
  }
  return from
}

/** The tokens of a line, comments left out. */
export function tokensOn(program: ProgramText, line: number): readonly Token[] {
  const found: Token[] = []
  for (let at = firstOn(program, line); program.tokens[at]?.line === line; at++) {
    const token = program.tokens[at]
    if (token !== undefined && token.kind !== 'comment') found.push(token)
  }
  return found
}

/** The text of a line without its comment and the space before that. */
export function codeOf(program: ProgramText, line: number): string {
  const text = program.lines[line - 1] ?? ''
  let at = firstOn(program, line)
  while (program.tokens[at]?.line === line && program.tokens[at]?.kind !== 'comment') at++
  const comment = program.tokens[at]
  return (comment?.line === line ? text.slice(0, comment.start - (program.starts[line - 1] ?? 0)) : text).trimEnd()
}

/** The blanks that a line begins with. */
export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length)

/** The inner text of a string literal, as far as it is written without escapes. */
export function literalText(text: string): string {
  const from = text.search(/["'`]/)
  const quote = text[from] ?? ''
  const width = text.startsWith(quote.repeat(3), from) && text.length >= from + 6 ? 3 : 1
  return text.slice(from + width, text.endsWith(quote) ? text.length - width : text.length)
}
