// Proposes a condition for calls like one that was just approved, which the person then edits. It holds for the approved call
// and allows nothing beyond it: no further argument, no larger number, no other choice. Where a condition cannot say all of
// that, none is proposed.
import { fail, ok, type Result } from '../errors/result.ts'
import { compileCondition, isVariable, longestCondition, type ConditionProblem } from './grant-condition.ts'
import type { ArgumentShape, Message, Shape } from './grant-shape.ts'

interface Proposal {
  readonly condition: string
  /** Arguments that it does not limit, as conditions write them: texts that are different each time. */
  readonly free: readonly string[]
}

/** Longer texts are taken for prose, which is different each time. In characters. */
const longestName = 60
const mostValues = 10

/** Names of the variables in loops within loops. */
const loopNames = ['x', 'y', 'z', 'u', 'v', 'w']

/** A place among the arguments: as an expression, and as a person reads it. */
interface Place {
  readonly expression: string
  readonly path: string
}

interface Said {
  readonly free: string[]
  /** Lists the allowed keys instead of each that is absent, which is shorter. */
  readonly brief: boolean
}

/** Proposes a condition for calls like this one, or says why there is none. */
export function proposeCondition(
  shape: ArgumentShape,
  input: Readonly<Record<string, unknown>>,
): Result<Proposal, ConditionProblem> {
  const unknown = Object.keys(input).filter((name) => input[name] !== undefined && !shape.root.fields.has(name))
  if (unknown.length > 0)
    return fail({
      message: `This call uses ${unknown.slice(0, 5).join(', ')}, which the schema of the tool does not declare.`,
      next: 'Approve such calls one by one: no grant covers undeclared arguments.',
    })
  for (const brief of [false, true]) {
    const said: Said = { free: [], brief }
    const condition = rootTerms(shape, input, said)?.join(' && ')
    if (condition === undefined) break
    const compiled = condition.length > longestCondition ? undefined : compileCondition(shape, condition)
    if (compiled?.ok === true && compiled.value.holds(input)) return ok({ condition, free: said.free })
  }
  return fail({
    message: 'No single condition can describe calls like this one.',
    next: 'Give the grant in Settings, and write a condition there.',
  })
}

/** `undefined` where an argument cannot be reached: one is called `args` itself. */
function rootTerms(shape: ArgumentShape, input: Item, said: Said): readonly string[] | undefined {
  // Only for a tool without arguments: elsewhere `true` would cover any call.
  if (shape.root.fields.size === 0) return ['true']
  const clash = shape.root.fields.has('args')
  const terms: string[] = []
  for (const [name, type] of shape.root.fields) {
    const value = own(input, name)
    if (value === undefined) continue
    const plain = isVariable(name) && compileCondition(shape, `${name} == ${name}`).ok
    if (!plain && clash) return undefined
    const expression = plain ? name : member('args', name)
    terms.push(...termsOf(type, { expression, path: expression }, [value], 0, said))
  }
  const left = absentTerms(shape.root, 'args', [input], said)
  const all = [...terms, ...left]
  if (clash && (left.length > 0 || all.length === 0)) return undefined
  return all.length > 0 ? all : [onlyTerm(shape.root, 'args', [input])]
}

const member = (place: string, name: string): string =>
  isVariable(name) ? `${place}.${name}` : `${place}[${JSON.stringify(name)}]`

type Item = Readonly<Record<string, unknown>>

/** An own property only: an argument may be named like a property of every object (`constructor`). */
const own = (item: Item, name: string): unknown => (Object.hasOwn(item, name) ? item[name] : undefined)

const isIn =
  (items: readonly Item[]) =>
  (name: string): boolean =>
    items.some((item) => own(item, name) !== undefined)

function onlyTerm({ fields }: Message, place: string, items: readonly Item[]): string {
  const present = [...fields.keys()].filter(isIn(items)).map((name) => JSON.stringify(name))
  return `only(${place}, [${present.join(', ')}])`
}

/** Terms that exclude each key that none of these objects has. */
function absentTerms(message: Message, place: string, items: readonly Item[], { brief }: Said): readonly string[] {
  const there = isIn(items)
  const left = [...message.fields.keys()].filter((name) => !there(name))
  const plain = brief ? [] : left.filter(isVariable)
  const terms = plain.map((name) => `!has(${place}.${name})`)
  // `has` takes identifiers only.
  return plain.length < left.length ? [...terms, onlyTerm(message, place, items)] : terms
}

