// A definition is read, rated, searched, compiled and shown. Each of these walks it, some of them along its references;
// so what no honest tool needs is refused once, when its server lists it.
import { targetOf } from '../../../tools/schemas/schema-reference.ts'
import { isSchema, type Schema } from '../../../tools/schemas/json-schema.ts'

/** Keys, texts and all other values, of which the whole definition consists. */
const mostValues = 20_000
const mostCharacters = 1_000_000
const deepest = 64
/** Schemas that one value has to satisfy, each as often as it is referred to. */
const mostForOneValue = 1000

/** Why a definition as it was listed is not read; nothing where it may be. */
export function whyTooLarge(definition: unknown): string | undefined {
  let [values, characters] = [0, 0]
  const objects: Schema[] = []
  const left: [value: unknown, depth: number][] = [[definition, 0]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, depth] = next
    if (typeof value === 'string') characters += value.length
    if (++values > mostValues) return `has more than ${mostValues} values`
    if (characters > mostCharacters) return `has more than ${mostCharacters} characters`
    if (typeof value !== 'object' || value === null) continue
    if (depth > deepest) return `is nested deeper than ${deepest} levels`
    if (isSchema(value)) objects.push(value)
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) characters += key.length
      left.push([item, depth + 1])
    }
  }
  return whyEndless(definition, objects)
}

function whyEndless(definition: unknown, objects: readonly Schema[]): string | undefined {
  const root = isSchema(definition) && isSchema(definition['inputSchema']) ? definition['inputSchema'] : {}
  const known = new Map<Schema, number>()
  const open = new Set<Schema>()
  const count = (schema: Schema): number => {
    if (open.has(schema)) return Number.POSITIVE_INFINITY
    const before = known.get(schema)
    if (before !== undefined) return before
    open.add(schema)
    const all = inPlace(root, schema).reduce((sum, inner) => sum + count(inner), 1)
    open.delete(schema)
    known.set(schema, all)
    return all
  }
  for (const schema of objects) {
    const all = count(schema)
    if (all === Number.POSITIVE_INFINITY) return 'has a schema that refers to itself without end'
    if (all > mostForOneValue) return `has references that make more than ${mostForOneValue} schemas of one`
  }
  return undefined
}

/** Every schema that holds for the very value that this one holds for. */
function inPlace(root: Schema, schema: Schema): readonly Schema[] {
  const { allOf, anyOf, oneOf, dependentSchemas, dependencies } = schema
  return [
    ...['$ref', '$dynamicRef', '$recursiveRef'].map((keyword) => targetOf(root, schema[keyword])),
    ...[allOf, anyOf, oneOf].flatMap((branches) => (Array.isArray(branches) ? (branches as unknown[]) : [])),
    ...['not', 'if', 'then', 'else'].map((keyword) => schema[keyword]),
    ...[dependentSchemas, dependencies].flatMap((named) => (isSchema(named) ? Object.values(named) : [])),
  ].filter(isSchema)
}
