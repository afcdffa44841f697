// A condition on the arguments of a tool is only worth something if a misspelt field is refused when it is written, and
// not found out when it silently holds for everything. So the tool's JSON Schema becomes types of the expression
// language, and the arguments become values of exactly these types. Schemas come from other people's servers too: what
// they nest too deeply, or say in a way that has no type here, is `dyn`, of which nothing can be misspelt.

/** How one value of the arguments looks to a condition. */
export type Shape =
  | { readonly kind: 'string' | 'bool' | 'int' | 'double' | 'dyn' }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'map'; readonly values: Shape }
  | { readonly kind: 'message'; readonly message: Message }

/** An object with known fields. Its values are instances of `make`, which is how the evaluator knows their type. */
export interface Message {
  readonly name: string
  readonly fields: ReadonlyMap<string, Shape>
  readonly make: new (entries: Iterable<readonly [string, unknown]>) => Map<string, unknown>
}

type Schema = Readonly<Record<string, unknown>>

const deepest = 6
const mostMessages = 100
const mostFields = 300

const dyn: Shape = { kind: 'dyn' }

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
    const properties = isSchema(of['properties']) ? Object.entries(of['properties']).slice(0, mostFields) : []
    const fields = new Map(
      properties
        // No JSON of ours has such a key, and no object of the evaluator should.
        .filter(([name]) => name !== '__proto__')
        .map(([name, field]) => [name, shape(field, `${path}.${plainName(name)}`, depth + 1)] as const),
    )
    const made: Message = { name: `${path}${messages.length}`, fields, make: class extends Map<string, unknown> {} }
    messages.push(made)
    return made
  }

  const shape = (given: unknown, path: string, depth: number): Shape => {
    if (!isSchema(given) || depth > deepest || messages.length >= mostMessages) return dyn
    if (typeof given['$ref'] === 'string') return shape(resolve(root, given['$ref']), path, depth + 1)
    if (Array.isArray(given['allOf']) && given['allOf'].length === 1 && given['type'] === undefined)
      return shape(given['allOf'][0], path, depth + 1)
    if (given['anyOf'] !== undefined || given['oneOf'] !== undefined || given['allOf'] !== undefined) return dyn
    switch (given['type'] ?? typeOfChoices(given)) {
      case 'string':
        return { kind: 'string' }
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

/** `enum` and `const` without a type. */
function typeOfChoices(schema: Schema): string | undefined {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  return choices.length > 0 && choices.every((choice) => typeof choice === 'string') ? 'string' : undefined
}

/** A reference within the document (`#/$defs/line`); others have no type here. */
function resolve(root: Schema, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
}

const plainName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 40) || '_'

/** How the expression language writes this type. */
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
 * A JSON value as the evaluator wants it: whole numbers as bigint, objects as maps without a prototype to reach. What does
 * not fit its shape is left as it is; the evaluator then refuses it, and the condition does not hold.
 */
export function valueFor(shape: Shape, value: unknown): unknown {
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

/** The named fields of an object; others have no name in a condition. */
export const messageOf = ({ make, fields }: Message, value: Schema): Map<string, unknown> =>
  new make(
    [...fields].flatMap(([name, shape]) =>
      Object.hasOwn(value, name) && value[name] !== undefined ? [[name, valueFor(shape, value[name])] as const] : [],
    ),
  )
