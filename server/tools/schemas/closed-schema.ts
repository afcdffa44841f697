// A JSON Schema of arguments that takes no member which it does not name, as agents are listed it. Most libraries let such
// members pass, or drop them, and what the person was not shown must not reach the tool. Where two schemas describe the same
// object, as intersections of libraries do, JSON Schema has no place to say it: those stay open here, and `strays.ts` refuses.
import { isSchema, type Schema } from './json-schema.ts'
import { namesMembers, ofSameValue } from './same-value.ts'
import { remembered } from './remembered.ts'
import { targetOf } from './schema-reference.ts'
import { mapSubSchemas, subSchemas } from './sub-schemas.ts'

/**
 * The schema with every object closed that names members: the value itself, and what is inside of it. Open stays what says
 * `additionalProperties` or `unevaluatedProperties`, and an object without named members, but for the value itself.
 * `root`: with references to its `$defs` alone (`selfContained`). What they lead to is closed where it is used.
 */
export function closedSchema(root: Schema): Schema {
  const togetherOf = remembered((schema: Schema) => [...ofSameValue(root, schema)])
  const linksOf = remembered((schema: Schema) => linksIn(root, schema))
  const shared = sharedParts(root, togetherOf, linksOf)
  const says = sayingThemselves(togetherOf, linksOf)
  /** The keyword that refuses every other member: the plain one where no other schema speaks of the same value. */
  const closing = (schema: Schema): Schema => {
    if (says.has(schema)) return {}
    return togetherOf(schema).length === 1 && !('if' in schema)
      ? { additionalProperties: false }
      : { unevaluatedProperties: false }
  }
  function visit(schema: unknown, isPart: boolean): unknown {
    if (!isSchema(schema)) return schema
    const copy = mapSubSchemas(schema, (inside, of) =>
      // Closed, a condition would hold of other values.
      of === 'condition' ? inside : visit(inside, of === 'part'),
    )
    const isClosed = isPart && !shared.has(schema) && (schema === root || togetherOf(schema).some(namesMembers))
    return isClosed ? { ...copy, ...closing(schema) } : copy
  }
  return visit(root, true) as Schema
}

type TogetherOf = (schema: Schema) => readonly Schema[]

/** Schemas of the same value inside of one: those that it has to fit, or may have to, and those of which one counts. */
interface Links {
  readonly target: Schema | undefined
  readonly others: readonly Schema[]
  /** Of a choice, `true` and `false` as well. */
  readonly choices: readonly (readonly unknown[])[]
}

function linksIn(root: Schema, schema: Schema): Links {
  const choices = [schema['anyOf'], schema['oneOf']].map((choice): unknown[] => (Array.isArray(choice) ? choice : []))
  const others = subSchemas(schema).flatMap(([inside, of]) =>
    of === 'value' && !choices.some((choice) => choice.includes(inside)) ? [inside] : [],
  )
  return { target: targetOf(root, schema['$ref']), others, choices }
}

/**
 * What follows for schemas from those that they lead to, which may be themselves: asked again until no answer grows. Schemas
 * lead to one another by so many ways that none could be followed to its end.
 */
function settle<T>(schemas: readonly Schema[], known: Map<Schema, T>, ask: (schema: Schema) => T): void {
  let grows = true
  while (grows) {
    grows = false
    // What others lead to comes after them.
    for (const schema of schemas.toReversed()) {
      const answer = ask(schema)
      grows ||= answer !== known.get(schema)
      known.set(schema, answer)
    }
  }
}

/** The schemas that say of every object that fits them which other members that may have. */
function sayingThemselves(
  togetherOf: TogetherOf,
  linksOf: (schema: Schema) => Links,
): { readonly has: (schema: Schema) => boolean } {
  const known = new Map<Schema, boolean>()
  const says = (inside: unknown): boolean => isSchema(inside) && known.get(inside) === true
  const ask = (schema: Schema): boolean => {
    const { type, allOf } = schema
    const { target, choices } = linksOf(schema)
    return (
      (typeof type === 'string' && type !== 'object') ||
      'additionalProperties' in schema ||
      'unevaluatedProperties' in schema ||
      says(target) ||
      (Array.isArray(allOf) && allOf.some(says)) ||
      choices.some((choice) => choice.length > 0 && choice.every(says))
    )
  }
  const has = (schema: Schema): boolean => {
    if (!known.has(schema)) settle(togetherOf(schema), known, ask)
    return says(schema)
  }
  return { has }
}

/** What several schemas of one value may describe: a member by its name, all members without one, or items. */
type Place = { readonly name: string } | 'others' | 'items'

/** Schemas of a member or an item that another schema describes, too; with everything inside of them. */
function sharedParts(root: Schema, togetherOf: TogetherOf, linksOf: (schema: Schema) => Links): ReadonlySet<Schema> {
  const isShared = sharedPlaces(togetherOf, linksOf)
  const shared = new Set<Schema>()
  function share(schema: Schema): void {
    if (shared.has(schema)) return
    shared.add(schema)
    const target = targetOf(root, schema['$ref'])
    if (target !== undefined) share(target)
    for (const [inside] of subSchemas(schema)) share(inside)
  }
  function visit(schema: Schema): void {
    const together = togetherOf(schema)
    const names = new Set(together.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])))
    const places: readonly Place[] = [...[...names].map((name) => ({ name })), 'others', 'items']
    for (const place of places)
      if (isShared(schema, place)) for (const each of together) for (const part of partsAt(each, place)) share(part)
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

/** Whether several schemas describe a place of one value; of a choice, one branch counts. */
function sharedPlaces(togetherOf: TogetherOf, linksOf: (schema: Schema) => Links) {
  const byPlace = new Map<string, Map<Schema, number>>()
  return (schema: Schema, place: Place): boolean => {
    const key = typeof place === 'string' ? place : `name ${place.name}`
    const known = byPlace.get(key) ?? new Map<Schema, number>()
    byPlace.set(key, known)
    const count = (inside: unknown): number => (isSchema(inside) ? (known.get(inside) ?? 0) : 0)
    const ask = (each: Schema): number => {
      const { target, others, choices } = linksOf(each)
      const own = partsAt(each, place).length
      const counts = [
        // Each item has one schema.
        place === 'items' ? Math.min(own, 1) : own,
        ...[target, ...others].map(count),
        ...choices.map((choice) => Math.max(0, ...choice.map(count))),
      ]
      return Math.min(
        2,
        counts.reduce((sum, one) => sum + one),
      )
    }
    if (!known.has(schema)) settle(togetherOf(schema), known, ask)
    return count(schema) > 1
  }
}
