// A schema that holds itself in two branches of a choice is checked twice a level by Ajv, which tries all branches to the end:
// a call of 18 levels took seconds, and one of 64, which we take, would never end. So what a reference leads to and each branch
// of a choice is a part with a check of its own, which looks at each value once. The work is at most parts times values.
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, KeywordCxt, ValidateFunction } from 'ajv'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { meant, worthTelling } from './nearest-form.ts'
import type { Schema } from './json-schema.ts'
import type { SchemaError } from './schema-issues.ts'
import { pointed } from './schema-reference.ts'

/** Which members and items of its value a schema speaks of, as Ajv notes it for `unevaluatedProperties`. */
interface Evaluated {
  readonly props?: true | Readonly<Record<string, true>> | undefined
  readonly items?: true | number | undefined
}

interface Result {
  readonly isValid: boolean
  readonly errors: readonly SchemaError[]
  readonly evaluated: Evaluated
}

/** Where a value is, among other things that only Ajv needs. */
interface Place {
  readonly instancePath: string
}

/** As Ajv calls a compiled schema: what it found, beside whether the value fits, stands on the function until the next call. */
interface PartCheck {
  (value: unknown, place: Place): boolean
  errors?: SchemaError[] | null
  evaluated?: Evaluated
}

/** All checks of one schema. */
export interface SchemaChecks {
  /** What is wrong with a value; nothing where it fits. Defaults are written into it, where the whole has them. */
  readonly errorsOf: (value: unknown) => readonly SchemaError[]
  /** Whether a place of the value that `errorsOf` was last asked about fits a part of the schema. */
  readonly fits: (part: unknown, value: unknown, pointer: string) => boolean
}

/** By what checked, by place, by value: the name of a member stands in the same place as its object. */
type Results = Map<PartCheck, Map<string, Map<unknown, Result>>>

/**
 * `root`: with references to its `$defs` alone (`selfContained`). `compiler`: makes an Ajv of its own for every call. Only the
 * whole fills in defaults: those of a branch would be of a form that nobody may have meant.
 */
export function schemaChecks(root: Schema, compiler: (isWhole: boolean) => Ajv2020): SchemaChecks {
  const run: { results: Results } = { results: new Map() }
  let ofBranches: PartsOf | undefined
  // Few schemas have a choice.
  const branchOf: PartsOf = (schema) => {
    ofBranches ??= partsOf(root, compiler(false), run, branchOf)
    return ofBranches(schema)
  }
  const check = partsOf(root, compiler(true), run, branchOf)(root)
  return {
    errorsOf: (value) => {
      run.results = new Map()
      const { isValid, errors } = resultOf(check, value, { instancePath: '' })
      // The value may have defaults now that it did not have.
      run.results = new Map()
      return isValid ? [] : errors
    },
    fits: (part, value, instancePath) => branchOf(part)(value, { instancePath }),
  }
}

type PartsOf = (schema: unknown) => PartCheck

/** The checks of parts that are compiled by one Ajv. `branchOf`: those of the branches of choices. */
function partsOf(root: Schema, ajv: Ajv2020, run: { readonly results: Results }, branchOf: PartsOf): PartsOf {
  const known = new Map<unknown, PartCheck>()
  // Compiling one part asks for others, which may ask for the first.
  const waiting: (() => void)[] = []
  let isCompiling = false
  const partOf: PartsOf = (schema) => {
    const found = known.get(schema)
    if (found !== undefined) return found
    let validate: ValidateFunction | undefined
    const check = remembering(run, (value, place) => resultOf(validate as unknown as PartCheck, value, place))
    known.set(schema, check)
    waiting.push(() => (validate = ajv.compile(schema as AnySchema)))
    if (isCompiling) return check
    isCompiling = true
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) next()
    isCompiling = false
    return check
  }
  const call = (context: KeywordCxt, check: PartCheck): void =>
    callRef(context, context.gen.scopeValue('validate', { ref: check }))
  for (const keyword of ['$ref', 'anyOf', 'oneOf']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    code: (context) => call(context, partOf(pointed(root, String(context.schema).slice(1)))),
  })
  for (const keyword of ['anyOf', 'oneOf'] as const)
    ajv.addKeyword({
      keyword,
      schemaType: 'array',
      code: (context) => {
        const branches = (context.schema as readonly unknown[]).map(branchOf)
        call(
          context,
          remembering(run, (value, place) => resultOfChoice(keyword, branches, value, place)),
        )
      },
    })
  return partOf
}

/** A check that looks at each value once in a run. */
function remembering(run: { readonly results: Results }, look: (value: unknown, place: Place) => Result): PartCheck {
  const check: PartCheck = (value, place) => {
    const places = orNew(run.results, check, () => new Map<string, Map<unknown, Result>>())
    const values = orNew(places, place.instancePath, () => new Map<unknown, Result>())
    const { isValid, errors, evaluated } = orNew(values, value, () => look(value, place))
    // Ajv writes into what it is given.
    check.errors = [...errors]
    check.evaluated = { ...evaluated, props: evaluated.props === true ? true : { ...evaluated.props } }
    return isValid
  }
  return check
}

function orNew<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

function resultOf(check: PartCheck, value: unknown, place: Place): Result {
  const isValid = check(value, place)
  const { errors, evaluated } = check
  return { isValid, errors: isValid ? [] : worthTelling(errors ?? []), evaluated: { ...evaluated } }
}

function resultOfChoice(
  keyword: 'anyOf' | 'oneOf',
  branches: readonly PartCheck[],
  value: unknown,
  place: Place,
): Result {
  const results = branches.map((branch) => resultOf(branch, value, place))
  const passing = results.filter(({ isValid }) => isValid).map(({ evaluated }) => evaluated)
  if (passing.length === 1 || (keyword === 'anyOf' && passing.length > 0))
    return { isValid: true, errors: [], evaluated: passing.reduce(together) }
  const choice = {
    keyword,
    instancePath: place.instancePath,
    params: passing.length > 1 ? { passingSchemas: passing.map((_, at) => at) } : {},
  }
  return {
    isValid: false,
    errors: meant(
      choice,
      results.map((each) => each.errors),
    ),
    evaluated: {},
  }
}

const together = (one: Evaluated, other: Evaluated): Evaluated => ({
  props: one.props === true || other.props === true ? true : { ...one.props, ...other.props },
  items: one.items === true || other.items === true ? true : Math.max(one.items ?? 0, other.items ?? 0),
})
