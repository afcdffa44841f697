// Where none of several forms fits a value, each form has its own errors. Whoever made the value meant one form: that one's
// errors say what to change, and those of the others would say to undo what is right.
import type { SchemaError } from './schema-issues.ts'

/** Of the errors of one form so many are compared and told. */
const mostOfForm = 100

/** So many choices are told by the form that was meant: which it was is costly to find. */
const mostChoices = 200

/** Errors as they are told: for a choice that fails, those of the form that was meant. */
export function toldErrors(
  all: readonly SchemaError[],
  known = new Map<SchemaError, readonly SchemaError[]>(),
): readonly SchemaError[] {
  const told = worthTelling(all).map((error) => {
    if (error.branches === undefined) return [error]
    const found = known.get(error)
    if (found !== undefined || known.size >= mostChoices) return found ?? [error]
    // Counted before those inside of it.
    known.set(error, [error])
    const of = meant(
      error,
      error.branches().map((each) => toldErrors(each, known)),
    )
    known.set(error, of)
    return of
  })
  return worthTelling(told.flat())
}

/**
 * The errors of a schema that are worth telling. One that two schemas of the same value share is told once. Where there are too
 * many, those stay that are of the value itself rather than of what is deep inside: they tell forms apart.
 */
export function worthTelling(all: readonly SchemaError[]): readonly SchemaError[] {
  if (all.length <= 1) return all
  // Beside the error of a condition stand those of what it asks for.
  const told = [...new Set(all)].filter(({ keyword }) => keyword !== 'if')
  const errors = told.length > 0 ? told : all
  if (errors.length <= mostOfForm) return sensible(errors)
  const byDepth = errors.map((error) => ({ error, depth: depthOf(error.instancePath) }))
  return sensible(
    byDepth
      .toSorted((one, other) => one.depth - other.depth)
      .slice(0, mostOfForm)
      .map(({ error }) => error),
  )
}

/** A schema that does not fit has named nothing, and so every member would be too many. */
const sensible = (errors: readonly SchemaError[]): readonly SchemaError[] =>
  errors.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'unevaluatedProperties' ||
      !errors.some((other) => other.keyword !== keyword && isWithin(other.instancePath, instancePath)),
  )

export const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`)

const depthOf = (pointer: string): number => pointer.split('/').length

/** The errors of the form that fits best; where several fit as well, or none at all, the one of the choice. */
export function meant(choice: SchemaError, forms: readonly (readonly SchemaError[])[]): readonly SchemaError[] {
  // More than one fits.
  if (Array.isArray(choice.params['passingSchemas'])) return [choice]
  const [first, second] = byDistance(choice, forms)
  if (first !== undefined && (second === undefined || compared(first.distances, second.distances) !== 0))
    return first.form
  const here = forms
    .flat()
    .flatMap((error) => error.forms ?? [error])
    .filter((error) => error.instancePath === choice.instancePath)
  return [{ ...choice, forms: here.slice(0, mostOfForm) }]
}

/** The errors of the form that fits best, of several the first; nothing where that is `own`. */
export function nearest(
  choice: SchemaError,
  forms: readonly (readonly SchemaError[])[],
  own: readonly SchemaError[],
): readonly SchemaError[] | undefined {
  const form = byDistance(choice, forms)[0]?.form
  return form === own ? undefined : form
}

/** The forms that a value may have been meant in, the nearest first. */
function byDistance(choice: SchemaError, forms: readonly (readonly SchemaError[])[]) {
  const possible = forms.flatMap((form) => {
    const distances = distancesOf(form, choice)
    return distances === undefined ? [] : [{ form, distances }]
  })
  return possible.toSorted((one, other) => compared(one.distances, other.distances))
}

/**
 * How far a value is from a form, by level: what is wrong with the value and its members themselves tells forms apart, and what
 * is deeper only where that is the same, because the same may stand deep inside of two forms. Nothing for a form that needs
 * another kind of value.
 */
function distancesOf(form: readonly SchemaError[], choice: SchemaError): readonly number[] | undefined {
  if (form.length === 0) return undefined
  if (form.some(({ keyword, instancePath }) => instancePath === choice.instancePath && ofAnotherKind.has(keyword)))
    return undefined
  const depth = depthOf(choice.instancePath)
  const levels: number[] = []
  const missing = new Set<number>()
  for (const error of form) {
    // A member of the value is of its own level.
    const level = Math.max(0, depthOf(error.instancePath) - depth - 1)
    levels[level] = (levels[level] ?? 0) + weightOf(error)
    // However much is missing, it counts once: what is there says more.
    if (error.keyword === 'required') missing.add(level)
  }
  for (const level of missing) levels[level] = (levels[level] ?? 0) + 3
  return Array.from(levels, (each) => each ?? 0)
}

function weightOf({ keyword }: SchemaError): number {
  // A member that tells forms apart, as `kind` does, says which one is meant.
  if (keyword === 'const' || keyword === 'enum') return 10
  return keyword === 'required' ? 0 : 1
}

/** Less than 0 where the first is nearer. */
function compared(one: readonly number[], other: readonly number[]): number {
  for (let level = 0; level < Math.max(one.length, other.length); level++) {
    const difference = (one[level] ?? 0) - (other[level] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const ofAnotherKind: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'false schema', 'anyOf', 'oneOf'])
