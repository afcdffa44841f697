// Where none of several forms fits a value, Ajv tells what is wrong with each of them. Whoever made the value meant one form:
// that one's errors say what to change, and those of the others would say to undo what is right.
import { isSchema, type Schema } from './json-schema.ts'
import type { SchemaError } from './schema-issues.ts'
import { targetOf } from './schema-reference.ts'

export interface Told {
  readonly error: SchemaError
  /** Of a choice of which no branch is meant more than another: what is wrong with each. */
  readonly forms: readonly SchemaError[]
}

/** The errors that are worth telling. `root`: the schema, for its references. */
export function told(all: readonly SchemaError[], root: Schema): readonly Told[] {
  const choices = all.flatMap((error, index) => {
    const branches =
      isChoice(error) && Array.isArray(error.schema) ? error.schema.map((each) => within(root, each)) : []
    return branches.length === 0 ? [] : [{ error, index, branches }]
  })
  const isOf = (branch: ReadonlySet<unknown>, choice: SchemaError, index: number) => (error: SchemaError, at: number) =>
    // The errors of its branches come before the one of the choice.
    at < index && isWithin(error, choice) && branch.has(error.parentSchema)
  const inBranch = (error: SchemaError, at: number): boolean =>
    choices.some((choice) => choice.branches.some((branch) => isOf(branch, choice.error, choice.index)(error, at)))
  const found = all.flatMap((error, at): readonly Told[] => {
    if (error.keyword === 'if' || inBranch(error, at)) return []
    const choice = choices.find((each) => each.index === at)
    if (choice === undefined) return [{ error, forms: [] }]
    const forms = choice.branches.map((branch) => told(all.filter(isOf(branch, error, at)), root))
    return meant(error, forms) ?? [{ error, forms: forms.flat().map((each) => each.error) }]
  })
  // A schema that does not fit has named nothing, and so every member would be too many.
  return found.filter(
    ({ error }) =>
      error.keyword !== 'unevaluatedProperties' ||
      !found.some((other) => other.error.keyword !== error.keyword && isWithin(other.error, error)),
  )
}

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf' || keyword === 'oneOf'

const isWithin = ({ instancePath }: SchemaError, outer: SchemaError): boolean =>
  instancePath === outer.instancePath || instancePath.startsWith(`${outer.instancePath}/`)

/** Everything inside of a schema, references followed. */
function within(root: Schema, value: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  if (isSchema(value)) within(root, targetOf(root, value['$ref']), found)
  for (const inside of Object.values(value)) within(root, inside, found)
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
