// Edits of operators and brackets between values of the wrong type.
import { literalText, type Token } from '../program-text.ts'
import { callOf, endOf, placeOf, spanEdit, spanEdits, tokenEdit, wrapped, type Edits, type Mistake } from './mistake.ts'

/** `items['0']`, and an index that is a fraction. */
export function pythonIndexType(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const tokens = placeOf(mistake)?.tokens ?? []
  const text = tokens.find(
    ({ kind, text }, at) => kind === 'string' && /^["']-?\d{1,9}["']$/.test(text) && tokens[at - 1]?.text === '[',
  )
  if (groups['given'] === 'str') return text === undefined ? [] : tokenEdit(program, text, literalText(text.text))
  if (groups['given'] !== 'float') return []
  const division = tokens.filter(({ text }) => text === '/')
  const everywhere = division.length > 0 ? division : program.tokens.filter(({ text }) => text === '/')
  const [only] = everywhere
  return only === undefined || everywhere.length > 1 ? [] : tokenEdit(program, only, '//')
}

const stops = /^(?:[-+*/%<>=,:;([{)\]}]|==|!=|<=|>=|\+=|-=|return|print|and|or|not|in|if|else|for|lambda|assert)$/

/** The operand that begins or ends at an operator: names, calls, elements. */
function operand(
  tokens: readonly Token[],
  sign: number,
  side: -1 | 1,
): { readonly start: number; readonly end: number; readonly tokens: readonly Token[] } | undefined {
  let at = sign + side
  const [opening, closing] = side === 1 ? [/^[([{]$/, /^[)\]}]$/] : [/^[)\]}]$/, /^[([{]$/]
  const begin = at
  let depth = 0
  while (at >= 0 && at < tokens.length) {
    const token = tokens[at]
    if (token === undefined) break
    const isSign = token.kind === 'operator'
    if (isSign && opening.test(token.text) && (depth > 0 || at === begin || side === -1 || adjoins(tokens[at - 1])))
      depth++
    else if (isSign && closing.test(token.text)) {
      if (depth === 0) break
      depth--
    } else if (depth === 0 && token.kind !== 'string' && stops.test(token.text)) break
    at += side
  }
  const part = side === 1 ? tokens.slice(begin, at) : tokens.slice(at + 1, begin + 1)
  const [first, last] = [part[0], part.at(-1)]
  return first === undefined || last === undefined ? undefined : { start: first.start, end: endOf(last), tokens: part }
}

const adjoins = (token: Token | undefined): boolean => token?.kind === 'name' || /^[)\]]$/.test(token?.text ?? '')

const isText = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 &&
  (tokens.every(({ kind }) => kind === 'string') || (tokens[0]?.text === 'str' && tokens[1]?.text === '('))

/** Text and number joined by `+`: the number is written as text. */
export function pythonTextPlusNumber(mistake: Mistake): Edits {
  const { program, error, groups } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const { tokens } = place
  if (groups['item'] !== undefined) {
    const join = callOf(tokens, ['join'])
    return join === undefined
      ? []
      : spanEdit(
          program,
          endOf(join.open),
          join.close.start,
          `map(str, ${program.code.slice(endOf(join.open), join.close.start)})`,
        )
  }
  const numberFirst = error.message.startsWith('unsupported')
  const augmented = tokens.findIndex(({ text }) => text === '+=')
  if (augmented !== -1) {
    const right = operand(tokens, augmented, 1)
    if (right === undefined || tokens.slice(augmented + 1).some(({ text }) => text === '+')) return []
    const kind = /: '(\w{1,20})' and 'str'/.exec(error.message)?.[1]
    return wrapped(mistake, right.start, right.end, numberFirst ? (kind ?? 'int') : 'str')
  }
  const signs = tokens.flatMap(({ text, start }, at) =>
    text === '+' && (place.from === undefined || place.to === undefined || start >= place.from - 200) ? [at] : [],
  )
  const sides = signs.map((at) => ({ left: operand(tokens, at, -1), right: operand(tokens, at, 1) }))
  const literals = sides.filter(
    ({ left, right }) => left !== undefined && right !== undefined && isText(left.tokens) !== isText(right.tokens),
  )
  if (literals.length > 0) {
    const parts = literals.map(({ left, right }) => (isText(left?.tokens ?? []) ? right : left))
    const known = new Map(parts.flatMap((part) => (part === undefined ? [] : [[part.start, part] as const])))
    // A name that is given a text elsewhere is left as it is.
    const plain = [...known.values()].filter(
      ({ tokens }) => !(tokens.length === 1 && isTextVariable(mistake, tokens[0]?.text ?? '')),
    )
    return spanEdits(
      program,
      plain.map(({ start, end }) => ({ start, end, after: `str(${program.code.slice(start, end)})` })),
    )
  }
  const [only] = sides
  if (only?.left === undefined || only.right === undefined || sides.length > 1) return []
  return numberFirst
    ? wrapped(mistake, only.left.start, only.left.end, 'str')
    : wrapped(mistake, only.right.start, only.right.end, 'str')
}

const isTextVariable = ({ program }: Mistake, name: string): boolean =>
  program.tokens.some(
    (token, at) =>
      token.text === name && program.tokens[at + 1]?.text === '=' && program.tokens[at + 2]?.kind === 'string',
  )

/** A text between an operator and a number: it is read as a number. A list and something else: that goes into a list. */
export function pythonOperand(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const { tokens } = place
  const [, compared, first, second] =
    /'(.{1,3})' not supported between instances of '(\w{1,60})' and '(\w{1,60})'/.exec(error.message) ?? []
  const [, calculated, left, right] =
    /operand type\(s\) for (.{1,3}?)(?: or .{1,10})?: '(\w{1,60})' and '(\w{1,60})'/.exec(error.message) ?? []
  const [sign, kinds] = [compared ?? calculated, [first ?? left, second ?? right] as const]
  const numbers = ['int', 'float']
  const at = tokens.flatMap(({ text }, index) => (text === sign ? [index] : []))
  const [only] = at
  if (sign !== undefined && only !== undefined && at.length === 1) {
    const side =
      kinds[0] === 'str' && numbers.includes(kinds[1] ?? '')
        ? -1
        : kinds[1] === 'str' && numbers.includes(kinds[0] ?? '')
          ? 1
          : undefined
    const part = side === undefined ? undefined : operand(tokens, only, side)
    return part === undefined
      ? []
      : wrapped(mistake, part.start, part.end, (side === -1 ? kinds[1] : kinds[0]) ?? 'int')
  }
  const [, other] = /^can only concatenate list \(not "(\w{1,60})"\) to list/.exec(error.message) ?? []
  const plus = tokens.findIndex(({ text }) => text === '+')
  const part = other === undefined || plus === -1 ? undefined : operand(tokens, plus, 1)
  if (part === undefined) return []
  return other === 'tuple' || other === 'range' || other === 'set'
    ? wrapped(mistake, part.start, part.end, 'list')
    : spanEdit(program, part.start, part.end, `[${program.code.slice(part.start, part.end)}]`)
}
