// Several schemas may speak of one value: those in `allOf`, in a choice, behind a reference. What is said of its members is
// then said in all of them together.
import { isSchema, type Schema } from './json-schema.ts'
import { targetOf } from './schema-reference.ts'
import { subSchemas } from './sub-schemas.ts'

/** A schema and all others that may speak of the same value. `seen`: a schema may refer to itself. */
export function ofSameValue(root: Schema, schema: Schema, seen = new Set<Schema>()): ReadonlySet<Schema> {
  if (seen.has(schema)) return seen
  seen.add(schema)
  const target = targetOf(root, schema['$ref'])
  if (target !== undefined) ofSameValue(root, target, seen)
  for (const [inside, of] of subSchemas(schema)) if (of === 'value') ofSameValue(root, inside, seen)
  return seen
}

export const namesMembers = (schema: Schema): boolean => 'properties' in schema || 'patternProperties' in schema

/** The members that a schema names, those at its top first. */
export const memberNames = (root: Schema): readonly string[] => [
  ...new Set(
    [...ofSameValue(root, root)].flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])),
  ),
]
