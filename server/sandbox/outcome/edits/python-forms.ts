// Edits of statements that are written as Python does not have them.
import { indentOf } from '../program-text.ts'
import {
  callOf,
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

/** `print x` of Python 2. */
export function pythonPrint(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const name = groups['name'] ?? 'print'
  const spans = program.lines.flatMap((text, at) => {
    const indent = indentOf(text)
    const code = text.trimEnd()
    if (!code.startsWith(`${indent}${name} `) || /^\s{0,5}[(=]/.test(code.slice(indent.length + name.length))) return []
    const start = (program.starts[at] ?? 0) + indent.length + name.length
    const comment = program.tokens.find((token) => token.kind === 'comment' && token.line === at + 1)
    const end =
      comment === undefined
        ? (program.starts[at] ?? 0) + code.length
        : program.code.slice(0, comment.start).trimEnd().length
    const inner = program.code.slice(start, end).trim()
    // A text of several lines, or two values without a comma: that takes more than brackets.
    if (
      inner.split('"""').length % 2 === 0 ||
      /[\w")\]] [\w"]/.test(
        inner.replace(/"[^"]{0,500}"|'[^']{0,500}'/g, '""').replace(/ (?:if|else|and|or|not|in|is|for) /g, '+'),
      )
    )
      return []
    return [{ start, end, after: `(${inner.endsWith(',') ? `${inner} end=' '` : inner})` }]
  })
  return spanEdits(program, spans)
}

/** Numbers with zeros in front. */
export function pythonNumber(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const zeros = place?.tokens.filter(({ kind, text }) => kind === 'number' && /^0[\d_]{1,40}$/.test(text)) ?? []
  if (zeros.length > 0)
    return zeros.flatMap((token) => tokenEdit(program, token, token.text.replace(/^[0_]{1,40}(?=\d)/, '')))
  const glued = place?.tokens.find(
    ({ kind, text }) => kind === 'number' && /^\d{1,20}(?:pi|e|tau|[a-zA-Z]\w{0,60})$/.test(text),
  )
  if (glued === undefined) return []
  const [, digits = '', name = ''] = /^(\d{1,20})(\w{1,60})$/.exec(glued.text) ?? []
  const known = program.tokens.some(({ kind, text }) => kind === 'name' && text === name)
  return known ? tokenEdit(program, glued, `${digits} * ${name}`) : []
}

/** A text with backslashes, as it is written. */
export function pythonRawText(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const token = place?.tokens.find(({ kind, text }) => kind === 'string' && text.includes('\\') && /^["']/.test(text))
  return token === undefined ? [] : insertEdit(mistake.program, token.start, 'r')
}

/** `return x` at the top level, where it can only be meant to be seen. */
export function pythonReturn(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const [first, second] = place?.tokens ?? []
  if (groups['word'] !== 'return' || place === undefined || first?.text !== 'return' || second === undefined) return []
  return lineEdit(
    program,
    place.line,
    `${place.indent}print(${place.code.trim().slice('return'.length).trim()})${place.text.slice(place.code.length)}`,
  )
}

/** `except A, B:` with its parentheses. */
export function pythonExceptList(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const found = /^(\s{0,200}except )([\w., ]{1,300}?)( as \w{1,100})?:/.exec(place?.code ?? '')
  if (place === undefined || found === null) return []
  const [whole, head = '', list = '', name = ''] = found
  return lineEdit(program, place.line, `${head}(${list})${name}:${place.text.slice(whole.length)}`)
}

/** `import a from b`, a comma at the end of an import, an import from the future that comes too late. */
export function pythonImportForm(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const turned = /^(\s{0,200})import ([\w*, ]{1,300}) from ([\w.]{1,200})$/.exec(place.code)
  if (turned !== null) return lineEdit(program, place.line, `${turned[1]}from ${turned[3]} import ${turned[2]}`)
  if (error.message.startsWith('trailing comma')) return lineEdit(program, place.line, place.code.replace(/,$/, ''))
  if (!error.message.startsWith('from __future__')) return []
  const [top = ''] = program.lines
  return [...lineEdit(program, place.line, ''), { line: 1, before: top, after: `${place.text.trim()}\n${top}` }]
}

/** The pair before `for` of a comprehension, in parentheses; the parameters of a lambda without them. */
export function pythonComprehension(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (place?.from === undefined || place.to === undefined || !error.message.startsWith('did you forget')) return []
  const inner = program.code.slice(place.from, place.to)
  return spanEdit(program, place.from, place.to, `(${inner})`)
}

/** `lambda (a, b):`, and arguments by name before the others. */
export function pythonArgumentOrder(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  const at = place?.tokens.findIndex(({ text }) => text === 'lambda') ?? -1
  const open = place?.tokens[at + 1]
  if (place !== undefined && at >= 0 && open?.text === '(' && error.message.startsWith('Lambda')) {
    const close = place.tokens[closingIndex(place.tokens, at + 1)]
    return close === undefined
      ? []
      : spanEdit(program, open.start, endOf(close), program.code.slice(endOf(open), close.start))
  }
  if (place === undefined || !error.message.startsWith('positional argument follows keyword')) return []
  const call = place.tokens.find(
    (token, index) => token.kind === 'name' && place.tokens[index + 1]?.text === '(' && token.text !== 'def',
  )
  const found = call === undefined ? undefined : callOf(place.tokens, [call.text])
  if (found === undefined || found.inner.some(({ text }) => /^[([{]$/.test(text))) return []
  const parts = program.code
    .slice(endOf(found.open), found.close.start)
    .split(',')
    .map((part) => part.trim())
  const isNamed = (part: string): boolean => /^\w{1,100} ?=(?!=)/.test(part)
  return spanEdit(
    program,
    endOf(found.open),
    found.close.start,
    [...parts.filter((part) => !isNamed(part)), ...parts.filter(isNamed)].join(', '),
  )
}
