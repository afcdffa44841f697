// Where none of several forms fits a value, Ajv tells in one list what is wrong with each of them. Here the list is taken apart
// again, by form. Only what an upstream's schema is checked with needs it: `part-checks.ts` never puts them into one list.
import { fromPointer } from '../../errors/pointer.ts'
import { isSchema, type Schema } from './json-schema.ts'
import { isWithin, meant, worthTelling } from './nearest-form.ts'
import type { SchemaError } from './schema-issues.ts'
import { targetOf } from './schema-reference.ts'
import { subSchemas } from './sub-schemas.ts'

/** Of all that Ajv has found in a value, so many are taken apart. */
const mostTakenApart = 1000

/** The errors that are worth telling, of those that Ajv tells with `verbose`. `root`: the schema, for its references. */
export function told(errors: readonly SchemaError[], root: Schema): readonly SchemaError[] {
  const all = errors.slice(0, mostTakenApart)
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
        isWithin(error.instancePath, choice.error.instancePath) &&
        branchesOf(choice.error).some((branch) => isIn(branch, error, choice.error)),
    ),
  )
  const found: (readonly SchemaError[])[] = []
  for (const [at, error] of all.entries()) {
    const own = [...found.entries()].filter(([index]) => parents[index]?.index === at)
    const forms = branchesOf(error).map((branch) =>
      worthTelling(own.flatMap(([index, each]) => (isIn(branch, all[index] ?? error, error) ? each : []))),
    )
    found.push(forms.length === 0 ? [error] : meant(error, forms))
  }
  return worthTelling(found.filter((_, at) => parents[at] === undefined).flat())
}

const branchesOf = ({ keyword, schema }: SchemaError): readonly unknown[] =>
  (keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(schema) ? (schema as unknown[]) : []

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
