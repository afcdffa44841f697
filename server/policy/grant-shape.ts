// Types for the conditions of grants, from a tool's JSON Schema, so that a misspelt field is refused when the condition is
// written and does not silently hold for everything. The arguments become values of exactly these types. What a schema
// nests too deeply, or says in a way that has no type here, is `dyn`, in which nothing can be misspelt. A key that the
// schema does not declare has no name in a condition, and no condition covers a call that uses one.
import { fromPointer, valueAt } from '../errors/pointer.ts'

/** The type of a value in a condition. */
export type Shape =
  | { readonly kind: 'bool' | 'int' | 'double' }
  /** `prose`: the value is free text or null, and not enumerated. */
  | { readonly kind: 'string' | 'dyn'; readonly prose: boolean }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'map'; readonly values: Shape }
  | { readonly kind: 'message'; readonly message: Message }

/** An object with known fields. Its values are instances of `make`, by which the evaluator knows their type. */
export interface Message {
  readonly name: string
  readonly fields: ReadonlyMap<string, Shape>
  readonly make: new (entries: Iterable<readonly [string, unknown]>) => Map<string, unknown>
}

type Schema = Readonly<Record<string, unknown>>

const deepest = 6
const mostMessages = 100
const mostFields = 300

const dyn: Shape = { kind: 'dyn', prose: false }

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments of a tool, and every message type among them, innermost first. */
export interface ArgumentShape {
  readonly root: Message
  readonly messages: readonly Message[]
}

/** Reads the shape of a tool's arguments from their JSON Schema, an object schema. */
export function shapeOf(schema: unknown): ArgumentShape {
  const messages: Message[] = []
  const root = isSchema(schema) ? schema : {}

  const message = (of: Schema, path: string, depth: number): Message => {
    const fields = new Map(
      [...declared(root, of)]
        .slice(0, mostFields)
        // Arguments cannot have this key, and objects of the evaluator must not.
        .filter(([name]) => name !== '__proto__')
        .map(([name, choices]) => [name, either(choices, `${path}.${plainName(name)}`, depth + 1)] as const),
    )
    const made: Message = { name: `${path}${messages.length}`, fields, make: class extends Map<string, unknown> {} }
    messages.push(made)
    return made
  }

  /** The type of alternatives, if all have the same. */
  const either = (choices: readonly unknown[], path: string, depth: number): Shape => {
    const [only, ...others] = choices
    if (others.length === 0) return shape(only, path, depth)
    const made = choices.map((each) => (isNull(each) ? undefined : shape(each, path, depth)))
    const [first, ...rest] = made.filter((each) => each !== undefined)
    const scalar = first !== undefined && ['string', 'bool', 'int', 'double'].includes(first.kind)
    const prose = made.every((each) => each === undefined || ('prose' in each && each.prose))
    if (!scalar || rest.length + 1 < made.length || rest.some(({ kind }) => kind !== first.kind))
      return { kind: 'dyn', prose }
    return first.kind === 'string' ? { kind: 'string', prose } : first
  }

  const shape = (given: unknown, path: string, depth: number): Shape => {
    if (!isSchema(given) || depth > deepest || messages.length >= mostMessages) return dyn
    if (typeof given['$ref'] === 'string') return shape(resolve(root, given['$ref']), path, depth + 1)
    if (Array.isArray(given['allOf']) && given['allOf'].length === 1 && given['type'] === undefined)
      return shape(given['allOf'][0], path, depth + 1)
    const choices = given['anyOf'] ?? given['oneOf']
    if (Array.isArray(choices) && choices.length > 0 && given['properties'] === undefined)
      return either(choices, path, depth + 1)
    if (choices !== undefined || given['allOf'] !== undefined) return dyn
    switch (given['type'] ?? typeOfChoices(given)) {
      case 'string':
        return { kind: 'string', prose: given['enum'] === undefined && given['const'] === undefined }
      case 'boolean':
        return { kind: 'bool' }
      case 'integer':
        return { kind: 'int' }
      case 'number':
        return { kind: 'double' }
      case 'array':
        return { kind: 'list', items: shape(given['items'], `${path}.item`, depth + 1) }
      case 'object':
        if (isSchema(given['properties'])) return { kind: 'message', message: message(given, path, depth) }
        return { kind: 'map', values: shape(given['additionalProperties'], `${path}.value`, depth + 1) }
      default:
        return dyn
    }
  }
  return { root: message(root, 'args', 0), messages }
}

