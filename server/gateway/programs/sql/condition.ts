// `WHERE status = 'paid' OR 1=1` looks like a choice of rows and is none. A note for whoever reads the card: what is not
// seen to be always true may be so all the same.
import type { Token } from './tokens.ts'

/** Whoever writes a longer one hides nothing in it that a person would read. */
const mostTokens = 500

/** The part of a condition that makes it true for every row; nothing where none was found. */
export function alwaysTruePart(condition: readonly Token[]): readonly Token[] | undefined {
  if (condition.length > mostTokens) return undefined
  const inner = withoutBrackets(condition)
  const choices = splitAt(inner, 'or', '||')
  if (choices.length > 1) {
    const found = choices.find((choice) => alwaysTruePart(choice) !== undefined)
    return found === undefined ? undefined : alwaysTruePart(found)
  }
  const parts = splitAt(inner, 'and', '&&')
  if (parts.length > 1) return parts.every((part) => alwaysTruePart(part) !== undefined) ? inner : undefined
  return isTrue(inner) ? inner : undefined
}

function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  const first = tokens[0]
  if (first?.kind !== 'mark' || first.value !== '(') return tokens
  let depth = 0
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind !== 'mark') continue
    depth += value === '(' ? 1 : value === ')' ? -1 : 0
    if (depth === 0) return at === tokens.length - 1 ? withoutBrackets(tokens.slice(1, -1)) : tokens
  }
  return tokens
}

function splitAt(tokens: readonly Token[], ...joints: readonly string[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  let between = false
  for (const token of tokens) {
    const { kind, value } = token
    depth += isOpening(token) ? 1 : isClosing(token) ? -1 : 0
    if (kind === 'word' && value === 'between' && depth === 0) between = true
    const joins = depth === 0 && (kind === 'word' || kind === 'mark') && joints.includes(value)
    // The AND of a BETWEEN joins two bounds.
    if (joins && value === 'and' && between) between = false
    else if (joins) {
      parts.push([])
      continue
    }
    parts.at(-1)?.push(token)
  }
  return parts
}

const isOpening = ({ kind, value }: Token): boolean =>
  (kind === 'mark' && value === '(') || (kind === 'word' && value === 'case')
const isClosing = ({ kind, value }: Token): boolean =>
  (kind === 'mark' && value === ')') || (kind === 'word' && value === 'end')

const isConstant = ({ kind, value }: Token | { kind: string; value: string }): boolean =>
  kind === 'text' || kind === 'number' || (kind === 'word' && (value === 'true' || value === 'false'))

function isTrue(tokens: readonly Token[]): boolean {
  const [first, ...rest] = tokens
  if (first === undefined) return false
  if (first.kind === 'word' && first.value === 'not' && rest.length > 0) return isFalse(withoutBrackets(rest))
  if (rest.length === 0) return isTruth(first)
  const at = tokens.findIndex(({ kind, value }) => kind === 'mark' && comparisons.has(value))
  if (at > 0) {
    const [left, right] = [withoutBrackets(tokens.slice(0, at)), withoutBrackets(tokens.slice(at + 1))]
    const how = tokens[at]?.value ?? ''
    if (left.length === 1 && right.length === 1 && isConstant(left[0]!) && isConstant(right[0]!))
      return comparisons.get(how)?.(compare(left[0]!, right[0]!)) === true
    // A column is its own equal, unless it is empty.
    return /^(?:=|>=|<=|<=>|==)$/.test(how) && right.length > 0 && textOf(left) === textOf(right)
  }
  const [last, before] = [tokens.at(-1), tokens.at(-2)]
  return before?.kind === 'word' && /^i?like$/.test(before.value) && last?.kind === 'text' && /^%+$/.test(last.value)
}

const isTruth = (token: Token): boolean =>
  (token.kind === 'word' && token.value === 'true') || (token.kind === 'number' && Number(token.value) !== 0)

const isFalse = (tokens: readonly Token[]): boolean =>
  tokens.length === 1 && isConstant(tokens[0]!) && tokens[0]!.kind !== 'text' && !isTruth(tokens[0]!)

const comparisons = new Map<string, (order: number) => boolean>([
  ['=', (order) => order === 0],
  ['==', (order) => order === 0],
  ['<=>', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
])

function compare(a: Token, b: Token): number {
  if (a.kind === 'number' && b.kind === 'number') return Number(a.value) - Number(b.value)
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1
}

const textOf = (tokens: readonly Token[]): string => tokens.map(({ kind, value }) => `${kind} ${value}`).join('\n')
