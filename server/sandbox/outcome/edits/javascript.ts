// Edits of JavaScript: what QuickJS points at by line and column.
import { literalText, type Token } from '../program-text.ts'
import {
  closingIndex,
  endOf,
  insertEdit,
  lineEdit,
  placeOf,
  spanEdit,
  tokenEdit,
  type Edits,
  type Mistake,
} from './mistake.ts'
import { meant } from './names.ts'

/** `super()` as the first thing in the constructor. */
export function javascriptSuper({ program }: Mistake): Edits {
  const { tokens } = program
  const from = tokens.findIndex(({ text }) => text === 'extends')
  const at = tokens.findIndex(({ text }, index) => index > from && text === 'constructor')
  const open = from === -1 || at === -1 ? undefined : tokens[closingIndex(tokens, at + 1) + 1]
  return open?.text === '{' ? insertEdit(program, endOf(open), ' super();') : []
}

/** `?.` before a property of what may be missing. */
export function javascriptOptional(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (place?.from === undefined || error.message.startsWith('cannot set')) return []
  const sign = program.code[place.from]
  if (sign === '.') return spanEdit(program, place.from, place.from + 1, '?.')
  if (sign === '[') return insertEdit(program, place.from, '?.')
  const token = program.tokens.findIndex(({ start }) => start === place.from)
  const before = program.tokens[token - 1]
  return before?.text === '.' ? tokenEdit(program, before, '?.') : []
}

const takenApart = /^(\s{0,200}(?:const|let|var) ([[{])[^=]{1,200}[\]}] = )([^;]{1,200}?)(;?)(\s{0,200})$/