const isNull = (schema: unknown): boolean => isSchema(schema) && schema['type'] === 'null'

/** Keywords whose schemas may declare properties of the same object (JSON Schema 2020-12, "Applying Subschemas"). */
const inList = ['allOf', 'anyOf', 'oneOf'] as const
const inPlace = ['if', 'then', 'else'] as const

/** The properties of an object wherever its schema declares them, each with all of its schemas. */
function declared(root: Schema, of: Schema): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>()
  const seen = new Set<unknown>()
  const look = (given: unknown): void => {
    if (!isSchema(given) || seen.has(given) || seen.size > mostMessages) return
    seen.add(given)
    for (const [name, field] of Object.entries(isSchema(given['properties']) ? given['properties'] : {})) {
      const known = found.get(name) ?? []
      if (!known.some((each) => JSON.stringify(each) === JSON.stringify(field))) known.push(field)
      found.set(name, known)
    }
    if (typeof given['$ref'] === 'string') look(resolve(root, given['$ref']))
    for (const keyword of inList) if (Array.isArray(given[keyword])) given[keyword].forEach(look)
    for (const keyword of inPlace) look(given[keyword])
    if (isSchema(given['dependentSchemas'])) Object.values(given['dependentSchemas']).forEach(look)
  }
  look(of)
  return found
}

/** The type of `enum` or `const` without `type`. */
function typeOfChoices(schema: Schema): string | undefined {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  return choices.length > 0 && choices.every((choice) => typeof choice === 'string') ? 'string' : undefined
}

/** The target of a reference within the document (`#/$defs/line`); other references have no type. */
const resolve = (root: Schema, ref: string): unknown =>
  ref.startsWith('#/') ? valueAt(root, fromPointer(ref.slice(1))) : undefined

const plainName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 40) || '_'

/** The type in CEL's notation. */
export function typeText(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `list<${typeText(shape.items)}>`
    case 'map':
      return `map<string, ${typeText(shape.values)}>`
    case 'message':
      return shape.message.name
    default:
      return shape.kind
  }
}

/**
 * A JSON value for the evaluator: integers as bigint, objects as maps, through which no prototype can be reached. A value of
 * another type is left as it is; the evaluator then refuses it, and the condition does not hold.
 */
function valueFor(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'int':
      return Number.isSafeInteger(value) ? BigInt(value as number) : value
    case 'list':
      return Array.isArray(value) ? value.map((item) => valueFor(shape.items, item)) : valueFor(dyn, value)
    case 'map':
      return isSchema(value)
        ? new Map(Object.entries(value).map(([key, item]) => [key, valueFor(shape.values, item)]))
        : valueFor(dyn, value)
    case 'message':
      return isSchema(value) ? messageOf(shape.message, value) : valueFor(dyn, value)
    case 'dyn':
      if (Array.isArray(value)) return value.map((item) => valueFor(dyn, item))
      return isSchema(value) ? new Map(Object.entries(value).map(([key, item]) => [key, valueFor(dyn, item)])) : value
    case 'string':
    case 'bool':
    case 'double':
      return value
    default:
      return shape satisfies never
  }
}

/** An object for the evaluator. Throws a RangeError for a key that its schema does not declare. */
export const messageOf = ({ make, fields }: Message, value: Schema): Map<string, unknown> =>
  new make(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => {
        const shape = fields.get(name)
        if (shape === undefined) throw new RangeError(`The schema declares no ${JSON.stringify(name)}.`)
        return [name, valueFor(shape, item)] as const
      }),
  )
