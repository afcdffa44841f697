// Matches addresses with a template (RFC 6570) as the SDK does, but in time that grows with the length of the address alone: the
// SDK's regular expression tries all ways to divide an address among several variables, and a short one would hold up everybody.
import type { ResourceAddress } from './offer.ts'

export interface AddressPattern {
  /** What stands for the variables; `undefined` where the address is none of the template. */
  readonly match: (uri: string) => ResourceAddress['variables'] | undefined
}

interface Variable {
  readonly name: string
  /** Characters that it may have. */
  readonly has: RegExp
  /** Whether it is a list with commas, of which no element is empty. */
  readonly isList: boolean
  readonly exploded: boolean
}

type Piece = string | Variable

const ofPart = /[^/,]/
const ofParts = /./
const ofQuery = /[^&]/

export function addressPattern(template: string): AddressPattern {
  const pieces = template.split(/(\{[^{}]*\})/).flatMap((each) => (/^\{.*\}$/s.test(each) ? variablesOf(each) : [each]))
  return { match: (uri) => matched(pieces, uri) }
}

function variablesOf(expression: string): readonly Piece[] {
  const [, operator = '', said = ''] = /^\{([+#./?&]?)(.*)\}$/s.exec(expression) ?? []
  const exploded = said.includes('*')
  const names = said
    .split(',')
    .map((each) => each.replace('*', '').trim())
    .filter((each) => each !== '')
  if (operator === '?' || operator === '&')
    return names.flatMap((name, at) => [
      `${at === 0 ? operator : '&'}${name}=`,
      { name, has: ofQuery, isList: false, exploded },
    ])
  const [name = ''] = names
  if (operator === '+' || operator === '#') return [{ name, has: ofParts, isList: false, exploded }]
  return [operator, { name, has: ofPart, isList: exploded && operator !== '.', exploded }]
}

const none = -1

/** Each variable takes as much as it can, and the first the most. So it is looked from the end where each piece can end. */
function matched(pieces: readonly Piece[], uri: string): ResourceAddress['variables'] | undefined {
  let fits = (at: number): boolean => at === uri.length
  const ends = new Map<Piece, (at: number) => number>()
  for (const piece of pieces.toReversed()) {
    const after = fits
    if (typeof piece === 'string') {
      fits = (at) => uri.startsWith(piece, at) && after(at + piece.length)
      continue
    }
    const last = endsOf(piece, uri, after)
    const end = (at: number): number => last[at] ?? none
    ends.set(piece, end)
    fits = (at) => end(at) !== none
  }
  if (!fits(0)) return undefined
  let at = 0
  const found = new Map<string, string | readonly string[]>()
  for (const piece of pieces) {
    const end = typeof piece === 'string' ? at + piece.length : (ends.get(piece)?.(at) ?? none)
    if (typeof piece !== 'string') {
      const value = uri.slice(at, end)
      found.set(piece.name, piece.exploded && value.includes(',') ? value.split(',') : value)
    }
    at = end
  }
  return Object.fromEntries(found)
}

/** By where a variable begins, the last place at which it can end so that what comes after it fits. */
function endsOf({ has, isList }: Variable, uri: string, fits: (at: number) => boolean): Int32Array {
  const ends = new Int32Array(uri.length + 1).fill(none)
  for (let at = uri.length - 1; at >= 0; at -= 1) {
    const character = uri[at] ?? ''
    const isComma = isList && character === ','
    if (!isComma && !has.test(character)) continue
    const more = isComma && uri[at + 1] === ',' ? none : (ends[at + 1] ?? none)
    ends[at] = more === none && !isComma && fits(at + 1) ? at + 1 : more
  }
  // What is noted of a comma is for the elements before it: a list does not begin with one.
  if (isList) for (const at of ends.keys()) if (uri[at] === ',') ends[at] = none
  return ends
}
