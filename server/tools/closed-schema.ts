// A JSON Schema of arguments that takes no member which it does not name. Most libraries let such members pass, or drop them;
// what the person was not shown must not reach the tool, and what is listed for agents must be what is checked.
import { isSchema, type Schema } from './json-schema.ts'
import { targetOf } from './schema-reference.ts'

/** Keywords with schemas of the same value as the one that they stand in (JSON Schema 2020-12, core, section 10.2). */
const sameValue = {
  lists: new Set(['allOf', 'anyOf', 'oneOf']),
  single: new Set(['then', 'else']),
  named: new Set(['dependentSchemas', '$defs', 'definitions']),
}

/** Keywords with schemas of the parts of a value (section 10.3). */
const parts = {
  lists: new Set(['prefixItems']),
  single: new Set(['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']),
  named: new Set(['properties', 'patternProperties']),
}

/** The schemas of the same value, references followed. `seen`: a schema may refer to itself. */
function inPlace(root: Schema, schema: Schema, seen = new Set<Schema>()): ReadonlySet<Schema> {
  if (seen.has(schema)) return seen
  seen.add(schema)
  const others = [
    targetOf(root, schema['$ref']),
    ...[...sameValue.lists].flatMap((keyword) =>
      Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [],
    ),
    ...[...sameValue.single].map((keyword) => schema[keyword]),
    ...Object.values(isSchema(schema['dependentSchemas']) ? schema['dependentSchemas'] : {}),
  ]
  for (const other of others) if (isSchema(other)) inPlace(root, other, seen)
  return seen
}

const namesMembers = (schema: Schema): boolean => 'properties' in schema || 'patternProperties' in schema

/** The keyword that refuses every other member: the plain one where no other schema speaks of the same value. */
function closing(root: Schema, schema: Schema): Schema {
  if ('unevaluatedProperties' in schema) return {}
  if (inPlace(root, schema).size === 1 && !('if' in schema))
    return 'additionalProperties' in schema ? {} : { additionalProperties: false }
  return { unevaluatedProperties: false }
}

/**
 * The schema with every object closed that names members: the value itself, and what is inside of it. Open stays what says
 * `additionalProperties` or `unevaluatedProperties`, and an object without named members, but for the value itself. An object that
 * two schemas describe in part, each as a member of theirs, takes what both name.
 */
export function closedSchema(root: Schema): Schema {
  const each = (value: unknown, isPart: boolean): unknown =>
    Array.isArray(value) ? value.map((item) => visit(item, isPart)) : visit(value, isPart)
  const named = (value: unknown, isPart: boolean): unknown =>
    isSchema(value)
      ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, visit(schema, isPart)]))
      : value

  function visit(schema: unknown, isPart: boolean): unknown {
    if (!isSchema(schema)) return schema
    // Conditions (`if`, `not`, `contains`) stay as they are: closed, they would hold of other values.
    const copy = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (parts.named.has(keyword)) return [keyword, named(value, true)]
      if (sameValue.named.has(keyword)) return [keyword, named(value, false)]
      if (parts.lists.has(keyword) || parts.single.has(keyword)) return [keyword, each(value, true)]
      if (sameValue.lists.has(keyword) || sameValue.single.has(keyword)) return [keyword, each(value, false)]
      return [keyword, value]
    })
    const isClosed = isPart && (schema === root || [...inPlace(root, schema)].some(namesMembers))
    return { ...Object.fromEntries(copy), ...(isClosed ? closing(root, schema) : {}) }
  }
  return visit(root, true) as Schema
}

/** Keywords of the arguments as a whole that the parameters of the rail (`rationale`, `preview`, `ticket`) would break. */
const aboutAll = ['$ref', 'maxProperties', 'patternProperties', 'propertyNames']

/** Why the parameters of the rail cannot stand beside the arguments that a schema describes; nothing where they can. */
export function reservedProblem(root: Schema): string | undefined {
  const found = aboutAll.find((keyword) => keyword in root)
  if (found !== undefined)
    return `it says "${found}" of all arguments, and every call has parameters of ours beside them`
  const isStrict = [...inPlace(root, root)].some(
    (schema) =>
      schema !== root &&
      (schema['additionalProperties'] === false ||
        schema['unevaluatedProperties'] === false ||
        aboutAll.some((keyword) => keyword !== '$ref' && keyword in schema)),
  )
  return isStrict
    ? 'a part of it forbids other arguments, and every call has parameters of ours beside them'
    : undefined
}
