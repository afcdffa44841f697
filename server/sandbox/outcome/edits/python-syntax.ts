// Edits of programs that Python does not read: a sign that is missing, or one too many.
import { indentOf, literalText, type Token } from '../program-text.ts'
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

/** The colon at the end of a line that begins a block. */
export function pythonColon(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const elif = place.code.replace(/^(\s{0,200})else if\b/, '$1elif')
  if (elif !== place.code) return lineEdit(program, place.line, elif + place.text.slice(place.code.length))
  const last = place.tokens.at(-1)
  if (last?.text === ';' || last?.text === '{') return tokenEdit(program, last, ':')
  // A one-line body stands behind the place where the colon is missing.
  if (
    place.from !== undefined &&
    place.from < place.start + place.code.length &&
    last !== undefined &&
    place.from < last.start + last.text.length
  ) {
    const before = place.tokens.findLast((token) => endOf(token) <= (place.from ?? 0))
    return before === undefined ? [] : insertEdit(program, endOf(before), ':')
  }
  return insertEdit(program, place.start + place.code.length, ':')
}

/** `def name:` without its parameters. */
export function pythonParameters(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const at = place?.tokens.findIndex(({ text }) => text === 'def') ?? -1
  const [name, next] = [place?.tokens[at + 1], place?.tokens[at + 2]]
  return at >= 0 && name?.kind === 'name' && next?.text === ':' ? insertEdit(mistake.program, endOf(name), '()') : []
}

/** The end of a bracket that nothing closes: that of its line, or of the lines below that stand further in. */
export function pythonCloseBracket(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const closing = closerOf(groups['open'] ?? '')
  let line = place.line
  const isFurther = (text: string): boolean => text.trim() !== '' && indentOf(text).length > place.indent.length
  const continues = /[([{,+\-*/%=|&]$/.test(place.code) || /\b(?:and|or|not|in|if|else|for)$/.test(place.code)
  if (continues) while (line < program.lines.length && isFurther(program.lines[line] ?? '')) line++
  const after = program.lines[line] ?? ''
  // The line below closes another bracket of the same statement.
  if (continues && /^\s{0,200}[)\]}]/.test(after) && line > place.line && after.trim() !== closing) line++
  const last = line === place.line ? place.code : (program.lines[line - 1] ?? '').trimEnd()
  const end = (program.starts[line - 1] ?? 0) + last.length
  const body =
    line === place.line &&
    /^\s{0,200}(?:if|elif|while|for|def|class|with|async|except)\b/.test(last) &&
    last.endsWith(':')
  if (!body) return insertEdit(program, end, closing)
  return insertEdit(program, end - 1, closing)
}

/** A closing bracket too many, or of the wrong kind. */
export function pythonUnmatchedBracket(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  if (place?.from === undefined) return []
  const given = groups['close'] ?? groups['given']
  if (program.code[place.from] !== given) return []
  return spanEdit(program, place.from, place.from + 1, groups['open'] === undefined ? '' : closerOf(groups['open']))
}

