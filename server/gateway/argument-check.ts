// Arguments that break an upstream's schema must be refused here, by field, before the upstream sees them, and the same
// Zod object must give the upstream's own schema back to whoever lists it. So Ajv does the checking and Zod carries it.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { runsWithin } from './deadline.ts'
import { linearPattern, type LinearPattern } from './linear-pattern.ts'
import { fromDraft4, speaksDraft4 } from './older-schemas.ts'
import { fillRequired } from './required-defaults.ts'

type Schema = Readonly<Record<string, unknown>>

/** Characters that the patterns of a schema look at in one check. */
const mostMatched = 100_000
/** Characters of all the patterns of one schema that are compiled. */
const mostPatterns = 10_000
/** Milliseconds that one check may take. */
const longestCheck = 50

/** A check of less is not timed: characters of a schema without references, times those of the arguments. */
const unboundedWork = 1_000_000

/** Ajv hands the patterns of all schemas to one function, and keeps what it makes of each for the next schema. */
let compiling: { readonly refused: string[]; characters: number } = { refused: [], characters: 0 }
/** Characters that patterns have looked at in the check that runs. */
let matched = 0

class TooMuchText extends Error {}

function regExp(source: string): LinearPattern {
  compiling.characters += source.length
  let linear = compiling.characters > mostPatterns ? undefined : linearPattern(source)
  let midway = false
  if (linear === undefined) compiling.refused.push(source)
  return {
    test: (text) => {
      if (linear === undefined) return true
      matched += text.length + 1
      if (matched > mostMatched) throw new TooMuchText()
      // It was ended in a match before this one, and may be half changed.
      if (midway) linear = linearPattern(source) ?? linear
      midway = true
      const matches = linear.test(text)
      midway = false
      return matches
    },
    // Ajv knows a pattern by this.
    toString: () => source,
  } as LinearPattern
}
regExp.code = 'new RegExp'

const settings = {
  strict: false,
  validateSchema: false,
  allErrors: true,
  addUsedSchema: false,
  // Compiled once, however often it is referred to.
  inlineRefs: false,
  code: { regExp },
} as const

/**
 * One instance for each dialect; MCP's default is 2020-12 (specification 2025-11-25, "JSON Schema Usage"). Draft 6 has
 * nothing that draft 7 reads otherwise; draft 4 is said anew first.
 */
const dialects = {
  '2020': lazily(() => new Ajv2020(settings)),
  '2019': lazily(() => new Ajv2019(settings)),
  '07': lazily(() => new Ajv(settings)),
}

function lazily(make: () => Ajv): () => Ajv {
  let made: Ajv | undefined
  return () => {
    if (made !== undefined) return made
    made = make()
    addFormats.default(made)
    return made
  }
}

function dialectOf(schema: Schema): Ajv {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  if (/draft-0[4-7]/.test(named)) return dialects['07']()
  return named.includes('2019-09') ? dialects['2019']() : dialects['2020']()
}

/** A schema that cannot be compiled checks nothing; the upstream still does, and the card says so. */
export type SchemaCheck =
  | { readonly kind: 'compiled'; readonly check: (args: unknown) => Checked }
  | { readonly kind: 'unusable'; readonly reason: string }

export interface Checked {
  readonly errors: readonly ErrorObject[]
  /** What was left to the server, in a sentence. */
  readonly unchecked?: string
}

/** Compiles a schema, once, when it is first needed. */
export function checkerOf(schema: Schema): () => SchemaCheck {
  let made: SchemaCheck | undefined
  // What was ended in the middle may be half changed.
  const forget = (): void => void (made = undefined)
  return () => (made ??= compile(schema, forget))
}

/** Keywords under which a pattern that is not run would refuse what it should let pass. */
const turning = /"(?:not|oneOf|if|contains|patternProperties)":/

function compile(schema: Schema, forget: () => void): SchemaCheck {
  const ajv = dialectOf(schema)
  const { refused } = (compiling = { refused: [], characters: 0 })
  try {
    // "$id" and "$schema" only matter to a registry; two servers may well use the same.
    const { $id: _, $schema: __, id: ___, ...bare } = speaksDraft4(schema) ? fromDraft4(schema) : schema
    const text = JSON.stringify(bare)
    const validate = ajv.compile({ ...bare, type: 'object' })
    ajv.removeSchema(validate.schema)
    if (refused.length > 0 && turning.test(text)) return { kind: 'unusable', reason: `it rests on ${notRun(refused)}` }
    const refers = text.includes('"$')
    const isMuch = (args: unknown): boolean => refers || text.length * JSON.stringify(args).length > unboundedWork
    return { kind: 'compiled', check: (args) => run(validate, refused, isMuch(args), forget, args) }
  } catch (error) {
    return { kind: 'unusable', reason: (error as Error).message.slice(0, 200) }
  }
}

