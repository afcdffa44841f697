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
const number = /\d[\w.]{0,100}/y
const pythonPrefix = /(?:[rbuf]|[rbf]{2})(?=["'])/iy
const operator =
  /===|!==|\*\*=|\/\/=|>>=|<<=|\.\.\.|=>|==|!=|<=|>=|\+\+|--|\+=|-=|\*=|\/=|&&|\|\||\?\?|\?\.|:=|->|\*\*|\/\//y
/** Signs with which an operator of several begins. */
const mayGoOn = '=!*/<>.+-&|?:'

/** Reads a program into lines and tokens; one pass, and nothing is evaluated. */
export function readProgram({ language, code }: Program): ProgramText {
  const lines = code.split('\n')
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  return { language, code, lines, starts, tokens: code.length > largestProgram ? [] : tokensOf(language, code) }
}

function tokensOf(language: Language, code: string): readonly Token[] {
  const tokens: Token[] = []
  let [at, line] = [0, 1]
  const take = (kind: TokenKind, end: number): void => {
    const text = code.slice(at, end)
    tokens.push({ kind, text, start: at, line })
    if (kind === 'string' || kind === 'comment')
      for (let found = text.indexOf('\n'); found !== -1; found = text.indexOf('\n', found + 1)) line++
    at = end
  }
  while (at < code.length) {
    const letter = code[at] ?? ''
    if (letter === '\n') line++
    if (letter <= ' ') at++
    else if (isComment(language, code, at)) take('comment', commentEnd(code, at))
    else {
      const prefix = language === 'python' && 'rbufRBUF'.includes(letter) ? lengthAt(pythonPrefix, code, at) : 0
      const quote = code[at + prefix] ?? ''
      if (quote === '"' || quote === "'" || (quote === '`' && language === 'javascript'))
        take('string', stringEnd(code, at + prefix, language))
      else if (letter >= '0' && letter <= '9') take('number', at + lengthAt(number, code, at))
      else {
        const end = wordEnd(code, at)
        if (end > at) take('name', end)
        else take('operator', at + (mayGoOn.includes(letter) ? Math.max(1, lengthAt(operator, code, at)) : 1))
      }
    }
  }
  return tokens
}

function lengthAt(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(code) ? pattern.lastIndex - at : 0
}

/** Where a word ends that begins here; here where none does. Letters other than those of English are looked up. */
function wordEnd(code: string, at: number): number {
  let end = at
  while (isPlainWord(code.charCodeAt(end))) end++
  return code.charCodeAt(end) > 127 ? at + lengthAt(word, code, at) : end
}

const isPlainWord = (letter: number): boolean =>
  (letter >= 97 && letter <= 122) ||
  (letter >= 65 && letter <= 90) ||
  (letter >= 48 && letter <= 57) ||
  letter === 95 ||
  letter === 36

const isComment = (language: Language, code: string, at: number): boolean =>
  language === 'python' ? code[at] === '#' : code[at] === '/' && (code[at + 1] === '/' || code[at + 1] === '*')

function commentEnd(code: string, at: number): number {
  const [closing, length] = code.startsWith('/*', at) ? ['*/', 2] : ['\n', 0]
  const end = code.indexOf(closing, at + length)
  return end === -1 ? code.length : end + length
}

/** A string that is not closed ends with its line, as both languages have it. */
function stringEnd(code: string, quoteAt: number, language: Language): number {
  const quote = code[quoteAt] ?? ''
  const triple = language === 'python' && code.startsWith(quote.repeat(3), quoteAt)
  const closing = triple ? quote.repeat(3) : quote
  for (let at = quoteAt + closing.length; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code.startsWith(closing, at)) return at + closing.length
    else if (code[at] === '\n' && !triple && quote !== '`') return at
  }
  return code.length
}

/** The tokens of a line, comments left out. */
export const tokensOn = (program: ProgramText, line: number): readonly Token[] =>
  program.tokens.filter((token) => token.line === line && token.kind !== 'comment')

/** The text of a line without its comment and the space before that. */
export function codeOf(program: ProgramText, line: number): string {
  const text = program.lines[line - 1] ?? ''
  const comment = program.tokens.find((token) => token.line === line && token.kind === 'comment')
  return (comment === undefined ? text : text.slice(0, comment.start - (program.starts[line - 1] ?? 0))).trimEnd()
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
