// The arguments that a schema declares, however it is composed. A definition comes from outside, so the walk is bounded:
// a schema too large to be read whole is reported as such, and then counts as one that may hide something.
import { targetOf } from '../../tools/schemas/schema-reference.ts'
import { isSchema, type Schema } from '../../tools/schemas/json-schema.ts'

/** One declared argument. */
export interface Place {
  /** Keys from the arguments' root; "*" stands for every item of a list. */
  readonly path: readonly string[]
  readonly name: string
  readonly schema: Schema
  /** Names declared beside it. */
  readonly siblings: Schema
  readonly required: boolean
}

const mostPlaces = 2000
const mostSteps = 20_000
const deepest = 8

interface Places {
  readonly places: readonly Place[]
  /** Whether that was all of them. */
  readonly whole: boolean
  /** Whether a call is invited to carry what is not declared: a map, a free object or list, a schema inside of itself. */
  readonly open: boolean
}

/** Every declared argument. */
export function placesIn(root: Schema): Places {
  const places: Place[] = []
  let whole = true
  let open = false
  let steps = 0

  function walk(schema: unknown, path: readonly string[], within: readonly unknown[]): void {
    if (!isSchema(schema)) return
    if (within.includes(schema) || isOpen(schema, path.length === 0)) open = true
    if (within.includes(schema)) return
    if (++steps > mostSteps || places.length >= mostPlaces || within.length >= deepest * 3 || path.length >= deepest) {
      whole = false
      return
    }
    const inside = [...within, schema]
    const reference = schema['$ref'] ?? schema['$dynamicRef']
    walk(targetOf(root, reference), path, inside)
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const branches = schema[keyword]
      if (Array.isArray(branches)) for (const branch of branches as unknown[]) walk(branch, path, inside)
    }
    for (const keyword of ['if', 'then', 'else'] as const) walk(schema[keyword], path, inside)
    for (const keyword of ['items', 'prefixItems'] as const) {
      const items = schema[keyword]
      for (const item of (Array.isArray(items) ? items : [items]) as unknown[]) walk(item, [...path, '*'], inside)
    }
    walk(schema['additionalProperties'], [...path, '*'], inside)
    const properties = schema['properties']
    if (!isSchema(properties)) return
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
    for (const [name, value] of Object.entries(properties)) {
      if (!isSchema(value)) continue
      const at = [...path, name]
      const declared = typeof value['$ref'] === 'string' ? { ...targetOf(root, value['$ref']), ...value } : value
      places.push({ path: at, name, schema: declared, siblings: properties, required: required.includes(name) })
      walk(value, at, inside)
    }
  }

  walk(root, [], [])
  return { places, whole, open }
}

/** Whether a schema lets a value hold what it does not declare, on purpose; one that says nothing of it does not. */
function isOpen(schema: Schema, isRoot: boolean): boolean {
  const more = schema['additionalProperties']
  if (more === true || isSchema(more) || isSchema(schema['patternProperties'])) return true
  if (isRoot || listedValues(schema) !== undefined) return false
  const types = [schema['type'] ?? []].flat()
  if (types.includes('array') && !isSchema(schema['items']) && !Array.isArray(schema['prefixItems'])) return true
  const isAnything = types.length === 0 && !shaping.some((keyword) => Object.hasOwn(schema, keyword))
  const names = Object.keys(isSchema(schema['properties']) ? schema['properties'] : {})
  return (types.includes('object') || isAnything) && names.length === 0 && more !== false && !isComposed(schema)
}

/** Keywords of a schema without a type that say all the same what may stand there. */
const shaping = [
  'properties',
  'items',
  'required',
  'not',
  'if',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
]

const isComposed = (schema: Schema): boolean =>
  ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf'].some((keyword) => Object.hasOwn(schema, keyword))

/** The values that a schema lists for an argument: `enum`, `const`, or choices of constants; nothing where it is free. */
export function listedValues(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[]
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const listed = branches.filter(isSchema).map((branch) => (isNull(branch) ? [] : listedValues(branch)))
    if (listed.length > 0 && listed.every((values) => values !== undefined)) return listed.flat()
  }
  return undefined
}

const isNull = (schema: Schema): boolean => schema['type'] === 'null'

/** Whether free text may stand here, alone or in a list. */
export function takesText(schema: Schema, depth = 0): boolean {
  if (listedValues(schema) !== undefined || depth > 4) return false
  const types = [schema['type'] ?? []].flat()
  if (types.includes('string')) return true
  if (types.includes('array')) return !isSchema(schema['items']) || takesText(schema['items'], depth + 1)
  const branches = [schema['anyOf'], schema['oneOf']].flat().filter(isSchema)
  return branches.length > 0 ? branches.some((branch) => takesText(branch, depth + 1)) : types.length === 0
}

/** What arguments hold at a place. */
export function valuesAt(args: unknown, path: readonly string[]): readonly unknown[] {
  let held: readonly unknown[] = [args]
  for (const key of path)
    held = held.flatMap((value): readonly unknown[] => {
      if (typeof value !== 'object' || value === null) return []
      if (key === '*') return Object.values(value)
      return Object.hasOwn(value, key) ? [(value as Record<string, unknown>)[key]] : []
    })
  return held
}
