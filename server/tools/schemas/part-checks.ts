// A schema that holds itself in two branches of a choice is checked twice a level by Ajv, which tries all branches to the end:
// a call of 18 levels took seconds, and one of 64, which we take, would never end. So what several references lead to is a part
// with a check of its own, which looks at each value once. The work is at most parts times values. And what is wrong in each
// branch of a choice is looked at when it is told, which only few of ten thousand values come to.
import type { Ajv2020, AnySchema, KeywordCxt } from 'ajv/dist/2020.js'
import loadAjv from './ajv.cjs'
import { toldErrors, worthTelling } from './nearest-form.ts'
import type { Schema } from './json-schema.ts'
import { makeRoomForNotes } from './notes.ts'
import type { SchemaError } from './schema-issues.ts'
import { pointed } from './schema-reference.ts'
import { subSchemas } from './sub-schemas.ts'

/** Which members and items of its value a schema speaks of, as Ajv notes it for `unevaluatedProperties`. */
interface Evaluated {
  readonly props?: true | Readonly<Record<string, true>> | undefined
  readonly items?: true | number | undefined
}

/** Where a value is, among other things that only Ajv needs. */
interface Place {
  readonly instancePath: string
}

/** As Ajv calls a compiled schema: what it found, beside whether the value fits, stands on the function until the next call. */
interface PartCheck {
  (value: unknown, place: Place): boolean
  errors?: readonly SchemaError[] | null
  evaluated?: Evaluated
}

/** All checks of one schema. What they remember of the values that they are asked about is held until `forget`. */
export interface SchemaChecks {
  /** What is wrong with a value; nothing where it fits. Defaults are written into it, where the whole has them. */
  readonly errorsOf: (value: unknown) => readonly SchemaError[]
  /** Whether a place of the value that `errorsOf` was last asked about fits a part of the schema. */
  readonly fits: (part: unknown, value: unknown, pointer: string) => boolean
  /** What is wrong with it there. */
  readonly errorsIn: (part: unknown, value: unknown, pointer: string) => readonly SchemaError[]
  readonly forget: () => void
}

/** What a part said of a value in its place. */
interface Result {
  readonly value: unknown
  readonly place: string
  readonly errors: readonly SchemaError[] | null
  readonly evaluated: Evaluated
}

/** What the checks of one schema share. */
interface Run {
  readonly root: Schema
  /** By part; there by the value, or by the place of what is no object: the name of a member stands in that of its object. */
  readonly results: Map<PartCheck, Map<unknown, Result>>
  /** All on which errors stand. */
  readonly checks: Pick<PartCheck, 'errors'>[]
  /** References to parts that others lead to as well, or those parts themselves. */
  readonly shared: ReadonlySet<string>
  /** Whether the schema asks which members and items it has spoken of. */
  readonly notes: boolean
}

const nothing: Evaluated = {}

/**
 * `root`: with references to its `$defs` alone (`selfContained`). `compiler`: makes an Ajv of its own for every call. Only the
 * whole fills in defaults: those of a branch would be of a form that nobody may have meant.
 */
export function schemaChecks(root: Schema, compiler: (isWhole: boolean) => Ajv2020): SchemaChecks {
  const run: Run = { root, results: new Map(), checks: [], ...lookedAt(root) }
  let ofBranches: PartsOf | undefined
  // Few schemas have a choice.
  const branchOf: PartsOf = (schema) => {
    ofBranches ??= partsOf(run, compiler(false), branchOf)
    return ofBranches(schema)
  }
  const errorsOf = (check: PartCheck, value: unknown, instancePath: string): readonly SchemaError[] =>
    check(value, { instancePath }) ? [] : toldErrors(check.errors ?? [])
  const check = partsOf(run, compiler(true), branchOf)(root)
  return {
    errorsOf: (value) => {
      const errors = errorsOf(check, value, '')
      // The value may have defaults now that it did not have.
      run.results.clear()
      return errors
    },
    fits: (part, value, instancePath) => branchOf(part)(value, { instancePath }),
    errorsIn: (part, value, instancePath) => errorsOf(branchOf(part), value, instancePath),
    forget: () => {
      run.results.clear()
      for (const each of run.checks) each.errors = null
    },
  }
}

/** What has to be known of a schema before its parts are compiled. */
function lookedAt(root: Schema): Pick<Run, 'shared' | 'notes'> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  let notes = false
  const visit = (schema: Schema): void => {
    const { $ref: reference } = schema
    if (typeof reference === 'string') (seen.has(reference) ? shared : seen).add(reference)
    notes ||= 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema
    for (const [inside] of subSchemas(schema)) visit(inside)
  }
  visit(root)
  return { shared, notes }
}

type PartsOf = (schema: unknown, isShared?: boolean) => PartCheck

