// Edits of the form of a program: indentation, keywords that are misspelt, and signs of other languages.
import { codeOf, indentOf } from '../program-text.ts'
import {
  endOf,
  insertEdit,
  lineEdit,
  placeOf,
  spanEdit,
  spanEdits,
  tokenEdit,
  type Edits,
  type Mistake,
  type Place,
} from './mistake.ts'
import { meant } from './names.ts'
import { missingComma, pythonCloseBracket } from './python-syntax.ts'
import { pythonBuiltins, pythonKeywords } from './python-words.ts'

/** Tabs at the beginning of lines as spaces: eight, as Python counts them, where spaces go that far. */
export function pythonTabs({ program }: Mistake): Edits {
  const tab = ' '.repeat(program.lines.some((text) => text.startsWith(' '.repeat(8))) ? 8 : 4)
  return program.lines.flatMap((text, at) =>
    lineEdit(program, at + 1, indentOf(text).replaceAll('\t', tab) + text.trimStart()),
  )
}

/** The body of a block: the next line further in, or `pass` where there is none. */
export function pythonMissingBlock(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const head = Number(groups['line'] ?? 0)
  const above = program.lines[head - 1]
  if (above === undefined) return []
  const indent = indentOf(above)
  const at = program.lines.findIndex(
    (text, index) => index >= head && text.trim() !== '' && codeOf(program, index + 1).trim() !== '',
  )
  const next = at === -1 ? undefined : program.lines[at]
  const after = program.lines.slice(at + 1).find((text) => text.trim() !== '')
  const slipped = at !== -1 && after !== undefined && indentOf(after).length > indent.length + 4
  const begins =
    next === undefined ||
    indentOf(next).length < indent.length ||
    /^(?:def|class|elif|else|except|finally|@|if __name__)/.test(next.trimStart())
  if (next === undefined || (begins && !slipped))
    return insertEdit(program, (program.starts[head - 1] ?? 0) + codeOf(program, head).length, ' pass')
  return indented(mistake, at + 1, `${indent}    `)
}

/** The line, and those below that stand as far in, begun with another indentation. */
function indented({ program }: Mistake, line: number, to: string): Edits {
  const before = program.lines[line - 1] ?? ''
  const width = indentOf(before).length
  const edits = [...lineEdit(program, line, to + before.trimStart())]
  const below = program.lines.slice(line).find((text) => text.trim() !== '')
  // Only this line slipped, where what follows already stands in the block.
  if (!codeOf(program, line).endsWith(':') || (below !== undefined && indentOf(below).length > to.length)) return edits
  for (let at = line + 1; at <= program.lines.length; at++) {
    const text = program.lines[at - 1] ?? ''
    if (text.trim() === '') continue
    if (indentOf(text).length <= width) break
    edits.push(...lineEdit(program, at, to + ' '.repeat(indentOf(text).length - width) + text.trimStart()))
  }
  return edits
}

/** A line that begins where no block does. */
export function pythonIndent(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const above = program.lines
    .slice(0, place.line - 1)
    .findLast((text) => text.trim() !== '' && !text.trimStart().startsWith('#'))
  const width = place.indent.length
  if (error.message.startsWith('unexpected indent')) {
    const to = above === undefined ? '' : indentOf(above)
    const edits: Edits[number][] = []
    // All lines of the stretch that is too far in move back by as much.
    for (let at = place.line; at <= program.lines.length; at++) {
      const text = program.lines[at - 1] ?? ''
      if (text.trim() === '') continue
      if (indentOf(text).length < width) break
      edits.push(...lineEdit(program, at, to + ' '.repeat(indentOf(text).length - width) + text.trimStart()))
    }
    return edits
  }
  const levels = program.lines
    .slice(0, place.line - 1)
    .filter((text) => text.trim() !== '')
    .map((text) => indentOf(text))
  const near = levels.toReversed().toSorted((a, b) => Math.abs(a.length - width) - Math.abs(b.length - width))[0]
  return near === undefined ? [] : lineEdit(program, place.line, near + place.text.trimStart())
}

/** `except` or `finally`, misspelt. */
export function pythonExceptTypo(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const [first] = place?.tokens ?? []
  const to = first === undefined ? undefined : meant(first.text, ['except', 'finally'])
  return first === undefined || to === undefined ? [] : tokenEdit(mistake.program, first, to)
}

type Attempt = (mistake: Mistake, place: Place) => Edits

/** Signs of other languages, by token. */
const signs: Readonly<Record<string, string>> = { '&&': ' and ', '||': ' or ', '=<': '<=', '=>': '>=' }

