// A JSON Schema is what a model reads; a person wants to see which fields there are, which must be given, and what may
// stand in them. This walks a schema into rows, one a field, with the path as one would write it: `lines[].sku`.

import { isSchema, resolve, type Schema } from '../../parts/json-schema.ts'

interface SchemaRow {
  readonly path: string
  readonly type: string
  readonly required: boolean
  /** Limits, choices and the default, each a short phrase. */
  readonly rules: readonly string[]
  readonly description: string
}

const MAX_DEPTH = 6
const MAX_ROWS = 300

const json = (value: unknown): string => JSON.stringify(value) ?? String(value)

const typeOf = (schema: Schema): string => {
  const { type } = schema
  if (Array.isArray(schema['enum'])) return 'one of'
  if (schema['const'] !== undefined) return 'always'
  if (Array.isArray(type)) return type.join(' or ')
  if (typeof type === 'string') {
    if (type === 'array' && isSchema(schema['items'])) return `list of ${typeOf(schema['items'])}`
    return type
  }
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return [...new Set(choices.filter(isSchema).map(typeOf))].join(' or ')
  return isSchema(schema['properties']) ? 'object' : 'any'
}

const limits: readonly (readonly [key: string, words: string])[] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['format', 'format'],
  ['pattern', 'pattern'],
]

const rulesOf = (schema: Schema): readonly string[] => {
  const rules = limits.flatMap(([key, words]) => {
    const value = schema[key]
    // What every integer of JSON is limited to says nothing.
    if (value === undefined || (typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER)) return []
    return [`${words} ${typeof value === 'string' ? value : json(value)}`]
  })
  const choices = Array.isArray(schema['enum']) ? [schema['enum'].map(json).join(', ')] : []
  const always = schema['const'] === undefined ? [] : [json(schema['const'])]
  const fallback = schema['default'] === undefined ? [] : [`default ${json(schema['default'])}`]
  return [...choices, ...always, ...rules, ...fallback]
}

/** The fields of an object schema, nested ones after their parent; at most 300 rows, six deep. */
export const schemaRows = (root: Schema): readonly SchemaRow[] => {
  const rows: SchemaRow[] = []
  const walk = (given: Schema, prefix: string, depth: number): void => {
    const schema = resolve(given, root)
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const properties = isSchema(schema['properties']) ? schema['properties'] : {}
    for (const [name, member] of Object.entries(properties)) {
      if (rows.length >= MAX_ROWS) return
      const field = isSchema(member) ? resolve(member, root) : {}
      const { description } = field
      const path = prefix === '' ? name : `${prefix}.${name}`
      rows.push({
        path,
        type: typeOf(field),
        required: required.includes(name),
        rules: rulesOf(field),
        description: typeof description === 'string' ? description : '',
      })
      inside(field, path, depth)
    }
  }
  const inside = (field: Schema, path: string, depth: number): void => {
    if (depth >= MAX_DEPTH) return
    const items = isSchema(field['items']) ? resolve(field['items'], root) : undefined
    if (items !== undefined) walk(items, `${path}[]`, depth + 1)
    if (isSchema(field['properties'])) walk(field, path, depth + 1)
    const choices = field['anyOf'] ?? field['oneOf']
    if (Array.isArray(choices))
      for (const choice of choices.filter(isSchema)) inside(resolve(choice, root), path, depth + 1)
  }
  walk(root, '', 0)
  return rows
}
