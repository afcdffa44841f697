// Edits of values that do not fit: a conversion, a bracket of the other kind, a path of the workspace.
import { literalText, type Token } from '../program-text.ts'
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
  wrapped,
  type Edits,
  type Mistake,
  type Place,
} from './mistake.ts'
import { pythonBuiltins } from './python-words.ts'

/** What a `for` of this line walks through. */
function loopedOver({
  tokens,
}: Place):
  | { readonly start: number; readonly end: number; readonly tokens: readonly Token[]; readonly targets: number }
  | undefined {
  const from = tokens.findIndex(({ text }) => text === 'for')
  const at = tokens.findIndex(({ text }, index) => text === 'in' && index > from)
  if (from === -1 || at === -1) return undefined
  let depth = 0
  let last = at
  for (let index = at + 1; index < tokens.length; index++) {
    const text = tokens[index]?.text ?? ''
    if (/^[([{]$/.test(text)) depth++
    if (/^[)\]}]$/.test(text) && depth-- === 0) break
    if (depth === 0 && (text === ':' || text === 'if')) break
    last = index
  }
  const [first, end] = [tokens[at + 1], tokens[last]]
  const targets = tokens.slice(from, at).filter(({ text }) => text === ',').length + 1
  return first === undefined || end === undefined || last === at
    ? undefined
    : { start: first.start, end: endOf(end), tokens: tokens.slice(at + 1, last + 1), targets }
}

/** `for i in 5`: the numbers up to it. */
export function pythonRange(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const over = place === undefined ? undefined : loopedOver(place)
  if (over === undefined) return []
  const [, kind = mistake.groups['kind'] ?? mistake.groups['other']] =
    /non-iterable (\w{1,60}) object/.exec(mistake.error.message) ?? []
  if (kind !== 'int') return []
  return over.targets === 2
    ? wrapped(mistake, over.start, over.end, 'enumerate')
    : wrapped(mistake, over.start, over.end, 'range')
}

/** `print[…]`: a function with the wrong brackets. */
export function pythonIndexToCall(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  if (
    place === undefined ||
    !/^(?:builtin_function_or_method|function|method|type|method_descriptor)$/.test(groups['kind'] ?? 'type')
  )
    return []
  const { tokens } = place
  const defined = program.tokens
    .filter((_, at) => /^(?:def|class)$/.test(program.tokens[at - 1]?.text ?? ''))
    .map(({ text }) => text)
  const at = tokens.findIndex(
    ({ kind, text }, index) =>
      kind === 'name' &&
      tokens[index + 1]?.text === '[' &&
      (pythonBuiltins.has(text) || defined.includes(text) || tokens[index - 1]?.text === '.'),
  )
  return at === -1 ? [] : otherBrackets(mistake, tokens, at + 1, '(', ')')
}

function otherBrackets(
  { program }: Mistake,
  tokens: readonly Token[],
  open: number,
  opening: string,
  closing: string,
): Edits {
  const [from, to] = [tokens[open], tokens[closingIndex(tokens, open)]]
  if (from === undefined || to === undefined) return []
  return spanEdits(program, [
    { start: from.start, end: endOf(from), after: opening },
    { start: to.start, end: endOf(to), after: closing },
  ])
}

/** `items(0)`: an element with the wrong brackets. */
export function pythonCallToIndex(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  if (place === undefined || !/^(?:list|dict|tuple|str|defaultdict|Counter)$/.test(groups['kind'] ?? '')) return []
  const { tokens } = place
  const functions = program.tokens
    .filter((_, at) => /^(?:def|class|import)$/.test(program.tokens[at - 1]?.text ?? ''))
    .map(({ text }) => text)
  const calls = tokens.flatMap(({ kind, text }, at) =>
    kind === 'name' &&
    tokens[at + 1]?.text === '(' &&
    tokens[at - 1]?.text !== '.' &&
    !pythonBuiltins.has(text) &&
    !functions.includes(text)
      ? [at]
      : [],
  )
  const [only] = calls
  return only === undefined || calls.length > 1 ? [] : otherBrackets(mistake, tokens, only + 1, '[', ']')
}

/** A list that becomes an element of a set: as a tuple. */
export function pythonUnhashable(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const call = place === undefined ? undefined : callOf(place.tokens, ['add'])
  if (mistake.groups['kind'] !== 'list' || call === undefined) return []
  if (call.inner[0]?.text !== '[' && call.inner.some(({ text }) => text === ',')) return []
  return wrapped(mistake, endOf(call.open), call.close.start, 'tuple')
}

/** The argument of a call of this line, in another call. */
const argumentIn = (mistake: Mistake, names: readonly string[], wrapper: string): Edits => {
  const place = placeOf(mistake)
  const call = place === undefined ? undefined : callOf(place.tokens, names)
  return call === undefined || call.inner.length === 0
    ? []
    : wrapped(mistake, endOf(call.open), call.close.start, wrapper)
}

/** `len(…)` of a number or a generator. */
export const pythonLength = (mistake: Mistake): Edits =>
  argumentIn(mistake, ['len'], /^(?:int|float)$/.test(mistake.groups['kind'] ?? '') ? 'str' : 'list')