/** The checks of parts that are compiled by one Ajv. `branchOf`: those of the branches of choices. */
function partsOf(run: Run, ajv: Ajv2020, branchOf: PartsOf): PartsOf {
  const known = new Map<unknown, PartCheck>()
  // Compiling one part asks for others, which may ask for the first.
  const waiting: (() => void)[] = []
  let isCompiling = false
  const partOf: PartsOf = (schema, isShared = false) => {
    const found = known.get(schema)
    if (found !== undefined) return found
    let validate: PartCheck | undefined
    const plain: PartCheck = (value, place) => {
      const look = validate as PartCheck
      const isValid = look(value, place)
      plain.errors = look.errors ?? null
      plain.evaluated = copyOf(run, look)
      return isValid
    }
    const check = isShared ? remembering(run, plain) : plain
    run.checks.push(plain, check)
    known.set(schema, check)
    waiting.push(() => {
      validate = ajv.compile(schema as AnySchema) as unknown as PartCheck
      run.checks.push(validate)
    })
    if (isCompiling) return check
    isCompiling = true
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) next()
    isCompiling = false
    return check
  }
  for (const keyword of ['$ref', 'anyOf', 'oneOf']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    code: (context) => {
      const reference = String(context.schema)
      callPart(run, context, partOf(pointed(run.root, reference.slice(1)), run.shared.has(reference)))
    },
  })
  for (const keyword of ['anyOf', 'oneOf'] as const)
    ajv.addKeyword({
      keyword,
      schemaType: 'array',
      code: (context) =>
        callPart(
          run,
          context,
          choiceOf(
            run,
            keyword,
            (context.schema as readonly unknown[]).map((each) => branchOf(each)),
          ),
        ),
    })
  if (run.notes) makeRoomForNotes(ajv)
  return partOf
}

/** A call of a part, as Ajv calls what a reference leads to; but that copies all errors anew for each that is added. */
function callPart({ notes }: Run, context: KeywordCxt, check: PartCheck): void {
  const { _, Name, nil, names, mergeEvaluated, callValidateCode } = loadAjv()
  const { gen, it } = context
  const part = gen.scopeValue('validate', { ref: check })
  const add = gen.scopeValue('func', { ref: added })
  const { vErrors, errors } = names
  context.result(
    callValidateCode(context, part, nil),
    () => {
      if (!notes) return
      if (it.props !== true)
        it.props = mergeEvaluated.props(gen, gen.var('props', _`${part}.evaluated.props`), it.props, Name)
      if (it.items !== true)
        it.items = mergeEvaluated.items(gen, gen.var('items', _`${part}.evaluated.items`), it.items, Name)
    },
    () => {
      gen.assign(vErrors, _`${add}(${vErrors}, ${part}.errors)`)
      gen.assign(errors, _`${vErrors}.length`)
    },
  )
}

/** Of a list of ten thousand wrong items, so many are looked at any more. */
const mostOfList = 1000

/** Errors together with those of a part. */
function added(all: SchemaError[] | null, more: readonly SchemaError[]): SchemaError[] {
  // Ajv writes into it.
  if (all === null) return [...more]
  if (all.length < mostOfList) all.push(...more)
  return all
}

/** What a check has spoken of: a copy, as Ajv notes the next call in the same place. */
function copyOf({ notes }: Run, { evaluated }: { readonly evaluated?: Evaluated }): Evaluated {
  if (!notes || evaluated === undefined) return nothing
  const { props, items } = evaluated
  return { props: props === true ? true : { ...props }, items: items ?? 0 }
}

/** A check that looks at each value once in a run. */
function remembering(run: Run, look: PartCheck): PartCheck {
  const check: PartCheck = (value, place) => {
    const values = run.results.get(check) ?? new Map<unknown, Result>()
    if (values.size === 0) run.results.set(check, values)
    const { instancePath } = place
    const key = typeof value === 'object' && value !== null ? value : instancePath
    let known = values.get(key)
    // Whether it fits does not depend on the place, but what is wrong with it is said of that.
    if (known === undefined || known.value !== value || (known.errors !== null && known.place !== instancePath)) {
      const isValid = look(value, place)
      const errors = isValid ? null : worthTelling(look.errors ?? [])
      known = { value, place: instancePath, errors, evaluated: isValid ? (look.evaluated ?? nothing) : nothing }
      values.set(key, known)
    }
    check.errors = known.errors
    check.evaluated = copyOf(run, known)
    return known.errors === null
  }
  return check
}

/** The check of a choice. Of one that fails, its branches are asked again for what is wrong, where that is told. */
function choiceOf({ notes, checks }: Run, keyword: 'anyOf' | 'oneOf', branches: readonly PartCheck[]): PartCheck {
  const isDone = keyword === 'anyOf' && !notes
  const check: PartCheck = (value, place) => {
    const passing: number[] = []
    let evaluated = nothing
    for (const [at, branch] of branches.entries()) {
      if (!branch(value, place)) continue
      if (notes)
        evaluated = passing.length === 0 ? (branch.evaluated ?? nothing) : together(evaluated, branch.evaluated)
      passing.push(at)
      if (isDone) break
    }
    const isValid = passing.length === 1 || (keyword === 'anyOf' && passing.length > 0)
    check.evaluated = evaluated
    check.errors = isValid ? null : [failed(passing, value, place)]
    return isValid
  }
  const failed = (passingSchemas: readonly number[], value: unknown, place: Place): SchemaError => ({
    keyword,
    instancePath: place.instancePath,
    ...(passingSchemas.length > 0
      ? { params: { passingSchemas } }
      : { params: {}, branches: () => branches.map((branch) => (branch(value, place) ? [] : (branch.errors ?? []))) }),
  })
  checks.push(check)
  return check
}

const together = (one: Evaluated, { props, items }: Evaluated = nothing): Evaluated => ({
  props: one.props === true || props === true ? true : { ...one.props, ...props },
  items: one.items === true || items === true ? true : Math.max(one.items ?? 0, items ?? 0),
})