/** A default for what is taken apart: on the line of the error, or on the only one that takes something apart. */
export function javascriptDestructuring(mistake: Mistake): Edits {
  const { program } = mistake
  const found = program.lines.flatMap((text, at) => {
    const match = takenApart.exec(text.slice(0, 900))
    return match === null || /^[[{]/.test(match[3] ?? '') ? [] : [{ line: at + 1, match }]
  })
  const chosen = found.find(({ line }) => line === mistake.error.line) ?? (found.length === 1 ? found[0] : undefined)
  if (chosen === undefined) return []
  const [, head = '', kind, value = '', end = ''] = chosen.match
  const most = /[?|&]|=>/.test(value) ? `(${value})` : value
  return lineEdit(program, chosen.line, `${head}${most} ?? ${kind === '[' ? '[]' : '{}'}${end}`)
}

/** `new` before a class that is called. */
export function javascriptNew({ program }: Mistake): Edits {
  const { tokens } = program
  const classes = new Set(tokens.filter((_, at) => tokens[at - 1]?.text === 'class').map(({ text }) => text))
  const calls = tokens.filter(
    ({ text }, at) =>
      (classes.has(text) || /^(?:Map|Set|Promise|WeakMap)$/.test(text)) &&
      tokens[at + 1]?.text === '(' &&
      !/^(?:new|class|extends|\.)$/.test(tokens[at - 1]?.text ?? ''),
  )
  return calls.flatMap((token) => insertEdit(program, token.start, 'new '))
}

/** Whether a name is given a plain object. */
export const isObject = (tokens: readonly Token[], name: string): boolean => {
  const at = tokens.findIndex(({ text }, index) => text === name && tokens[index + 1]?.text === '=')
  return at !== -1 && tokens[at + 2]?.text === '{'
}

/** `for (const [k, v] of object)`. */
export function javascriptEntries(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const tokens = place?.tokens ?? []
  const at = tokens.findIndex(({ text }) => text === 'of')
  const [pair, owner, next] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
  if (at !== -1 && owner !== undefined && next?.text === ')') {
    if (owner.kind === 'number') return spanEdit(program, owner.start, endOf(owner), `Array(${owner.text}).keys()`)
    return owner.kind === 'name' && isObject(program.tokens, owner.text)
      ? tokenEdit(program, owner, `Object.${pair?.text === ']' ? 'entries' : 'keys'}(${owner.text})`)
      : []
  }
  const spread = tokens.findIndex(({ text }, index) => text === '...' && tokens[index - 1]?.text === '[')
  const spreadOf = tokens[spread + 1]
  return spread !== -1 && spreadOf?.kind === 'name' && isObject(program.tokens, spreadOf.text)
    ? tokenEdit(program, spreadOf, `Object.values(${spreadOf.text})`)
    : []
}

/** `let` for what changes. */
export function javascriptLet({ program, groups }: Mistake): Edits {
  const { tokens } = program
  const found = tokens.filter(({ text }, at) => text === 'const' && tokens[at + 1]?.text === groups['name'])
  return found.length === 1 && found[0] !== undefined ? tokenEdit(program, found[0], 'let') : []
}

/** `1n + 1`. */
export function javascriptBigint(mistake: Mistake): Edits {
  const { program, error } = mistake
  const tokens = placeOf(mistake)?.tokens ?? []
  if (!error.message.includes('convert bigint')) return []
  const numbers = tokens.filter(({ kind, text }) => kind === 'number' && /^\d{1,60}$/.test(text))
  const [only] = numbers
  return only === undefined || numbers.length > 1 ? [] : tokenEdit(program, only, `${only.text}n`)
}

/** A first value for `reduce`. */
export function javascriptReduce(mistake: Mistake): Edits {
  const tokens = placeOf(mistake)?.tokens ?? []
  const at = tokens.findIndex(({ text }) => text === 'reduce')
  const close = at === -1 ? undefined : tokens[closingIndex(tokens, at + 1)]
  return close === undefined ? [] : insertEdit(mistake.program, close.start, ', 0')
}

/** `'x' in text`. */
export function javascriptInText(mistake: Mistake): Edits {
  const { program, error } = mistake
  const tokens = placeOf(mistake)?.tokens ?? []
  const at = tokens.findIndex(({ text }) => text === 'in')
  const [left, right] = [tokens[at - 1], tokens[at + 1]]
  if (!error.message.includes("'in'") || left?.kind !== 'string' || right === undefined || right.kind === 'operator')
    return []
  return spanEdit(program, left.start, endOf(right), `${right.text}.includes(${left.text})`)
}

/** A path outside of the workspace, inside; only of what is written. */
export function javascriptPath({ program }: Mistake): Edits {
  const { tokens } = program
  const found = tokens.filter(
    ({ kind, text }, at) =>
      kind === 'string' && /^["'`](?:\/|\.\.\/|~)/.test(text) && tokens[at - 2]?.text === 'writeFile',
  )
  return found.flatMap((token) => {
    const path = literalText(token.text)
    const name = path.split('/').findLast((part) => part !== '' && part !== '..' && part !== '~')
    return name === undefined ? [] : renamedText(program, path, name)
  })
}

const renamedText = (program: Mistake['program'], from: string, to: string): Edits =>
  program.tokens
    .filter(({ kind, text }) => kind === 'string' && literalText(text) === from)
    .flatMap((token) => tokenEdit(program, token, token.text.replace(from, to)))

/** A file by the name that the program uses elsewhere. */
export function javascriptFileName({ program }: Mistake): Edits {
  const { tokens } = program
  const read = tokens.find(({ kind }, at) => kind === 'string' && tokens[at - 2]?.text === 'readFile')
  if (read === undefined) return []
  const others = tokens
    .filter(({ kind, text }) => kind === 'string' && text.includes('.'))
    .map(({ text }) => literalText(text))
  const to = meant(literalText(read.text), others)
  return to === undefined ? [] : tokenEdit(program, read, read.text.replace(literalText(read.text), to))
}

/** The second declaration of a name as a plain assignment, where the first one lets it change. */
export function javascriptRedeclared(mistake: Mistake): Edits {
  const { program } = mistake
  const { tokens } = program
  const declared = new Map<string, string>()
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1]
    if (!/^(?:let|const|var)$/.test(token.text) || name?.kind !== 'name') continue
    const first = declared.get(name.text)
    if (first !== undefined && token.line <= (placeOf(mistake)?.line ?? token.line))
      return first === 'const' ? [] : spanEdit(program, token.start, name.start, '')
    declared.set(name.text, first ?? token.text)
  }
  return []
}

/** An import whose names are not used. */
export function javascriptModule({ program }: Mistake): Edits {
  return program.lines.flatMap((text, at) => {
    const [, name] = /^\s{0,40}import (?:\* as )?(\w{1,60}) from ["'][^"']{1,200}["'];?\s{0,40}$/.exec(text) ?? []
    const used = program.tokens.filter((token) => token.kind === 'name' && token.text === name).length
    return name === undefined || used > 1 ? [] : lineEdit(program, at + 1, '')
  })
}

/** `let` for a constant without a value. */
export function javascriptConstValue(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const token = place?.tokens.find(({ text }) => text === 'const')
  return token === undefined ? [] : tokenEdit(mistake.program, token, 'let')
}

/** `return x` at the top level, where it can only be meant to be seen. */
export function javascriptReturn(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const found = /^(\s{0,200})return (.{1,500}?);?$/.exec(place?.code ?? '')
  return groups['word'] === 'return' && place !== undefined && found !== null
    ? lineEdit(program, place.line, `${found[1]}console.log(${found[2]});`)
    : []
}