/** Terms that hold for all of these values, which were found at this place. */
function termsOf(shape: Shape, place: Place, values: readonly unknown[], depth: number, said: Said): readonly string[] {
  const at = place.expression
  const rest = values.filter((value) => value !== null)
  if (rest.length === 0) return [`${at} == null`]
  if (rest.length < values.length) return orElse(`${at} == null`, termsOf(shape, place, rest, depth, said))
  if (values.every((value) => typeof value === 'boolean'))
    return new Set(values).size === 1 ? [`${at} == ${String(values[0])}`] : []
  if (values.every((value) => typeof value === 'number')) return rangeTerms(at, values)
  if (values.every((value) => typeof value === 'string')) return textTerms(shape, place, values, depth, said)
  if (shape.kind === 'list' && values.every((value) => Array.isArray(value)))
    return listTerms(shape.items, place, values, depth, said)
  if (shape.kind === 'message') return objectTerms(shape.message, place, values as readonly Item[], depth, said)
  // A value without a type must be the same.
  return [oneOf(at, values)]
}

/** `other`, or all of the terms. */
const orElse = (other: string, terms: readonly string[]): readonly string[] =>
  terms.length === 0 ? [] : [`(${other} || (${terms.join(' && ')}))`]

function oneOf(expression: string, values: readonly unknown[]): string {
  const [first = '', ...others] = new Set(values.map((value) => JSON.stringify(value)))
  return others.length === 0 ? `${expression} == ${first}` : `${expression} in [${[first, ...others].join(', ')}]`
}

const decimal = /^-?\d{1,15}\.\d{1,15}$/
const number = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Whether texts are names and not prose: few, short, and on one line. */
const areNames = (values: readonly unknown[]): values is readonly string[] =>
  new Set(values).size <= mostValues &&
  values.every((value) => typeof value === 'string' && value.length <= longestName && !/\p{C}/u.test(value))

function textTerms(
  shape: Shape,
  { expression, path }: Place,
  values: readonly string[],
  depth: number,
  { free }: Said,
): readonly string[] {
  // In rows an integer in quotes is probably an amount, and no name that must be the same.
  if (values.every((value) => (depth === 0 ? decimal : number).test(value)))
    return rangeTerms(`double(${expression})`, values.map(Number))
  // Texts in rows are different each time; what a schema enumerates is a choice.
  if (!('prose' in shape && shape.prose) || (depth === 0 && areNames(values))) return [oneOf(expression, values)]
  free.push(path)
  return []
}

/** At most as many items, each within the range of them all. */
function listTerms(
  items: Shape,
  { expression, path }: Place,
  lists: readonly unknown[][],
  depth: number,
  said: Said,
): readonly string[] {
  const size = `size(${expression}) <= ${Math.max(...lists.map((list) => list.length))}`
  const all = lists.flat()
  const variable = loopNames[depth]
  if (all.length === 0) return [size]
  if (variable === undefined) return [oneOf(expression, lists)]
  const each = areNames(all)
    ? [oneOf(variable, all)]
    : termsOf(items, { expression: variable, path: `${path}[]` }, all, depth + 1, said)
  return each.length === 0 ? [size] : [size, `${expression}.all(${variable}, ${each.join(' && ')})`]
}

function objectTerms(
  message: Message,
  { expression, path }: Place,
  items: readonly Item[],
  depth: number,
  said: Said,
): readonly string[] {
  const terms: string[] = []
  for (const [name, type] of message.fields) {
    const values = items.map((item) => own(item, name)).filter((value) => value !== undefined)
    if (values.length === 0) continue
    const place = { expression: member(expression, name), path: member(path, name) }
    const inside = termsOf(type, place, values, depth, said)
    const always = values.length === items.length
    // `has` takes identifiers only: a key with another name must be there.
    terms.push(...(always || !isVariable(name) ? inside : orElse(`!has(${place.expression})`, inside)))
  }
  return [...terms, ...absentTerms(message, expression, items, said)]
}

/** The range from 0 to the highest value, or from the lowest to 0. */
const rangeTerms = (expression: string, values: readonly number[]): readonly string[] => [
  `${expression} >= ${Math.min(0, ...values)}`,
  `${expression} <= ${Math.max(0, ...values)}`,
]
