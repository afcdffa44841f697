// Members of a call that its schema does not name. Most libraries let them pass, or drop them, and JSON Schema cannot refuse
// them where several schemas describe one object. So a value is compared with all schemas that speak of it at once.
import { toPointer } from '../../errors/pointer.ts'
import { isSchema, type Schema } from './json-schema.ts'
import { namesMembers, ofSameValue } from './same-value.ts'
import { targetOf } from './schema-reference.ts'

type Path = readonly (string | number)[]

/** What only a validator knows. */
export interface SchemaQuestions {
  /** `pointer`: where the value is, in what is checked. */
  readonly fits: (schema: Schema, value: unknown, pointer: string) => boolean
  readonly matches: (pattern: string, name: string) => boolean
}

/**
 * Where a value has members that no schema of the same object names: in the value itself, and in every object inside of which
 * members are named. Branches of a choice count where they fit, and all of them where none does: that is told otherwise.
 * `root`: with references to its `$defs` alone (`selfContained`).
 */
export function straysIn(root: Schema, value: unknown, { fits, matches }: SchemaQuestions): readonly Path[] {
  const found: Path[] = []

  /** Adds to `all` what speaks of a value, and to `met` the conditions that it meets: they name members, and close nothing. */
  function collect(schema: unknown, given: unknown, at: string, all: Set<Schema>, met: Set<Schema>): void {
    if (!isSchema(schema) || all.has(schema)) return
    all.add(schema)
    const fitting = (choice: unknown): readonly unknown[] => {
      const branches = listOf(choice)
      const those = branches.filter((branch) => isSchema(branch) && fits(branch, given, at))
      return those.length > 0 ? those : branches
    }
    const { if: condition } = schema
    const isMet = isSchema(condition) ? fits(condition, given, at) : condition !== false
    const dependent = [schema['dependentSchemas'], schema['dependencies']].flatMap((map) =>
      Object.entries(isSchema(map) && isSchema(given) ? map : {}).flatMap(([name, each]) =>
        Object.hasOwn(given as object, name) ? [each] : [],
      ),
    )
    const others = [
      targetOf(root, schema['$ref']),
      ...listOf(schema['allOf']),
      ...fitting(schema['anyOf']),
      ...fitting(schema['oneOf']),
      ...(condition === undefined ? [] : [schema[isMet ? 'then' : 'else']]),
      ...dependent,
    ]
    if (isMet) collect(condition, given, at, met, met)
    for (const other of others) collect(other, given, at, all, met)
  }

  /** What a schema says of a member: nothing where it does not name it. */
  function ofMember(schema: Schema, name: string): readonly unknown[] {
    const { properties, patternProperties, additionalProperties } = schema
    const own = isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    const byPattern = Object.entries(isSchema(patternProperties) ? patternProperties : {}).flatMap(([pattern, each]) =>
      matches(pattern, name) ? [each] : [],
    )
    const named = [...own, ...byPattern]
    return named.length > 0 || additionalProperties === false ? named : [additionalProperties].filter(isSaid)
  }

  function ofItem(schema: Schema, index: number): readonly unknown[] {
    const first = listOf(schema['prefixItems'])
    return [index < first.length ? first[index] : schema['items']].filter(isSaid)
  }

  function visit(schemas: readonly unknown[], given: unknown, path: Path): void {
    if (typeof given !== 'object' || given === null) return
    const together = new Set<Schema>()
    const met = new Set<Schema>()
    const at = toPointer(path)
    for (const schema of schemas) collect(schema, given, at, together, met)
    const said = (keyword: string, each: (schema: Schema) => readonly unknown[]): readonly unknown[] => {
      const direct = [...together].flatMap(each)
      return direct.length > 0 ? direct : [...together].map((schema) => schema[keyword]).filter(isSaid)
    }
    if (Array.isArray(given)) {
      for (const [index, item] of given.entries())
        visit(
          said('unevaluatedItems', (schema) => ofItem(schema, index)),
          item,
          [...path, index],
        )
      return
    }
    const isClosed =
      path.length === 0 ||
      [...together].some((schema) => schema['unevaluatedProperties'] === false) ||
      schemas.some((schema) => isSchema(schema) && [...ofSameValue(root, schema)].some(namesMembers))
    for (const [name, member] of Object.entries(given)) {
      const about = said('unevaluatedProperties', (schema) => ofMember(schema, name)).filter((each) => each !== false)
      if (about.length > 0) visit(about, member, [...path, name])
      else if (isClosed && ![...met].some((schema) => ofMember(schema, name).length > 0)) found.push([...path, name])
    }
  }

  visit([root], value, [])
  return found
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const isSaid = (value: unknown): boolean => value !== undefined
