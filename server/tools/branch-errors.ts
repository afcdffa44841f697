// Where none of several forms fits a value, Ajv tells what is wrong with each of them. Whoever made the value meant one form:
// that one's errors say what to change, and those of the others would say to undo what is right.
import { fromPointer } from '../errors/pointer.ts'
import { isSchema, type Schema } from './json-schema.ts'
import type { SchemaError } from './schema-issues.ts'
import { targetOf } from './schema-reference.ts'
import { subSchemas } from './sub-schemas.ts'

export interface Told {
  readonly error: SchemaError
  /** Of a choice of which no branch is meant more than another: what is wrong with each. */
  readonly forms: readonly SchemaError[]
}

/** The errors that are worth telling. `root`: the schema, for its references. */
export function told(all: readonly SchemaError[], root: Schema): readonly Told[] {
  const reached = new Map<unknown, Map<string, ReadonlySet<unknown>>>()
  /** Whether an error is of a schema that a branch has for the place of the error. */
  const isIn = (branch: unknown, error: SchemaError, choice: SchemaError): boolean => {
    const below = error.instancePath.slice(choice.instancePath.length)
    const places = reached.get(branch) ?? new Map<string, ReadonlySet<unknown>>()
    reached.set(branch, places)
    const schemas = places.get(below) ?? schemasAt(root, branch, fromPointer(below))
    places.set(below, schemas)
    return schemas.has(error.parentSchema)
  }
  const choices = all.flatMap((error, index) => (branchesOf(error).length === 0 ? [] : [{ error, index }]))
  // The errors of its branches come before the one of a choice, so the next choice around an error is the innermost.
  const parents = all.map((error, at) =>
    choices.find(
      (choice) =>
        choice.index > at &&
        isWithin(error, choice.error) &&
        branchesOf(choice.error).some((branch) => isIn(branch, error, choice.error)),
    ),
  )
  const found: (readonly Told[])[] = []
  for (const [at, error] of all.entries()) {
    const own = [...found.entries()].filter(([index]) => parents[index]?.index === at)
    const forms = branchesOf(error).map((branch) =>
      sensible(own.flatMap(([index, each]) => (isIn(branch, all[index] ?? error, error) ? each : []))),
    )
    if (error.keyword === 'if') found.push([])
    else found.push(meant(error, forms) ?? [{ error, forms: forms.flat().map((each) => each.error) }])
  }
  return sensible(found.filter((_, at) => parents[at] === undefined).flat())
}

/** A schema that does not fit has named nothing, and so every member would be too many. */
const sensible = (errors: readonly Told[]): readonly Told[] =>
  errors.filter(
    ({ error }) =>
      error.keyword !== 'unevaluatedProperties' ||
      !errors.some((other) => other.error.keyword !== error.keyword && isWithin(other.error, error)),
  )

const branchesOf = ({ keyword, schema }: SchemaError): readonly unknown[] =>
  (keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(schema) ? (schema as unknown[]) : []

const isWithin = ({ instancePath }: SchemaError, outer: SchemaError): boolean =>
  instancePath === outer.instancePath || instancePath.startsWith(`${outer.instancePath}/`)

/** The schemas that one has for a place inside of its value, conditions among them. */
function schemasAt(root: Schema, schema: unknown, path: readonly string[]): ReadonlySet<unknown> {
  let found = ofOnePlace(root, [schema])
  for (const key of path)
    found = ofOnePlace(
      root,
      [...found].flatMap((each) => inside(each, key)),
    )
  return found
}

function inside(schema: Schema, key: string): readonly unknown[] {
  const { properties, ...others } = schema
  return [
    isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined,
    ...subSchemas(others).flatMap(([each, of]) => (of === 'part' || of === 'condition' ? [each] : [])),
  ]
}

function ofOnePlace(root: Schema, schemas: readonly unknown[]): ReadonlySet<Schema> {
  const found = new Set<Schema>()
  const add = (schema: unknown): void => {
    if (!isSchema(schema) || found.has(schema)) return
    found.add(schema)
    add(targetOf(root, schema['$ref']))
    for (const [each, of] of subSchemas(schema)) if (of === 'value' || of === 'condition') add(each)
  }
  for (const schema of schemas) add(schema)
  return found
}

/** What is wrong with the branch that fits best; nothing where several do as well, or none at all. */
function meant(choice: SchemaError, forms: readonly (readonly Told[])[]): readonly Told[] | undefined {
  // More than one fits.
  if (Array.isArray(choice.params['passingSchemas'])) return undefined
  const rated = forms.map((form) => ({ form, distance: distanceOf(form, choice) }))
  const least = Math.min(...rated.map(({ distance }) => distance))
  const nearest = rated.filter(({ distance }) => distance === least)
  return Number.isFinite(least) && nearest.length === 1 ? nearest[0]?.form : undefined
}

/** Of one that needs another kind of value nothing is meant. */
function distanceOf(form: readonly Told[], choice: SchemaError): number {
  if (form.length === 0) return Infinity
  const isHere = ({ error }: Told): boolean => error.instancePath === choice.instancePath
  if (form.some((each) => isHere(each) && ofAnotherKind.has(each.error.keyword))) return Infinity
  const depth = choice.instancePath.split('/').length
  const weights = form.map(({ error }): number => {
    // A member that tells forms apart, as `kind` does, says which one is meant.
    if (['const', 'enum'].includes(error.keyword) && error.instancePath.split('/').length === depth + 1) return 10
    return error.keyword === 'required' ? 0 : 1
  })
  // However much is missing, it counts once: what is there says more.
  const missing = form.some(({ error }) => error.keyword === 'required') ? 3 : 0
  return missing + weights.reduce((sum, each) => sum + each, 0)
}

const ofAnotherKind: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'false schema', 'anyOf', 'oneOf'])