/** `int('3.5')`. */
export const pythonIntOfFloat = (mistake: Mistake): Edits =>
  /^'-?\d{0,20}\.\d{1,20}(?:e[-+]?\d{1,3})?'/.test(mistake.groups['text'] ?? '')
    ? argumentIn(mistake, ['int'], 'float')
    : []

/** One more argument for the first call of one of these names. */
const withArgument = (mistake: Mistake, names: readonly string[], argument: string): Edits => {
  const place = placeOf(mistake)
  const call = place === undefined ? undefined : callOf(place.tokens, names)
  return call === undefined || call.inner.length === 0 || call.inner.some(({ text }) => text === argument.split('=')[0])
    ? []
    : insertEdit(mistake.program, call.close.start, `, ${argument}`)
}

export const pythonJsonDefault = (mistake: Mistake): Edits =>
  mistake.error.message.startsWith('Object of type') ? withArgument(mistake, ['dumps', 'dump'], 'default=str') : []

export const pythonDefault = (mistake: Mistake): Edits =>
  /iterable argument is empty|arg is an empty/.test(mistake.error.message)
    ? withArgument(mistake, ['max', 'min'], 'default=0')
    : []

export const pythonNextDefault = (mistake: Mistake): Edits => withArgument(mistake, ['next'], 'None')

/** Thousands separators and currency signs in a text that is read as a number. */
export function pythonFloatComma(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const call = place === undefined ? undefined : callOf(place.tokens, ['float', 'int', 'Decimal'])
  const text = literalText(mistake.groups['text'] ?? '')
  if (call === undefined || call.inner.length === 0) return []
  const removed = [',', '$', '€', '£', '%', ' '].filter((sign) => text.includes(sign))
  const left = removed.reduce((made, sign) => made.replaceAll(sign, ''), text)
  if (removed.length === 0 || !/^-?\d{1,30}(?:\.\d{0,30})?$/.test(left)) return []
  return insertEdit(mistake.program, call.close.start, removed.map((sign) => `.replace("${sign}", "")`).join(''))
}

/** A loop that runs one too far: `range(len(x) + 1)`, or the next element of the last. */
export function pythonRangeEnd(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const beyond = /(\w{1,100})\[len\(\1\)\]/.exec(place.code)
  if (beyond !== null)
    return spanEdit(
      program,
      place.start + beyond.index,
      place.start + beyond.index + beyond[0].length,
      `${beyond[1]}[-1]`,
    )
  for (let line = place.line; line > Math.max(0, place.line - 30); line--) {
    const text = program.lines[line - 1] ?? ''
    const more = /\blen\(([\w.[\]]{1,100})\) ?\+ ?1/.exec(text)
    if (more !== null && text.includes('range('))
      return lineEdit(program, line, text.replace(more[0], `len(${more[1]})`))
    const atMost = /^(\s{0,200}while .{0,100}?)<= ?len\(/.exec(text)
    if (atMost !== null) return lineEdit(program, line, text.replace(/<= ?len\(/, '< len('))
    const whole = /\bfor (\w{1,100}) in range\(len\(([\w.]{1,100})\)\)/.exec(text)
    if (whole !== null && [`[${whole[1]}+1]`, `[${whole[1]} + 1]`].some((next) => place.code.includes(next)))
      return lineEdit(program, line, text.replace(`range(len(${whole[2]}))`, `range(len(${whole[2]}) - 1)`))
  }
  return []
}

/** `for k, v in d:` of a dict, `for i, x in items:` of a list. */
export function pythonItems(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const over = place === undefined ? undefined : loopedOver(place)
  const [only] = over?.tokens ?? []
  if (over === undefined || over.targets !== 2 || only?.kind !== 'name' || over.tokens.length > 1) return []
  const given = program.tokens.findIndex(({ text }, at) => text === only.text && program.tokens[at + 1]?.text === '=')
  const value = program.tokens[given + 2]?.text
  if (given === -1) return []
  if (value === '{' || value === 'dict') return insertEdit(program, over.end, '.items()')
  return value === '[' && program.tokens[given + 3]?.text !== '(' && program.tokens[given + 3]?.text !== '['
    ? wrapped(mistake, over.start, over.end, 'enumerate')
    : []
}

/** A collection that its own loop changes: the loop walks through a copy. */
export function pythonCopyInLoop(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const over = place === undefined ? undefined : loopedOver(place)
  return over === undefined ? [] : wrapped(mistake, over.start, over.end, 'list')
}

/** `text.index(…)`, which fails where `find` answers -1. */
export function pythonFind(mistake: Mistake): Edits {
  const tokens = placeOf(mistake)?.tokens ?? []
  const token = tokens.find(({ text }, at) => /^r?index$/.test(text) && tokens[at - 1]?.text === '.')
  return token === undefined || !mistake.error.message.includes('substring')
    ? []
    : tokenEdit(mistake.program, token, token.text.replace('index', 'find'))
}
