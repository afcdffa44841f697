// Members of a call that its schema does not name. Most libraries let them pass, or drop them, and JSON Schema cannot refuse
// them where several schemas describe one object. So a value is compared with all schemas that speak of it at once.
import { toPointer } from '../../errors/pointer.ts'
import { isSchema, type Schema } from './json-schema.ts'
import { nearest } from './nearest-form.ts'
import { remembered } from './remembered.ts'
import { namesMembers, ofSameValue } from './same-value.ts'
import type { SchemaError } from './schema-issues.ts'
import { targetOf } from './schema-reference.ts'

type Path = readonly (string | number)[]

/** What only a validator knows. */
interface SchemaQuestions {
  /** `pointer`: where the value is, in what is checked. */
  readonly fits: (schema: Schema, value: unknown, pointer: string) => boolean
  readonly errorsIn: (schema: Schema, value: unknown, pointer: string) => readonly SchemaError[]
  readonly matches: (pattern: string, name: string) => boolean
}

/** Members of one object that nothing names. */
export interface Strays {
  readonly path: Path
  readonly names: readonly string[]
  /** What is wrong inside of them, where a form that names them is nearer to the object than one without them. */
  readonly instead?: readonly SchemaError[]
}

/**
 * Finds in a value where it has members that no schema of the same object names: in the value itself, and in every object inside
 * of which members are named. Branches of a choice count where they fit, and all of them where none does: that is told
 * otherwise. `root`: with references to its `$defs` alone (`selfContained`).
 */
export function strayFinder(root: Schema, { fits, errorsIn, matches }: SchemaQuestions) {
  const rulesOf = remembered((schema: Schema) => rulesIn(root, schema))
  const allOf = remembered((schema: Schema) => [...ofSameValue(root, schema)])
  const isNaming = remembered((schema: Schema) => allOf(schema).some(namesMembers))

  /** What speaks of one value. */
  interface About {
    readonly all: Set<Schema>
    /** Conditions that it meets: they name members, and close nothing. */
    readonly met: Set<Schema>
    /** Branches that do not fit it, beside others that do. */
    readonly failed: Set<Schema>
  }

  function collect(schema: unknown, given: unknown, at: string, all: Set<Schema>, about: About): void {
    if (!isSchema(schema) || all.has(schema)) return
    all.add(schema)
    const rules = rulesOf(schema)
    for (const other of rules.always) collect(other, given, at, all, about)
    for (const branches of rules.choices) {
      const fitting = branches.filter((branch) => isSchema(branch) && fits(branch, given, at))
      for (const branch of fitting.length > 0 ? fitting : branches) collect(branch, given, at, all, about)
      if (fitting.length > 0 && fitting.length < branches.length)
        for (const branch of branches) if (isSchema(branch) && !fitting.includes(branch)) about.failed.add(branch)
    }
    const { condition } = rules
    if (condition !== undefined) {
      const isMet = isSchema(condition) ? fits(condition, given, at) : condition !== false
      if (isMet) collect(condition, given, at, about.met, about)
      collect(schema[isMet ? 'then' : 'else'], given, at, all, about)
    }
    for (const [name, each] of rules.dependents)
      if (isSchema(given) && Object.hasOwn(given, name)) collect(each, given, at, all, about)
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

  /** The errors of a form that fails and names all strays of an object, where it is as near to that as one without them. */
  function nearerForm(failed: ReadonlySet<Schema>, names: readonly string[], given: unknown, at: string) {
    const choice = { keyword: 'anyOf', instancePath: at, params: {} }
    const without = names.map((name) => ({ ...choice, keyword: 'additionalProperties', params: { name } }))
    const forms = [...failed]
      .filter((form) => names.every((name) => allOf(form).some((each) => ofMember(each, name).length > 0)))
      .map((form) => errorsIn(form, given, at))
    return nearest(choice, [...forms, without], without)
  }

  return (value: unknown): readonly Strays[] => {
    const found: Strays[] = []
    function visit(schemas: readonly unknown[], given: unknown, path: Path): void {
      if (typeof given !== 'object' || given === null) return
      const about: About = { all: new Set(), met: new Set(), failed: new Set() }
      const at = toPointer(path)
      for (const schema of schemas) collect(schema, given, at, about.all, about)
      const together = [...about.all]
      const said = (keyword: string, each: (schema: Schema) => readonly unknown[]): readonly unknown[] => {
        const direct = together.flatMap(each)
        return direct.length > 0 ? direct : together.map((schema) => schema[keyword]).filter(isSaid)
      }
      if (Array.isArray(given)) {
        for (const [index, item] of given.entries())
          if (typeof item === 'object')
            visit(
              said('unevaluatedItems', (schema) => ofItem(schema, index)),
              item,
              [...path, index],
            )
        return
      }
      const isClosed =
        path.length === 0 ||
        together.some((schema) => schema['unevaluatedProperties'] === false) ||
        schemas.some((schema) => isSchema(schema) && isNaming(schema))
      const names: string[] = []
      for (const [name, member] of Object.entries(given)) {
        const of = said('unevaluatedProperties', (schema) => ofMember(schema, name)).filter((each) => each !== false)
        if (of.length > 0) visit(of, member, [...path, name])
        else if (isClosed && ![...about.met].some((schema) => ofMember(schema, name).length > 0)) names.push(name)
      }
      if (names.length === 0) return
      const instead = about.failed.size === 0 ? undefined : nearerForm(about.failed, names, given, at)
      found.push({ path, names, ...(instead === undefined ? {} : { instead }) })
    }
    visit([root], value, [])
    return found
  }
}

/** The schemas beside one that speak of the same value, by when they do. */
function rulesIn(root: Schema, schema: Schema) {
  const dependents = [schema['dependentSchemas'], schema['dependencies']].flatMap((map) =>
    isSchema(map) ? Object.entries(map) : [],
  )
  return {
    always: [targetOf(root, schema['$ref']), ...listOf(schema['allOf'])],
    choices: [listOf(schema['anyOf']), listOf(schema['oneOf'])],
    condition: schema['if'],
    dependents,
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const isSaid = (value: unknown): boolean => value !== undefined
