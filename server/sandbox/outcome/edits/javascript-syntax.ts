// Edits of JavaScript that is not read: a bracket, a quotation mark, a comma, or a word of another language.
import { Vocabulary } from '../../../errors/nearest.ts'
import { codeOf, indentOf, type Token } from '../program-text.ts'
import {
  closerOf,
  closingIndex,
  endOf,
  insertEdit,
  lineEdit,
  placeOf,
  spanEdit,
  spanEdits,
  tokenEdit,
  type Edits,
  type Mistake,
} from './mistake.ts'
import { meant } from './names.ts'

const keywords = new Vocabulary(
  'async await break case catch class const continue default delete else extends finally for from function if import in instanceof let new of return static super switch this throw try typeof var void while yield'.split(
    ' ',
  ),
)

const isOpen = (token: Token): boolean => token.kind === 'operator' && '([{'.includes(token.text)
const isClose = (token: Token): boolean => token.kind === 'operator' && ')]}'.includes(token.text)

/** Brackets that are still open before a place. */
function openBefore(tokens: readonly Token[], before: number): readonly Token[] {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.start >= before) break
    if (token.kind !== 'operator') continue
    if (isOpen(token)) open.push(token)
    else if (isClose(token) && closerOf(open[open.length - 1]?.text ?? '') === token.text) open.pop()
  }
  return open
}

/** The bracket that is missing where the program ends, or where something else comes first. */
export function javascriptCloseBracket(mistake: Mistake): Edits {
  const { program, error } = mistake
  const { tokens } = program
  const place = placeOf(mistake)
  const last = tokens.findLast(({ kind }) => kind !== 'comment')
  if (last === undefined) return []
  const at = place?.from ?? program.code.length
  const [, wanted] = /^expecting '([)\]}])'/.exec(error.message) ?? []
  const next = tokens.find(({ start, kind }) => start >= at && kind !== 'comment')
  if (wanted !== undefined && next !== undefined) {
    const before = tokens.findLast(({ start, kind }) => start < next.start && kind !== 'comment')
    if (before === undefined) return []
    const signs = asSigns(program, place?.tokens ?? [], [before, next])
    if (signs.length > 0) return signs
    // Two values beside each other: a comma is missing rather than a bracket.
    const value = (token: Token): boolean =>
      token.kind === 'string' || token.kind === 'number' || (token.kind === 'name' && !keywords.has(token.text))
    const open = openBefore(tokens, next.start).at(-1)
    const closesLater =
      open !== undefined && tokens[closingIndex(tokens, tokens.indexOf(open))]?.text === closerOf(open.text)
    if (closesLater && (value(before) || isClose(before)) && (value(next) || isOpen(next)))
      return insertEdit(program, endOf(before), ',')
    if (wanted === '}' && next.text === '=' && before.kind === 'name') return tokenEdit(program, next, ':')
    return insertEdit(program, endOf(before), wanted)
  }
  const open = openBefore(tokens, program.code.length)
  if (open.length === 0 || open.length > 3) return []
  const [only] = open
  if (only !== undefined && open.length === 1 && only.text !== '{' && only.line < last.line) {
    const end = (program.starts[only.line - 1] ?? 0) + codeOf(program, only.line).replace(/[;{]$/, '').trimEnd().length
    return insertEdit(program, end, closerOf(only.text))
  }
  const inner = open.at(-1)
  const block = open.length === 1 && inner?.text === '{' ? endOfBlock(mistake, inner) : undefined
  const closing = open
    .toReversed()
    .map(({ text }) => closerOf(text))
    .join('')
  return (
    block ??
    insertEdit(
      program,
      last.text === ';' && open.some(({ text }) => text !== '{') ? last.start : endOf(last),
      closing.startsWith('}') ? `\n${closing}` : closing,
    )
  )
}

/** Where the lines of a block end by their indentation. */
function endOfBlock({ program }: Mistake, open: Token): Edits | undefined {
  const indent = indentOf(program.lines[open.line - 1] ?? '')
  for (let line = open.line + 1; line <= program.lines.length; line++) {
    const text = program.lines[line - 1] ?? ''
    if (text.trim() === '' || indentOf(text).length > indent.length) continue
    const above = program.lines[line - 2] ?? ''
    return text.trimStart().startsWith('}') ? undefined : lineEdit(program, line - 1, `${above}\n${indent}}`)
  }
  return undefined
}

/** A closing bracket too many. */
export function javascriptUnmatchedBracket(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const at = program.tokens.findIndex(({ start }) => start === place?.from)
  const [before, token] = [program.tokens[at - 1], program.tokens[at]]
  if (token === undefined || !isClose(token)) return []
  const open = openBefore(program.tokens, token.start).at(-1)
  // `f(1 + )`, `[1, 2 = ]`: a value is missing, and nobody knows which.
  if (before?.kind === 'operator' && !/^[)\]};]$/.test(before.text))
    return /^(?:[-+*/%,]|&&|\|\|)$/.test(before.text) ? tokenEdit(program, before, '') : []
  return open === undefined
    ? tokenEdit(program, token, '')
    : closerOf(open.text) === token.text
      ? []
      : tokenEdit(program, token, closerOf(open.text))
}

