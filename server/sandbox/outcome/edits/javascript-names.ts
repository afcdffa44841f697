// Edits of JavaScript’s names: the one that was meant, and what other languages call it.
import { Vocabulary } from '../../../errors/nearest.ts'
import type { Token } from '../program-text.ts'
import { isObject } from './javascript.ts'
import { endOf, lineEdit, placeOf, spanEdit, tokenEdit, type Edits, type Mistake } from './mistake.ts'
import { meant, namesIn, renamed } from './names.ts'

const globals = new Vocabulary(
  'Array Boolean Date Error JSON Map Math Number Object Promise RegExp Set String Symbol WeakMap console parseInt parseFloat isNaN isFinite undefined NaN Infinity BigInt print readFile writeFile listFiles encodeURIComponent decodeURIComponent Reflect Proxy globalThis TypeError RangeError Uint8Array'.split(
    ' ',
  ),
)

const methods = new Vocabulary(
  'push pop shift unshift slice splice concat join reverse sort indexOf lastIndexOf includes find findIndex findLast filter map flatMap flat forEach reduce reduceRight some every fill keys values entries at charAt charCodeAt codePointAt startsWith endsWith padStart padEnd repeat replace replaceAll split substring toLowerCase toUpperCase trim trimStart trimEnd match matchAll search toString toFixed toISOString getTime getFullYear getMonth getDate getDay hasOwnProperty set get has delete add clear then catch finally log error warn info stringify parse abs ceil floor max min pow random round sqrt trunc sign assign freeze fromEntries isArray from of isInteger'.split(
    ' ',
  ),
)

/** Words of other languages. */
const words: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  nil: 'null',
  NULL: 'null',
  TRUE: 'true',
  FALSE: 'false',
  self: 'this',
  str: 'String',
  int: 'parseInt',
  float: 'parseFloat',
  elif: 'else if',
}

const declares = new Set(['const', 'let', 'var', 'function', 'class'])
const follows = new Set(['=', ',', ')', '}', ']', '=>'])

/** A name that is not declared, as it was meant. */
export function javascriptName({ program, groups }: Mistake): Edits {
  const name = groups['name'] ?? ''
  const { tokens } = program
  if (name === 'len') {
    const at = tokens.findIndex(({ text }, index) => text === 'len' && tokens[index + 1]?.text === '(')
    const [from, inner, close] = [tokens[at], tokens[at + 2], tokens[at + 3]]
    return from !== undefined && inner?.kind === 'name' && close?.text === ')'
      ? spanEdit(program, from.start, endOf(close), `${inner.text}.length`)
      : []
  }
  const word = Object.hasOwn(words, name) ? words[name] : undefined
  if (word !== undefined && name !== 'elif') return renamed(program, name, word)
  const declared = tokens.filter(
    ({ kind }, at) =>
      kind === 'name' && (declares.has(tokens[at - 1]?.text ?? '') || follows.has(tokens[at + 1]?.text ?? '')),
  )
  const to = meant(name, [...declared.map(({ text }) => text), ...globals.likely(name)])
  return to === undefined ? [] : renamed(program, name, to)
}

