// Arguments that break an upstream's schema must be refused here, by field, before the upstream sees them, and the same
// Zod object must give the upstream's own schema back to whoever lists it. So Ajv does the checking and Zod carries it.
import { createHash } from 'node:crypto'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import type { WrongArgument } from '../../errors/wrong-argument.ts'
import { customIssue } from '../../tools/custom-issue.ts'
import { told } from '../../tools/schemas/branch-errors.ts'
import { issuesOf } from '../../tools/schemas/schema-issues.ts'
import { unseenBy } from '../rules/condition.ts'
import type { ToolRule } from '../upstream/settings/upstream-config.schema.ts'
import { canonicalText } from '../upstream/definitions/canonical.ts'
import { runsWithin } from './deadline.ts'
import { linearPattern, type LinearPattern } from '../rules/linear-pattern.ts'
import { fromDraft4, speaksDraft4 } from './older-schemas.ts'
import { fillRequired } from './required-defaults.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'

/** Characters that the patterns of a schema look at in one check. */
const mostMatched = 100_000
/** Characters of all the patterns of one schema that are compiled. */
const mostPatterns = 10_000
/** Milliseconds that one check may take. */
const longestCheck = 50
/** Milliseconds that compiling a schema may take. A schema of a thousand branches takes more than a second. */
const longestCompile = 75
/** Compiling a schema of fewer characters is not timed: it takes 50 ms at most, and a busy machine would end it too early. */
const quickSchema = 2500

/** A check of less is not timed: characters of a schema without references, and ten for each step of its patterns, times those of the arguments. */
const unboundedWork = 1_000_000

/** Ajv hands the patterns of all schemas to one function, and keeps what it makes of each for the next schema. */
let compiling: { readonly refused: string[]; characters: number; steps: number } = {
  refused: [],
  characters: 0,
  steps: 0,
}
/** Characters that patterns have looked at in the check that runs. */
let matched = 0

class TooMuchText extends Error {}

function regExp(source: string): Pick<LinearPattern, 'test'> & { toString(): string } {
  compiling.characters += source.length
  let linear = compiling.characters > mostPatterns ? undefined : linearPattern(source)
  let midway = false
  if (linear === undefined) compiling.refused.push(source)
  else compiling.steps += linear.steps
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
  }
}
regExp.code = 'new RegExp'