/** The quotation mark that is missing at the end of a text, or another pair where the text holds one of its own kind. */
export function pythonCloseString(mistake: Mistake): Edits {
  const { program, groups, error } = mistake
  const place = placeOf(mistake)
  if (place?.from === undefined) return []
  if (groups['triple'] !== undefined) {
    const quote = program.code.slice(place.from).match(/^[a-zA-Z]{0,2}("""|''')/)?.[1] ?? '"""'
    const last = program.lines.findLastIndex((text) => text.trim() !== '')
    return lineEdit(program, last + 1, `${(program.lines[last] ?? '').trimEnd()}${quote}`)
  }
  const rest = program.code.slice(place.start, place.start + place.text.length)
  const code = rest.trimEnd()
  const local = place.from - place.start
  const quoteAt = code.slice(local).search(/["']/) + local
  const quote = code[quoteAt] ?? '"'
  const other = quote === '"' ? "'" : '"'
  const [first, second, third] = [code.indexOf(quote), code.lastIndexOf(quote), code.split(quote).length - 1]
  // 'I don't mind': three of a kind, of which the one in the middle belongs to a word.
  if (third === 3 && !code.includes(other) && /\w'\w/.test(code) && quote === "'")
    return lineEdit(
      program,
      place.line,
      `${code.slice(0, first)}"${code.slice(first + 1, second)}"${code.slice(second + 1)}`,
    )
  if (code.endsWith(`\\${quote}`) || /\\["'][)\]}]{0,5}:?$/.test(code)) {
    const at = code.lastIndexOf(`\\${quote}`)
    return at === -1 ? [] : insertEdit(program, place.start + at, '\\')
  }
  if (error.message.includes('f-string') && code.split('{').length > code.split('}').length) return []
  // `"total: + str(total))` and `", .join(names))`: what follows looks like code.
  const inner = code.slice(quoteAt + 1)
  const joined =
    /^(.{0,300}?)( [+%] [a-z_][\w.]{0,60}(?:[([].{0,200})?|\.(?:join|format|split|upper|lower|strip)\(.{0,200})$/.exec(
      inner,
    )
  if (joined !== null) return insertEdit(program, place.start + quoteAt + 1 + (joined[1] ?? '').length, quote)
  const opened = balance(code.slice(0, quoteAt))
  const tail = /[)\]}]{1,9}$/.exec(code.replace(/:$/, ''))?.[0] ?? ''
  const heads = /^\s{0,200}(?:if|elif|while|for|def|with|case)\b/.test(code) && code.endsWith(':')
  const closing = Math.min(Math.max(0, opened), tail.length) + (heads || (opened > 0 && /[)\]}]:$/.test(code)) ? 1 : 0)
  const comma = closing === 0 && code.endsWith(',') ? 1 : 0
  return insertEdit(program, place.start + code.length - closing - comma, quote)
}

const balance = (text: string): number => text.split(/[([{]/).length - text.split(/[)\]}]/).length

/** Braces of an f-string: a single one is doubled, an open one closed. */
export function pythonFString(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  const token = place?.tokens.find(({ kind, text }) => kind === 'string' && /^[rRbB]?[fF]/.test(text))
  if (token === undefined) return []
  const { text } = token
  const inner = literalText(text)
  const at = text.indexOf(inner)
  const [opens, closes] = [inner.split('{').length, inner.split('}').length]
  if (error.message.includes("single '}'") && closes > opens) {
    const brace = inner.search(/(?<!\})\}(?!\})/)
    if (opens === 1 && brace !== -1)
      return tokenEdit(program, token, text.slice(0, at) + inner.replaceAll('}', '}}') + text.slice(at + inner.length))
    return []
  }
  if (opens > closes && opens - closes === 1) {
    const word = /\{[\w.[\]()]{1,100}/g
    const last = [...inner.matchAll(word)].findLast((found) => inner[found.index + found[0].length] !== '}')
    if (last === undefined) return []
    const end = at + last.index + last[0].length
    return tokenEdit(program, token, `${text.slice(0, end)}}${text.slice(end)}`)
  }
  if (/\{\s{0,5}\}/.test(inner))
    return tokenEdit(
      program,
      token,
      text.slice(0, at) + inner.replace(/\{\s{0,5}\}/, '{{}}') + text.slice(at + inner.length),
    )
  return []
}

/** A single `=` where `==`, `:` or nothing of the kind was meant. */
export function pythonEquals(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const { tokens } = place
  const at = tokens.findIndex(({ text, start }) => text === '=' && (place.from === undefined || start >= place.from))
  const sign = tokens[at]
  if (sign === undefined) return []
  const keyword = tokens[0]?.text ?? ''
  if (/^(?:if|elif|while|assert|return)$/.test(keyword)) {
    // A call in the condition may have arguments by name.
    const loose = tokens.filter(
      (token, index) => token.text === '=' && depthAt(tokens, index) === depthOfCondition(tokens),
    )
    return loose.length === 1 && loose[0] !== undefined ? tokenEdit(program, loose[0], '==') : []
  }
  const before = tokens[at - 1]
  const open = openingBefore(tokens, at)
  if (before?.kind === 'string' && open?.text === '{')
    return spanEdits(
      program,
      tokens
        .filter((token, index) => token.text === '=' && openingBefore(tokens, index) === open)
        .map((token) => ({ start: token.start, end: token.start + 1, after: ': ' })),
    )
  if (before?.kind === 'string' && open?.text === '(' && /^["']\w{1,60}["']$/.test(before.text))
    return spanEdit(program, before.start, endOf(before), literalText(before.text))
  const [left, minus, right] = tokens
  if (at === 3 && left?.kind === 'name' && minus?.text === '-' && right?.kind === 'name')
    return renamedHyphen(mistake, left.text, right.text)
  return []
}

const renamedHyphen = ({ program }: Mistake, left: string, right: string): Edits =>
  spanEdits(
    program,
    program.tokens.flatMap((token, at) =>
      token.text === left && program.tokens[at + 1]?.text === '-' && program.tokens[at + 2]?.text === right
        ? [{ start: token.start, end: token.start + left.length + 1 + right.length, after: `${left}_${right}` }]
        : [],
    ),
  )

const depthAt = (tokens: readonly Token[], index: number): number => {
  const before = tokens.slice(0, index).filter(({ kind }) => kind === 'operator')
  return (
    before.filter(({ text }) => /^[([{]$/.test(text)).length - before.filter(({ text }) => /^[)\]}]$/.test(text)).length
  )
}

const depthOfCondition = (tokens: readonly Token[]): number =>
  tokens[1]?.text === '(' && closingIndex(tokens, 1) >= tokens.length - 2 ? 1 : 0

function openingBefore(tokens: readonly Token[], index: number): Token | undefined {
  let depth = 0
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at]
    if (token?.kind !== 'operator') continue
    if (/^[)\]}]$/.test(token.text)) depth++
    else if (/^[([{]$/.test(token.text) && depth-- === 0) return token
  }
  return undefined
}

/** The comma between two values that stand beside each other. */
export function missingComma(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place?.from === undefined) return []
  const from = place.from
  const tokens = program.tokens.filter(({ kind, start }) => kind !== 'comment' && start >= from)
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (at > 60) break
    const next = tokens[at + 1]
    if (token.kind === 'operator' && /^[([{]$/.test(token.text)) depth++
    if (token.kind === 'operator' && /^[)\]}]$/.test(token.text)) depth--
    if (depth < 0) break
    const ends = token.kind !== 'operator' || /^[)\]}]$/.test(token.text)
    const begins = next !== undefined && (next.kind !== 'operator' || /^[[{(]$/.test(next.text))
    const isWord = (one: Token | undefined): boolean =>
      one?.kind === 'name' && /^(?:and|or|not|in|is|if|else|for|lambda|await|async)$/.test(one.text)
    if (
      depth === 0 &&
      ends &&
      begins &&
      next !== undefined &&
      !isWord(token) &&
      !isWord(next) &&
      !(token.kind === 'string' && next.kind === 'string') &&
      next.text !== '(' &&
      next.text !== '['
    )
      return insertEdit(program, endOf(token), ',')
  }
  return []
}
