// A JSON Schema that becomes a part of another one. Its references count from the root of the document, so they must be
// said anew there, or a validator looks for `#/$defs/row` in the wrong place and drops the whole schema.
import { isSchema, type Schema } from './json-schema.ts'

/** Keywords whose value is data: a `$ref` in it is no reference. */
const holdsData: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/** Keywords whose value has a schema for each name: there `$ref` and `default` are names like any other. */
const holdsNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** The schema as it stands at `place` of another document, a JSON Pointer in a fragment: `#/properties/result`. */
export function moveSchema(schema: Schema, place: string): Schema {
  // What the root alone may name: two tools may have the same `$id`, and a dialect counts for a whole document.
  const { $schema: _, $id: __, id: ___, ...rest } = schema
  return movedKeywords(rest, place)
}

const movedKeywords = (schema: Schema, place: string): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string') return [keyword, movedReference(value, place)]
      if (holdsData.has(keyword)) return [keyword, value]
      if (!holdsNames.has(keyword) || !isSchema(value)) return [keyword, movedValue(value, place)]
      const named = Object.entries(value).map(([name, each]) => [name, movedValue(each, place)])
      return [keyword, Object.fromEntries(named)]
    }),
  )

function movedValue(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => movedValue(each, place))
  // References within a schema that has an address of its own count from there.
  return !isSchema(value) || typeof value['$id'] === 'string' ? value : movedKeywords(value, place)
}

/** `#` and `#/…` are places in the document; `#name` is found wherever it stands, and an address is an address. */
const movedReference = (reference: string, place: string): string =>
  reference === '#' || reference.startsWith('#/') ? place + reference.slice(1) : reference