const settings = {
  strict: false,
  validateSchema: false,
  allErrors: true,
  addUsedSchema: false,
  verbose: true,
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

interface Dialect {
  readonly get: () => Ajv
  /** It was ended while it compiled, and may be half changed: the next one is made anew. */
  readonly drop: () => void
}

function lazily(make: () => Ajv): Dialect {
  let made: Ajv | undefined
  return {
    get() {
      if (made !== undefined) return made
      made = make()
      addFormats.default(made)
      return made
    },
    drop: () => void (made = undefined),
  }
}

function dialectOf(schema: Schema): Dialect {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  if (/draft-0[4-7]/.test(named)) return dialects['07']
  return named.includes('2019-09') ? dialects['2019'] : dialects['2020']
}

interface Checked {
  readonly errors: readonly ErrorObject[]
  readonly schema?: Schema
  /** What was left to the server, in a sentence. */
  readonly unchecked?: string
  /** Completes "allowed is …" where nothing was checked to its end because of what these arguments are. */
  readonly limit?: string
  /** Why the schema cannot be compiled. It then checks nothing; the upstream still does, and the card says so. */
  readonly unusable?: string
}

/** Checks arguments without calling. */
export type SchemaCheck = (args: unknown) => Checked

const unusable = (reason: string): SchemaCheck => {
  const unchecked = `The schema of the tool is not usable: ${reason}`
  return () => ({ errors: [], unchecked, unusable: reason })
}

/** Compiles a schema when it is first needed; once, unless a check with it was ended. */
export function checkerOf(schema: Schema): SchemaCheck {
  let made: SchemaCheck | undefined
  /** A call is checked as it came, as it is stored and as it is shown: once is enough for what takes too long. */
  let ended: string | undefined
  const endings = (): Endings => ({
    includes: (args) => ended !== undefined && ended === fingerprint(args),
    add(args) {
      ended = fingerprint(args)
      // What was ended in the middle may be half changed.
      made = undefined
    },
  })
  return (args) => (made ??= compile(schema, endings()))(args)
}

/**
 * Whether a client can compile a schema that a tool is listed with. Those of the official TypeScript SDK read every schema
 * as draft 7, and fail with the whole list where one cannot be read.
 */
export function compilesForClients(schema: Schema): boolean {
  const dialect = dialects['07']
  let validate: ValidateFunction | undefined
  try {
    startCompiling()
    const ended = compilesInTime(dialect, JSON.stringify(schema), (ajv) => (validate = ajv.compile(schema)))
    if (validate !== undefined) dialect.get().removeSchema(validate.schema)
    return ended
  } catch {
    return false
  }
}

const startCompiling = (): void => void (compiling = { refused: [], characters: 0, steps: 0 })

/** Whether it was compiled. The instance is made before the time counts, because the first one takes long by itself. */
function compilesInTime(dialect: Dialect, text: string, work: (ajv: Ajv) => void): boolean {
  const compileOnce = (): void => work(dialect.get())
  dialect.get()
  if (text.length >= quickSchema) return runsWithin(longestCompile, compileOnce, () => dialect.drop())
  compileOnce()
  return true
}

const fingerprint = (args: unknown): string => createHash('sha256').update(canonicalText(args)).digest('hex')

/** The arguments whose check was ended last. */
interface Endings {
  includes(args: unknown): boolean
  add(args: unknown): void
}

/** Keywords under which a pattern that is not run would refuse what it should let pass. */
const turning = /"(?:not|oneOf|if|contains|patternProperties)":/

function compile(schema: Schema, endings: Endings): SchemaCheck {
  const dialect = dialectOf(schema)
  try {
    // "$id" and "$schema" only matter to a registry; two servers may well use the same.
    const { $id: _, $schema: __, id: ___, ...bare } = speaksDraft4(schema) ? fromDraft4(schema) : schema
    const text = JSON.stringify(bare)
    let validate: ValidateFunction | undefined
    startCompiling()
    compilesInTime(dialect, text, (ajv) => (validate = ajv.compile({ ...bare, type: 'object' })))
    const { refused, steps } = compiling
    if (validate === undefined) return unusable(`compiling it takes longer than ${longestCompile} ms`)
    dialect.get().removeSchema(validate.schema)
    const check = validate
    if (refused.length > 0 && turning.test(text)) return unusable(`it rests on ${notRun(refused)}`)
    const refers = text.includes('"$')
    const perCharacter = text.length + 10 * steps
    const isMuch = (args: unknown): boolean => refers || perCharacter * JSON.stringify(args).length > unboundedWork
    return (args) => run(check, refused, isMuch(args), endings, args)
  } catch (error) {
    return unusable((error as Error).message.slice(0, 200))
  }
}

function run(
  validate: ValidateFunction,
  refused: readonly string[],
  bounded: boolean,
  endings: Endings,
  args: unknown,
): Checked {
  matched = 0
  const tooLong = {
    errors: [],
    unchecked: `Checking them with its schema takes longer than ${longestCheck} ms.`,
    limit: `arguments that are checked with the tool's schema within ${longestCheck} ms: shorter or fewer of them`,
  }
  if (bounded && endings.includes(args)) return tooLong
  try {
    // To bound it costs more than most checks take.
    if (!bounded) validate(args)
    else if (!runsWithin(longestCheck, () => void validate(args))) {
      endings.add(args)
      return tooLong
    }
  } catch (error) {
    if (error instanceof TooMuchText)
      return {
        errors: [],
        unchecked: `Its patterns look at no more than ${mostMatched} characters.`,
        limit: `at most ${mostMatched} characters in the arguments that the tool's schema has patterns for`,
      }
    const why = (error as Error).message.slice(0, 200)
    return {
      errors: [],
      unchecked: `Its schema cannot be run: ${why}.`,
      limit: `arguments that the tool's schema can be run with (${why})`,
    }
  }
  const found = { errors: validate.errors ?? [], schema: validate.schema as Schema }
  return refused.length === 0 ? found : { ...found, unchecked: `Not run: ${notRun(refused)}.` }
}

/** RE2 runs a pattern in linear time or not at all. */
const notRun = (refused: readonly string[]): string =>
  `${refused.length === 1 ? 'a pattern' : `${refused.length} patterns`} that may take for ever (${[...new Set(refused)]
    .slice(0, 3)
    .map((source) => JSON.stringify(source.slice(0, 60)))
    .join(', ')})`

/** What is wrong with arguments although their schema lets them pass: where, and what would be right. */
export type FurtherCheck = (
  args: unknown,
  checked: Checked,
) => readonly (Pick<WrongArgument, 'allowed' | 'remedy'> & { readonly path: PropertyKey[] })[]

/**
 * A Zod schema that fills what the upstream's requires and has a default for, checks with it, and is written as it.
 * `rules` of the operator must be able to see what they look at.
 */
export function inputSchemaOf(
  schema: Schema,
  check: SchemaCheck,
  rules: readonly ToolRule[] = [],
  further: FurtherCheck = () => [],
): z.ZodType {
  const { id: _, ...listed } = schema
  return z
    .unknown()
    .overwrite((value) => fillRequired(schema, value))
    .superRefine((value, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        context.addIssue({ code: 'invalid_type', expected: 'object', input: value })
        return
      }
      const unseen = unseenBy(rules, value)
      if (unseen !== undefined) {
        const said = customIssue(`at most ${unseen.most} characters, because a rule of the operator looks through it`)
        context.addIssue({ code: 'custom', path: [...unseen.path], ...said, input: value })
        return
      }
      const checked = check(value)
      const issues = issuesOf(told(checked.errors, checked.schema ?? schema), value)
      for (const issue of issues) context.addIssue(issue)
      if (issues.length > 0) return
      for (const { path, allowed, remedy } of further(value, checked))
        context.addIssue({ code: 'custom', path, ...customIssue(allowed, { remedy }), input: value })
    })
    .meta({ ...listed, type: 'object' })
}
