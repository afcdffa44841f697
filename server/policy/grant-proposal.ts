// "And the next twenty like this": what like this means is proposed from the arguments that somebody has just approved,
// and the person edits it. A proposal holds for the approved call, never for a call that uses an argument which the
// approved one left out, and keeps numbers below the next round one.
import { compileCondition, isVariable, longestCondition } from './grant-condition.ts'
import type { ArgumentShape, Shape } from './grant-shape.ts'

export interface Proposal {
  /** The expression; `true` where nothing can be said. */
  readonly condition: string
  /** Arguments that it leaves free, as they are written in conditions: texts that are different each time. */
  readonly free: readonly string[]
}

/** A text of more than this is taken for prose, which is different each time. In characters. */
const longestName = 60
const mostValues = 10

interface Said {
  readonly terms: string[]
  readonly free: string[]
}

/** Proposes a condition that is like this call. */
export function proposeCondition(shape: ArgumentShape, input: Readonly<Record<string, unknown>>): Proposal {
  const said: Said = { terms: [], free: [] }
  const clash = shape.root.fields.has('args')
  for (const [name, type] of shape.root.fields) {
    const field = isVariable(name) ? `args.${name}` : `args[${JSON.stringify(name)}]`
    const plain = compileCondition(shape, `${name} == ${name}`)
    const place = isVariable(name) && plain.ok ? name : clash ? undefined : field
    if (place === undefined) said.free.push(name)
    else if (Object.hasOwn(input, name) && input[name] !== undefined) describe(type, place, input[name], said)
    else if (isVariable(name) && !clash) said.terms.push(`!has(${field})`)
    else said.free.push(place)
  }
  return fitting(shape, input, said)
}

/** What is too long, or does not hold for the call that it was made from, is left out, term by term. */
function fitting(shape: ArgumentShape, input: unknown, said: Said): Proposal {
  const kept: string[] = []
  const free = [...said.free]
  for (const term of said.terms) {
    const together = [...kept, term].join(' && ')
    const compiled = together.length > longestCondition ? undefined : compileCondition(shape, together)
    if (compiled?.ok === true && compiled.value.holds(input)) kept.push(term)
    else free.push(term)
  }
  return { condition: kept.length === 0 ? 'true' : kept.join(' && '), free }
}

function describe(shape: Shape, place: string, value: unknown, said: Said): void {
  if (typeof value === 'boolean') said.terms.push(`${place} == ${value}`)
  else if (value === null) said.terms.push(`${place} == null`)
  else if (typeof value === 'number') said.terms.push(...rangeTerms(place, [value]))
  else if (typeof value === 'string') describeText(place, value, said)
  else if (Array.isArray(value)) describeList(shape.kind === 'list' ? shape.items : { kind: 'dyn' }, place, value, said)
  else if (shape.kind === 'message') describeObject(shape.message.fields, place, value as Record<string, unknown>, said)
  else said.free.push(place)
}

function describeText(place: string, value: string, said: Said): void {
  if (/^-?\d+\.\d+$/.test(value) && value.length <= 20)
    said.terms.push(...rangeTerms(`double(${place})`, [Number(value)]))
  else if (value.length <= longestName && !/[\p{C}\n]/u.test(value))
    said.terms.push(`${place} == ${JSON.stringify(value)}`)
  else said.free.push(place)
}

function describeObject(
  fields: ReadonlyMap<string, Shape>,
  place: string,
  value: Readonly<Record<string, unknown>>,
  said: Said,
): void {
  for (const [name, type] of fields) {
    const at = isVariable(name) ? `${place}.${name}` : `${place}[${JSON.stringify(name)}]`
    if (Object.hasOwn(value, name) && value[name] !== undefined) describe(type, at, value[name], said)
    else if (isVariable(name)) said.terms.push(`!has(${at})`)
    else said.free.push(at)
  }
}

/** As many as there were, or fewer; each of them within what all of them were. */
function describeList(items: Shape, place: string, value: readonly unknown[], said: Said): void {
  said.terms.push(`size(${place}) <= ${value.length}`)
  if (value.length === 0) return
  if (value.every((item) => typeof item === 'string')) {
    const known = [...new Set(value)]
    if (known.length <= mostValues && known.every((text) => text.length <= longestName))
      said.terms.push(`${place}.all(x, x in [${known.map((text) => JSON.stringify(text)).join(', ')}])`)
    else said.free.push(`${place}[]`)
  } else if (value.every((item) => typeof item === 'number')) {
    said.terms.push(`${place}.all(x, ${rangeTerms('x', value).join(' && ')})`)
  } else if (items.kind === 'message') describeRows(items.message.fields, place, value, said)
  else said.free.push(`${place}[]`)
}

/** Of rows only the numbers are limited: which goods they name is different each time, how many should not be. */
function describeRows(fields: ReadonlyMap<string, Shape>, place: string, rows: readonly unknown[], said: Said): void {
  const limits: string[] = []
  for (const [name, type] of fields) {
    const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[name])
    const numbers = values.every((each) => typeof each === 'number')
    if (isVariable(name) && numbers && (type.kind === 'int' || type.kind === 'double'))
      limits.push(...rangeTerms(`x.${name}`, values))
    else if (isVariable(name) && values.every((each) => each === undefined)) limits.push(`!has(x.${name})`)
    else said.free.push(`${place}[].${name}`)
  }
  if (limits.length > 0) said.terms.push(`${place}.all(x, ${limits.join(' && ')})`)
}

/** From 0 to below the next round number, or the same below 0. */
function rangeTerms(place: string, values: readonly number[]): string[] {
  const highest = Math.max(...values)
  const lowest = Math.min(...values)
  return [
    lowest < 0 ? `${place} > ${-nextRound(-lowest)}` : `${place} >= 0`,
    highest < 0 ? `${place} <= 0` : `${place} < ${nextRound(highest)}`,
  ]
}

/** The first of 1, 2, 5, 10, 20, 50 … that is above a number from 0 up. */
export function nextRound(value: number): number {
  if (value < 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10, 20].map((factor) => factor * power).find((round) => round > value) ?? Number.MAX_SAFE_INTEGER
}
