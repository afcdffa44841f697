// Every call has `rationale`, and a write `preview` and `ticket`, beside the arguments that a schema describes. Where the schema
// says something of all members at once, whoever reads it with these three in it would understand another thing than we check.
import type { Schema } from './json-schema.ts'
import { targetOf } from './schema-reference.ts'
import { subSchemas } from './sub-schemas.ts'
import { UnusableSchema } from './unusable-schema.ts'

const counts = 'would also count'
const speaks = 'would also be about'

/** Keywords of all members together, with what they would do to ours. */
const ofAllMembers: ReadonlyMap<string, string> = new Map([
  ['minProperties', counts],
  ['maxProperties', counts],
  ['patternProperties', speaks],
  ['propertyNames', speaks],
  ['const', speaks],
  ['enum', speaks],
])

/** Of other members than those that the same schema names: at the top ours are named beside them, and in a part they are not. */
const ofOtherMembers = ['additionalProperties', 'unevaluatedProperties']

const isOpen = (others: unknown): boolean =>
  others === undefined ||
  others === true ||
  (typeof others === 'object' && others !== null && Object.keys(others).length === 0)

/** What is said of all arguments together, whether it has to hold of them or is only asked. */
function aboutArguments(root: Schema, schema: Schema, found = new Set<Schema>()): ReadonlySet<Schema> {
  if (found.has(schema)) return found
  found.add(schema)
  const target = targetOf(root, schema['$ref'])
  if (target !== undefined) aboutArguments(root, target, found)
  for (const [inside, of] of subSchemas(schema))
    if (of === 'value' || inside === schema['if'] || inside === schema['not']) aboutArguments(root, inside, found)
  return found
}

/** @throws {UnusableSchema} where our three cannot stand beside the arguments that a schema describes. */
export function refuseBesideReserved(root: Schema): void {
  if ('$ref' in root) throw new UnusableSchema('it has "$ref" at its top', 'Write there what it refers to.')
  for (const schema of aboutArguments(root, root)) {
    const place = schema === root ? 'it has' : 'a part of it has'
    const keyword =
      [...ofAllMembers.keys()].find((each) => each in schema) ??
      (schema === root ? undefined : ofOtherMembers.find((each) => !isOpen(schema[each])))
    if (keyword === undefined) continue
    const where = schema === root ? `"${keyword}" at its top` : `"${keyword}" for all arguments`
    throw new UnusableSchema(
      `${place} ${where}, which ${ofAllMembers.get(keyword) ?? speaks} rationale, preview and ticket`,
      `Leave "${keyword}" out there, or put what it is about into one argument.`,
    )
  }
}