/** The quotation mark that is missing. */
export function javascriptCloseString(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const code = place.text.trimEnd()
  const local = place.from === undefined ? code.search(/["'`]/) : place.from - place.start
  const quote = code[local] ?? ''
  if (quote === '`') {
    const last = program.lines.findLastIndex((text) => text.trim() !== '')
    const end = (program.lines[last] ?? '').trimEnd()
    const tail = /[);]{1,5}$/.exec(end)?.[0] ?? ''
    return lineEdit(program, last + 1, `${end.slice(0, end.length - tail.length)}\`${tail}`)
  }
  if (!/^["']$/.test(quote)) return []
  // 'I don't mind'
  const [first, last] = [code.indexOf(quote), code.lastIndexOf(quote)]
  if (quote === "'" && code.split(quote).length === 4 && !code.includes('"'))
    return lineEdit(
      program,
      place.line,
      `${code.slice(0, first)}"${code.slice(first + 1, last)}"${code.slice(last + 1)}`,
    )
  const opened = (code.slice(0, local).split(/[([{]/).length ?? 1) - code.slice(0, local).split(/[)\]}]/).length
  const tail = (opened > 0 ? /[)\]}]{1,5}(?:\.\w{1,40}\(\))?[;,]?$/ : /[;,]$/).exec(code)?.[0] ?? ''
  return insertEdit(program, place.start + code.length - tail.length, quote)
}

/** `=` of a comparison. */
export function javascriptCompare(mistake: Mistake): Edits {
  const { program } = mistake
  const tokens = placeOf(mistake)?.tokens ?? []
  const signs = tokens.filter(({ text }) => text === '=')
  const [only] = signs
  return only !== undefined && signs.length === 1 && /^(?:if|while|return|\})$/.test(tokens[0]?.text ?? '')
    ? tokenEdit(program, only, '===')
    : []
}

const isWord = (token: Token | undefined): boolean =>
  token?.kind === 'name' && (token.text === 'and' || token.text === 'or')

/** `and` and `or`, where one of them stands at the place of the error. */
function asSigns(
  program: Mistake['program'],
  tokens: readonly Token[],
  at: readonly [Token | undefined, Token | undefined],
): Edits {
  if (!isWord(at[0]) && !isWord(at[1])) return []
  return spanEdits(
    program,
    tokens
      .filter((token) => isWord(token))
      .map((token) => ({ start: token.start, end: endOf(token), after: token.text === 'and' ? '&&' : '||' })),
  )
}

const prints = new Set(['print', 'echo', 'puts'])