/** What Node has for files, as the sandbox has it. */
export function javascriptHostApi(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const name = groups['name']
  if (name === 'structuredClone')
    return program.lines.flatMap((text, at) =>
      lineEdit(program, at + 1, text.replace(/\bstructuredClone\(([\w.]{1,60})\)/g, 'JSON.parse(JSON.stringify($1))')),
    )
  if (name === 'window')
    return program.lines.flatMap((text, at) => lineEdit(program, at + 1, text.replace(/\bwindow\./g, 'globalThis.')))
  if (name === 'alert') return renamed(program, 'alert', 'console.log')
  if (name === 'performance')
    return program.lines.flatMap((text, at) =>
      lineEdit(program, at + 1, text.replaceAll('performance.now()', 'Date.now()')),
    )
  if (name === 'module' || name === 'exports')
    return place !== undefined && /^\s{0,40}(?:module\.)?exports\b/.test(place.code)
      ? lineEdit(program, place.line, '')
      : []
  if (name === 'process')
    return program.lines.flatMap((text, at) =>
      lineEdit(program, at + 1, text.replace(/\bprocess\.stdout\.write\(/g, 'console.log(')),
    )
  const found = /^\s{0,40}(?:const|let|var) (\w{1,40}) = require\(['"](?:node:)?fs['"]\);?\s{0,40}$/.exec(
    place?.text ?? '',
  )
  if (name !== 'require' || found === null || place === undefined) return []
  const reads = (text: string): string =>
    text
      .replaceAll(`${found[1]}.readFileSync(`, 'readFile(')
      .replaceAll(`${found[1]}.writeFileSync(`, 'writeFile(')
      .replace(/(\breadFile\([^,()]{1,200}), ?['"]utf-?8['"]\)/g, '$1)')
  const others = program.lines.flatMap((text, at) =>
    at + 1 === place.line ? [] : lineEdit(program, at + 1, reads(text)),
  )
  return program.lines.some((text, at) => at + 1 !== place.line && reads(text).includes(`${found[1]}.`))
    ? []
    : [...lineEdit(program, place.line, ''), ...others]
}

const meanings: Readonly<Record<string, string>> = {
  append: 'push',
  add: 'push',
  extend: 'push',
  contains: 'includes',
  has: 'includes',
  upper: 'toUpperCase',
  lower: 'toLowerCase',
  strip: 'trim',
  toUppercase: 'toUpperCase',
  toLowercase: 'toLowerCase',
  startswith: 'startsWith',
  endswith: 'endsWith',
  items: 'entries',
  index: 'indexOf',
  toupper: 'toUpperCase',
  tolower: 'toLowerCase',
  each: 'forEach',
  foreach: 'forEach',
  println: 'log',
  len: 'length',
  size: 'length',
  count: 'length',
}

const ofLists = new Set(['map', 'filter', 'forEach', 'reduce'])
const isPoint = (token: Token | undefined): boolean => token?.text === '.' || token?.text === '?.'

/** The method that was meant, or a property that is no function. */
export function javascriptMethod(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const tokens = program.tokens
  const near =
    place?.from === undefined
      ? -1
      : tokens.findLastIndex(({ start, text }) => start <= (place.from ?? 0) && text === '(')
  const inLine = tokens.flatMap(({ kind, line }, at) =>
    line === place?.line && kind === 'name' && tokens[at + 1]?.text === '(' && isPoint(tokens[at - 1]) ? [at] : [],
  )
  const at =
    near > 0 && tokens[near - 1]?.kind === 'name' && isPoint(tokens[near - 2])
      ? near - 1
      : inLine.length === 1
        ? (inLine[0] ?? -1)
        : -1
  const [owner, point, name, open, close] = [tokens[at - 2], tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]]
  if (name === undefined || point === undefined || open?.text !== '(') return []
  const swapped = Object.hasOwn(meanings, name.text) ? meanings[name.text] : undefined
  if (name.text === 'length' || swapped === 'length')
    return close?.text === ')' ? spanEdit(program, name.start, endOf(close), 'length') : []
  if (name.text === 'items' && owner?.kind === 'name' && close?.text === ')')
    return spanEdit(program, owner.start, endOf(close), `Object.entries(${owner.text})`)
  if (ofLists.has(name.text) && owner?.kind === 'name' && isObject(tokens, owner.text))
    return tokenEdit(program, owner, `Object.values(${owner.text})`)
  const own = namesIn(program, false)
    .filter((token) => /^[({]$/.test(program.code.slice(endOf(token)).trimStart()[0] ?? ''))
    .map(({ text }) => text)
  const to = swapped ?? meant(name.text, [...methods.likely(name.text), ...own])
  return to === undefined ? [] : tokenEdit(program, name, to)
}