const attempts: readonly Attempt[] = [
  // Copied from an interpreter.
  ({ program }, { code }) => {
    if (!/^\s{0,40}(?:>>>|\.\.\.) /.test(code)) return []
    return program.lines.flatMap((text, at) => lineEdit(program, at + 1, text.replace(/^\s{0,40}(?:>>>|\.\.\.) ?/, '')))
  },
  ({ program }, { code, line }) => {
    const elif = code.replace(/^(\s{0,200})(?:else if|elseif|elsif|elsei)\b/, '$1elif')
    return elif === code ? [] : lineEdit(program, line, elif)
  },
  // An older line that opens a bracket and does not close it.
  (mistake, { line }) => {
    const above = mistake.program.lines.slice(0, line - 1).findLastIndex((text) => text.trim() !== '') + 1
    const open = mistake.program.tokens.filter((token) => token.line === above && token.kind === 'operator')
    const depth =
      open.filter(({ text }) => /^[([{]$/.test(text)).length - open.filter(({ text }) => /^[)\]}]$/.test(text)).length
    if (depth <= 0) return []
    const unclosed = open.filter(({ text }) => /^[([{]$/.test(text))[0]
    const text = codeOf(mistake.program, above)
    if (unclosed === undefined || /[,([{]$/.test(text)) return []
    return pythonCloseBracket({ ...mistake, groups: { open: unclosed.text }, error: { ...mistake.error, line: above } })
  },
  ({ program }, { tokens, start, code }) => {
    const spans = tokens.flatMap((token, at) => {
      const next = tokens[at + 1]
      if (token.text === '&&' || token.text === '||')
        return [{ start: token.start, end: endOf(token), after: (signs[token.text] ?? '').trim() }]
      if (token.text === '|' && next?.text === '|') return [{ start: token.start, end: token.start + 2, after: 'or' }]
      if (token.text === '!' && next !== undefined && next.kind !== 'operator')
        return [{ start: token.start, end: token.start + 1, after: 'not ' }]
      if (token.text === '===') return [{ start: token.start, end: endOf(token), after: '==' }]
      if (token.text === '!==') return [{ start: token.start, end: endOf(token), after: '!=' }]
      if (token.text === '==' && next?.text === '=' && next.start === endOf(token))
        return [{ start: token.start, end: endOf(next), after: '==' }]
      if (token.text === '<' && next?.text === '>' && next.start === endOf(token))
        return [{ start: token.start, end: endOf(next), after: '!=' }]
      if (token.text === '=' && /^[<>!]$/.test(next?.text ?? '') && next?.start === endOf(token))
        return [{ start: token.start, end: endOf(next), after: `${next.text}=` }]
      if (token.text === '=>') return [{ start: token.start, end: endOf(token), after: '>=' }]
      if (token.text === '++' || token.text === '--')
        return at === 1 && next === undefined
          ? [{ start: token.start, end: endOf(token), after: ` ${token.text[0]}= 1` }]
          : []
      if (token.text === '*' && next?.text === '*' && next.start > endOf(token))
        return [{ start: token.start, end: endOf(next), after: '**' }]
      if (/^[-+*/%]$/.test(token.text) && next?.text === '=' && next.start > endOf(token))
        return [{ start: token.start, end: endOf(next), after: `${token.text}=` }]
      if (token.text === ',' && next?.text === ',') return [{ start: token.start, end: endOf(next), after: ',' }]
      return []
    })
    return start >= 0 && code !== '' ? spanEdits(program, spans) : []
  },
  // `:=` as a statement of its own, `;` in a list, `if x;`.
  ({ program }, { tokens }) => {
    const [first, second] = tokens
    if (first?.kind === 'name' && second?.text === ':=') return tokenEdit(program, second, '=')
    let depth = 0
    const wrong = tokens.filter(({ kind, text }) => {
      if (kind === 'operator' && /^[([{]$/.test(text)) depth++
      if (kind === 'operator' && /^[)\]}]$/.test(text)) depth--
      return text === ';' && depth > 0
    })
    if (wrong.length > 0)
      return spanEdits(
        program,
        wrong.map((token) => ({ start: token.start, end: endOf(token), after: ',' })),
      )
    const last = tokens.at(-1)
    if (last?.text === ';' && tokens.at(-2)?.text === ':') return tokenEdit(program, last, '')
    return last?.text === ';' && /^(?:if|elif|else|while|for|def|class|try|with)$/.test(first?.text ?? '')
      ? tokenEdit(program, last, ':')
      : []
  },
  // Declarations of JavaScript.
  ({ program }, { tokens }) => {
    const [first, second, third] = tokens
    if (first === undefined || second?.kind !== 'name') return []
    if (/^(?:const|let|var)$/.test(first.text) && third?.text === '=')
      return spanEdit(program, first.start, second.start, '')
    return /^(?:function|func|fn|define|sub)$/.test(first.text) && third?.text === '('
      ? tokenEdit(program, first, 'def')
      : []
  },
  // `for x range(3):`, `for i in range 3:`.
  ({ program }, { tokens }) => {
    const [first, second, third] = tokens
    if (
      first?.text === 'for' &&
      second?.kind === 'name' &&
      third?.kind === 'name' &&
      third.text !== 'in' &&
      tokens.every(({ text }) => text !== 'in')
    )
      return insertEdit(program, third.start, 'in ')
    const at = tokens.findIndex(
      ({ text }, index) =>
        /^(?:range|len|print)$/.test(text) && /^(?:name|number|string)$/.test(tokens[index + 1]?.kind ?? ''),
    )
    const argument = tokens[at + 1]
    const name = tokens[at]
    return name === undefined || argument === undefined || at === -1
      ? []
      : spanEdit(program, endOf(name), endOf(argument), `(${argument.text})`)
  },
  ({ program }, place) => misspelt(program, place),
  // A list of several lines in which a comma is missing at the end of the line above.
  (mistake, { line, tokens }) => {
    const { program } = mistake
    const above = program.tokens.findLast((token) => token.line < line && token.kind !== 'comment')
    const open = program.tokens.filter((token) => token.line < line && token.kind === 'operator')
    const depth =
      open.filter(({ text }) => /^[([{]$/.test(text)).length - open.filter(({ text }) => /^[)\]}]$/.test(text)).length
    const ends = above !== undefined && (above.kind !== 'operator' || /^[)\]}]$/.test(above.text))
    return depth > 0 && ends && tokens[0]?.kind !== 'operator' ? insertEdit(program, endOf(above), ',') : []
  },
  ({ program }, { tokens, from }) => {
    const at = tokens.findIndex(({ start }) => start === from)
    const [before, here] = [tokens[at - 1], tokens[at]]
    // `len.('hello')`
    return before?.text === '.' && here?.text === '(' ? tokenEdit(program, before, '') : []
  },
]

/** Whether a keyword may stand at this place of a line, by what else stands there. */
function isFitting(word: string, index: number, tokens: Place['tokens']): boolean {
  const has = (text: string): boolean => tokens.some((token) => token.text === text)
  if (index > 0) return !/^(?:def|class|import|while|try|with|return|raise|del|pass)$/.test(word) || word === 'import'
  if (word === 'from') return has('import')
  if (word === 'for') return has('in') && has(':')
  return !/^(?:and|or|in|is|as|None|True|False|not|lambda|await)$/.test(word)
}

/** A keyword with a letter wrong: beside the place that cannot be read, or the first word of the line. */
function misspelt(program: Mistake['program'], { tokens, from }: Place): Edits {
  const at = from === undefined ? -1 : tokens.findIndex(({ start }) => start >= from)
  const candidates = [tokens[0], at === -1 ? tokens.at(-2) : tokens[at - 1], tokens[at], tokens[at - 2]]
  for (const token of candidates) {
    if (token?.kind !== 'name' || pythonKeywords.has(token.text) || pythonBuiltins.has(token.text)) continue
    const known = program.tokens.filter(({ kind, text }) => kind === 'name' && text === token.text).length
    const index = tokens.indexOf(token)
    const next = tokens[index + 1]
    const plausible = index === 0 ? next !== undefined && (next.kind !== 'operator' || next.text === ':') : true
    const fitting = pythonKeywords.likely(token.text).filter((word) => isFitting(word, index, tokens))
    const to = meant(token.text, fitting)
    if (to !== undefined && known <= 2 && plausible) return tokenEdit(program, token, to)
  }
  return []
}

/** What can be done about a line of which Python says nothing nearer. */
export function pythonInvalidSyntax(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  if (place === undefined) return []
  for (const attempt of attempts) {
    const edits = attempt(mistake, place)
    if (edits.length > 0) return edits
  }
  return []
}

/** Words that stand beside each other where Python asks for a comma: often a keyword is misspelt, or a sign of JavaScript. */
export function pythonComma(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  if (place === undefined) return []
  const typo =
    place.tokens[0]?.kind === 'name' && !/[([{]/.test(place.code.slice(0, 12)) ? misspelt(mistake.program, place) : []
  return typo.length > 0 ? typo : missingComma(mistake)
}