/** Two things beside each other: a word of another language, `await` in a plain function, a comma. */
export function javascriptExpecting(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const { tokens } = place
  const at = tokens.findIndex(({ start }) => start >= (place.from ?? Number.MAX_SAFE_INTEGER))
  const [before, here] = [tokens[at - 1], tokens[at]]
  if (
    here !== undefined &&
    isClose(here) &&
    closerOf(openBefore(program.tokens, here.start).at(-1)?.text ?? '') !== here.text
  )
    return tokenEdit(program, here, '')
  if (groups['sign'] === ',' && before !== undefined) {
    const unclosed = openBefore(program.tokens, here?.start ?? program.code.length).at(-1)
    const ends = here === undefined || here.text === ';' || here.text === '{' || isClose(here)
    if (unclosed !== undefined && unclosed.text !== '{' && ends)
      return insertEdit(program, endOf(before), closerOf(unclosed.text))
  }
  if (before?.text === 'await') return asyncAround(mistake, before)
  const [first, second] = tokens
  if (first?.text === 'def' && second?.kind === 'name') return tokenEdit(program, first, 'function')
  if (first !== undefined && prints.has(first.text) && second !== undefined && second.text !== '(')
    return spanEdit(
      program,
      first.start,
      place.start + place.code.replace(/;$/, '').length,
      `console.log(${program.code.slice(second.start, place.start + place.code.replace(/;$/, '').length)})`,
    )
  const signs = asSigns(program, tokens, [before, here])
  if (signs.length > 0) return signs
  for (const token of [before, first, tokens[at - 2]]) {
    if (token?.kind !== 'name' || keywords.has(token.text)) continue
    const next = tokens[tokens.indexOf(token) + 1]
    const to =
      next?.kind === 'operator' && next.text !== '(' && next.text !== '{'
        ? undefined
        : meant(token.text, keywords.likely(token.text))
    if (to !== undefined) return tokenEdit(program, token, to)
  }
  if (groups['sign'] === ',' || groups['sign'] === undefined) {
    const open = openBefore(program.tokens, here?.start ?? 0).at(-1)
    if (
      open !== undefined &&
      open.text !== '{' &&
      before !== undefined &&
      here !== undefined &&
      here.kind !== 'operator'
    )
      return insertEdit(program, endOf(before), ',')
  }
  return groups['sign'] === ':' && before !== undefined
    ? insertEdit(program, endOf(before), ':')
    : groups['sign'] === '(' && before !== undefined
      ? withParentheses(mistake, before)
      : []
}

/** `if x > 1 {` with its parentheses. */
function withParentheses({ program }: Mistake, word: Token): Edits {
  const rest = program.tokens.slice(program.tokens.indexOf(word) + 1)
  const body = rest.find(({ text, line }) => text === '{' || text === ':' || line > word.line)
  const [first] = rest
  if (first === undefined || body === undefined || body.text !== '{') return []
  const condition = program.code.slice(first.start, body.start).trimEnd()
  return spanEdit(program, first.start, first.start + condition.length, `(${condition})`)
}

/** The function around a place as an async one. */
function asyncAround({ program }: Mistake, at: Token): Edits {
  const { tokens } = program
  const open = openBefore(tokens, at.start).findLast(({ text }, index, all) => text === '{' && index === all.length - 1)
  const brace = open === undefined ? -1 : tokens.indexOf(open)
  for (let index = brace - 1; index >= 0 && index > brace - 40; index--) {
    const token = tokens[index]
    if (token?.text === 'function') return insertEdit(program, token.start, 'async ')
    if (token?.text !== '=>') continue
    const parameters = tokens[index - 1]
    if (parameters?.kind === 'name') return insertEdit(program, parameters.start, 'async ')
    const opening = tokens.slice(0, index).findLast(({ text }) => text === '(')
    return opening === undefined ? [] : insertEdit(program, opening.start, 'async ')
  }
  return []
}

/** A sign that stands where a value belongs: one of two, or of another language. */
export function javascriptToken(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const at = program.tokens.findIndex(({ start }) => start === place?.from)
  const [before, here] = [program.tokens[at - 1], program.tokens[at]]
  if (before === undefined || here === undefined) return []
  if (/^(?:const|let|var)$/.test(here.text) && before.text === '(') {
    const word = program.tokens[at - 2]
    const to = word === undefined ? undefined : meant(word.text, ['for'])
    return word === undefined || to === undefined ? [] : tokenEdit(program, word, to)
  }
  if (here.text === ',' && before.text === ',') return tokenEdit(program, here, '')
  if (here.text === '=' && /^[<>!]$/.test(before.text)) return []
  if (/^(?:=|==)$/.test(before.text) && /^[<>]$/.test(here.text))
    return spanEdit(program, before.start, endOf(here), `${here.text}=`)
  if (here.text === 'else' && before.text !== '}') return []
  // `x = 1 +;`: what stands before the end is a sign without its value.
  return here.text === ';' && /^(?:[-+*/%,]|&&|\|\|)$/.test(before.text) ? tokenEdit(program, before, '') : []
}