function run(
  validate: ValidateFunction,
  refused: readonly string[],
  bounded: boolean,
  forget: () => void,
  args: unknown,
): Checked {
  matched = 0
  try {
    // To bound it costs more than most checks take.
    if (!bounded) validate(args)
    else if (!runsWithin(longestCheck, () => void validate(args))) {
      forget()
      return { errors: [], unchecked: `Checking them with its schema takes longer than ${longestCheck} ms.` }
    }
  } catch (error) {
    if (error instanceof TooMuchText)
      return { errors: [], unchecked: `Its patterns look at no more than ${mostMatched} characters.` }
    return { errors: [], unchecked: `Its schema cannot be run: ${(error as Error).message.slice(0, 200)}.` }
  }
  const errors = validate.errors ?? []
  return refused.length === 0 ? { errors } : { errors, unchecked: `Not run: ${notRun(refused)}.` }
}

/** RE2 runs a pattern in linear time or not at all. */
const notRun = (refused: readonly string[]): string =>
  `${refused.length === 1 ? 'a pattern' : `${refused.length} patterns`} that may take for ever (${[...new Set(refused)]
    .slice(0, 3)
    .map((source) => JSON.stringify(source.slice(0, 60)))
    .join(', ')})`

/** What of these arguments only the server checks, in a sentence; nothing where all of them were checked. */
export function uncheckedIn(found: SchemaCheck, args: unknown): string | undefined {
  return found.kind === 'unusable'
    ? `The schema of the tool is not usable: ${found.reason}`
    : found.check(args).unchecked
}

/** A Zod schema that fills what the upstream's requires and has a default for, checks with it, and is written as it. */
export function inputSchemaOf(schema: Schema, check: () => SchemaCheck): z.ZodType {
  const { id: _, ...listed } = schema
  return z
    .unknown()
    .overwrite((value) => fillRequired(schema, value))
    .superRefine((value, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        context.addIssue({ code: 'invalid_type', expected: 'object', input: value })
        return
      }
      const found = check()
      if (found.kind === 'unusable') return
      for (const issue of issuesOf(found.check(value).errors, value)) context.addIssue(issue)
    })
    .meta({ ...listed, type: 'object' })
}

type Issue = Parameters<z.core.$RefinementCtx['addIssue']>[0]

/** Of a list of a hundred thousand wrong items the first are enough. */
const mostErrors = 1000

function issuesOf(all: readonly ErrorObject[], input: unknown): readonly Issue[] {
  const errors = all.slice(0, mostErrors)
  const choices = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const inChoice = (error: ErrorObject): boolean =>
    choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`))
  return errors
    .filter((error) => !inChoice(error) && error.keyword !== 'if')
    .slice(0, 20)
    .map((error): Issue => {
      const path = pathOf(error)
      if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties')
        return {
          code: 'unrecognized_keys',
          keys: [String(path.at(-1))],
          path: path.slice(0, -1),
          input: undefined as never,
        }
      return { code: 'custom', path, message: allowed(error, errors), input }
    })
}

function pathOf(error: ErrorObject): PropertyKey[] {
  const path: PropertyKey[] = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { params } = error as { params: Record<string, unknown> }
  const below = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  return typeof below === 'string' ? [...path, below] : path
}

/** Completes "allowed is …". */
function allowed(error: ErrorObject, all: readonly ErrorObject[]): string {
  const params = error.params as Record<string, unknown>
  const list = (value: unknown): string =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).join(', ') : ''
  switch (error.keyword) {
    case 'required':
      return 'a value: this argument is required'
    case 'type':
      return `a value of type ${Array.isArray(params['type']) ? params['type'].join(' or ') : String(params['type'])}`
    case 'enum':
      return `one of ${list(params['allowedValues'])}`
    case 'const':
      return JSON.stringify(params['allowedValue'])
    case 'pattern':
      return `text that matches ${String(params['pattern'])}`
    case 'format':
      return `text in the format ${String(params['format'])}`
    case 'anyOf':
    case 'oneOf':
      return alternatives(error, all)
    default:
      return (error.message ?? 'what the schema of the tool says').replace(/^must (be )?/, '')
  }
}

/** What each branch of a choice would have taken, as far as it says something about this very value. */
function alternatives(choice: ErrorObject, all: readonly ErrorObject[]): string {
  const branches = all
    .filter(
      (error) => error.schemaPath.startsWith(`${choice.schemaPath}/`) && error.instancePath === choice.instancePath,
    )
    .map((error) =>
      error.keyword === 'required' ? `an object with ${String(pathOf(error).at(-1))}` : allowed(error, []),
    )
  const unique = [...new Set(branches)].slice(0, 5)
  return unique.length === 0 ? 'one of the forms that the schema describes' : unique.join(', or ')
}
