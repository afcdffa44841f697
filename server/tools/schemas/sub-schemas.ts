// Which keywords of a JSON Schema hold further schemas, and of which value those speak (JSON Schema 2020-12, core, section 10).
// Everything else is data: a `$ref` in a default is no reference.
import { isSchema, type Schema } from './json-schema.ts'

/** Of what a schema inside of another one speaks. */
type SubSchemaOf =
  /** Of the same value, which has to fit it, or may have to. */
  | 'value'
  /** Of a member or an item. */
  | 'part'
  /** A question about a value: nothing has to fit it. */
  | 'condition'
  /** Of nothing, until somebody refers to it. */
  | 'definition'

/** `one` schema, a `list` of them, or one by `name`. */
type Form = 'one' | 'list' | 'name'

const keywords: ReadonlyMap<string, readonly [SubSchemaOf, Form]> = new Map([
  ['allOf', ['value', 'list']],
  ['anyOf', ['value', 'list']],
  ['oneOf', ['value', 'list']],
  ['then', ['value', 'one']],
  ['else', ['value', 'one']],
  ['dependentSchemas', ['value', 'name']],
  ['dependencies', ['value', 'name']],
  ['properties', ['part', 'name']],
  ['patternProperties', ['part', 'name']],
  ['additionalProperties', ['part', 'one']],
  ['unevaluatedProperties', ['part', 'one']],
  ['prefixItems', ['part', 'list']],
  ['items', ['part', 'one']],
  ['additionalItems', ['part', 'one']],
  ['unevaluatedItems', ['part', 'one']],
  ['if', ['condition', 'one']],
  ['not', ['condition', 'one']],
  ['contains', ['condition', 'one']],
  ['propertyNames', ['condition', 'one']],
  ['contentSchema', ['condition', 'one']],
  ['$defs', ['definition', 'name']],
  ['definitions', ['definition', 'name']],
])

/** A copy in which each schema directly inside is what `map` makes of it. */
export function mapSubSchemas(schema: Schema, map: (inside: unknown, of: SubSchemaOf) => unknown): Schema {
  const mapped = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const [of, form] = keywords.get(keyword) ?? []
    if (of === undefined) return [keyword, value]
    // `items` of older drafts are a list.
    if (Array.isArray(value)) return [keyword, form === 'name' ? value : value.map((each) => map(each, of))]
    if (form === 'one') return [keyword, map(value, of)]
    if (form === 'list' || !isSchema(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each, of)]))]
  })
  return Object.fromEntries(mapped)
}

/** The schemas directly inside of one. */
export function subSchemas(schema: Schema): readonly (readonly [inside: Schema, of: SubSchemaOf])[] {
  const found: [Schema, SubSchemaOf][] = []
  mapSubSchemas(schema, (inside, of) => {
    if (isSchema(inside)) found.push([inside, of])
    return inside
  })
  return found
}
