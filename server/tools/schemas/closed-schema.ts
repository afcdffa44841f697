// A JSON Schema of arguments that takes no member which it does not name, as agents are listed it. Most libraries let such
// members pass, or drop them, and what the person was not shown must not reach the tool. Where two schemas describe the same
// object, as intersections of libraries do, JSON Schema has no place to say it: those stay open here, and `strays.ts` refuses.
import { isSchema, type Schema } from './json-schema.ts'
import { namesMembers, ofSameValue } from './same-value.ts'
import { targetOf } from './schema-reference.ts'
import { mapSubSchemas, subSchemas } from './sub-schemas.ts'

/**
 * The schema with every object closed that names members: the value itself, and what is inside of it. Open stays what says
 * `additionalProperties` or `unevaluatedProperties`, and an object without named members, but for the value itself.
 * `root`: with references to its `$defs` alone (`selfContained`). What they lead to is closed where it is used.
 */
export function closedSchema(root: Schema): Schema {
  const shared = sharedParts(root)
  function visit(schema: unknown, isPart: boolean): unknown {
    if (!isSchema(schema)) return schema
    const copy = mapSubSchemas(schema, (inside, of) =>
      // Closed, a condition would hold of other values.
      of === 'condition' ? inside : visit(inside, of === 'part'),
    )
    const isClosed =
      isPart && !shared.has(schema) && (schema === root || [...ofSameValue(root, schema)].some(namesMembers))
    return isClosed ? { ...copy, ...closing(root, schema) } : copy
  }
  return visit(root, true) as Schema
}

/** The keyword that refuses every other member: the plain one where no other schema speaks of the same value. */
function closing(root: Schema, schema: Schema): Schema {
  if (saysItself(root, schema)) return {}
  return ofSameValue(root, schema).size === 1 && !('if' in schema)
    ? { additionalProperties: false }
    : { unevaluatedProperties: false }
}

/** Whether a schema says of every object that fits it which other members that may have. */
function saysItself(root: Schema, schema: Schema, outer: readonly Schema[] = []): boolean {
  if (outer.includes(schema)) return false
  const says = (inside: unknown): boolean => isSchema(inside) && saysItself(root, inside, [...outer, schema])
  const { type, allOf, anyOf, oneOf } = schema
  const isNoObject = typeof type === 'string' && type !== 'object'
  return (
    isNoObject ||
    'additionalProperties' in schema ||
    'unevaluatedProperties' in schema ||
    says(targetOf(root, schema['$ref'])) ||
    (Array.isArray(allOf) && allOf.some(says)) ||
    [anyOf, oneOf].some((choice) => Array.isArray(choice) && choice.length > 0 && choice.every(says))
  )
}

/** What several schemas of one value may describe: a member by its name, all members without one, or items. */
type Place = { readonly name: string } | 'others' | 'items'

/** Schemas of a member or an item that another schema describes, too; with everything inside of them. */
function sharedParts(root: Schema): ReadonlySet<Schema> {
  const shared = new Set<Schema>()
  function share(schema: Schema): void {
    if (shared.has(schema)) return
    shared.add(schema)
    const target = targetOf(root, schema['$ref'])
    if (target !== undefined) share(target)
    for (const [inside] of subSchemas(schema)) share(inside)
  }
  function visit(schema: Schema): void {
    const together = [...ofSameValue(root, schema)]
    const names = new Set(together.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])))
    const places: readonly Place[] = [...[...names].map((name) => ({ name })), 'others', 'items']
    for (const place of places)
      if (timesDescribed(root, schema, place) > 1)
        for (const each of together) for (const part of partsAt(each, place)) share(part)
    for (const [inside] of subSchemas(schema)) visit(inside)
  }
  visit(root)
  return shared
}

/** What a schema itself says of a place; its patterns are taken to match every name. */
function partsAt(schema: Schema, place: Place): readonly Schema[] {
  if (place === 'items')
    return [schema['prefixItems'], schema['items'], schema['unevaluatedItems']].flat().filter(isSchema)
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema
  const isNamed = place !== 'others' && isSchema(properties) && Object.hasOwn(properties, place.name)
  return [
    ...(isNamed ? [properties[place.name]] : [additionalProperties, unevaluatedProperties]),
    ...Object.values(isSchema(patternProperties) ? patternProperties : {}),
  ].filter(isSchema)
}

/** How many schemas describe a place of one value at most; of a choice, one branch counts. */
function timesDescribed(root: Schema, schema: Schema, place: Place, outer: readonly Schema[] = []): number {
  if (outer.includes(schema)) return 0
  const count = (inside: unknown): number =>
    isSchema(inside) ? timesDescribed(root, inside, place, [...outer, schema]) : 0
  const choices = [schema['anyOf'], schema['oneOf']].map((choice): unknown[] => (Array.isArray(choice) ? choice : []))
  const others = subSchemas(schema).flatMap(([inside, of]) =>
    of === 'value' && !choices.flat().includes(inside) ? [inside] : [],
  )
  const own = partsAt(schema, place).length
  return [
    // Each item has one schema.
    place === 'items' ? Math.min(own, 1) : own,
    ...[targetOf(root, schema['$ref']), ...others].map(count),
    ...choices.map((choice) => Math.max(0, ...choice.map(count))),
  ].reduce((sum, each) => sum + each)
}
