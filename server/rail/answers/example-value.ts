// A value for an argument of which only the JSON Schema is known: what the schema itself shows, or the smallest thing of
// its type, with the argument's name as the placeholder of a text. Whether it fits is for the schema to say.
import { fromPointer, valueAt } from '../../errors/pointer.ts'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** How deep objects and lists are made. */
const deepest = 6

const formats: Readonly<Record<string, string>> = {
  date: '2030-01-31',
  'date-time': '2030-01-31T09:00:00Z',
  time: '09:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** The JSON Schema in which a schema stands. */
interface Document {
  /** Where its references point. */
  readonly root: Schema
  /**
   * Whether the values that it proposes (`examples`, `default`) are used. Somebody else's server must not choose values of a
   * call that we show; `const` and `enum` bind every caller, so these count in any case.
   */
  readonly proposes: boolean
}

/** An example of what a schema describes. */
export function exampleValue(schema: unknown, name: string, document: Document, depth = 0): unknown {
  if (!isSchema(schema) || depth > deepest) return `<${name}>`
  const { root, proposes } = document
  const shown = schema['examples']
  if (proposes && Array.isArray(shown) && shown.length > 0) return shown[0]
  for (const key of proposes ? ['default', 'const'] : ['const']) if (Object.hasOwn(schema, key)) return schema[key]
  const values = schema['enum']
  if (Array.isArray(values)) return values[0]
  const reference = schema['$ref']
  if (typeof reference === 'string')
    return exampleValue(valueAt(root, fromPointer(reference.replace(/^#/, ''))), name, document, depth + 1)
  const choices = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']
  if (Array.isArray(choices) && schema['type'] === undefined) return exampleValue(choices[0], name, document, depth + 1)
  return ofType(schema, name, document, depth)
}

function ofType(schema: Schema, name: string, document: Document, depth: number): unknown {
  const types = [schema['type']].flat()
  switch (types.find((type) => type !== 'null')) {
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: Math.max(1, Math.min(3, numeric(schema['minItems']) ?? 1)) }, () =>
        exampleValue(schema['items'], name, document, depth + 1),
      )
    case 'object':
      return objectOf(schema, document, depth)
    default:
      return textOf(schema, name)
  }
}

function objectOf(schema: Schema, document: Document, depth: number): unknown {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const names = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name], name, document, depth + 1)]))
}

const numeric = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function numberOf(schema: Schema): number {
  const above = numeric(schema['exclusiveMinimum'])
  const least = numeric(schema['minimum']) ?? (above === undefined ? 1 : above + 1)
  return Math.max(least, Math.min(1, numeric(schema['maximum']) ?? 1))
}

function textOf(schema: Schema, name: string): string {
  const format = schema['format']
  const known = typeof format === 'string' ? formats[format] : undefined
  const text = (known ?? `<${name}>`).padEnd(Math.min(200, numeric(schema['minLength']) ?? 0), 'x')
  return text.slice(0, numeric(schema['maxLength']) ?? text.length)
}
