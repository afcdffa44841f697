// What a contract says of its input and its output may come from any library of schemas. The rail checks with Zod alone, so
// everything else is carried by a Zod schema that is written as the JSON Schema it was made of.
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { closedSchema, reservedProblem } from './closed-schema.ts'
import { customIssue } from './custom-issue.ts'
import type { Schema } from './json-schema.ts'
import { issuesOf, type SchemaError } from './schema-issues.ts'

/** A schema that can check and be written as JSON Schema, as arktype has them and `toStandardJsonSchema` of Valibot makes them. */
export interface StandardSchema<T = unknown> {
  /** Standard Schema and Standard JSON Schema, version 1 (https://standardschema.dev). */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>
    readonly types?: { readonly input: unknown; readonly output: T } | undefined
    readonly jsonSchema: {
      readonly input: (options: StandardOptions) => Record<string, unknown>
      readonly output: (options: StandardOptions) => Record<string, unknown>
    }
  }
}

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export interface StandardOptions {
  readonly target: 'draft-2020-12'
}

/** A JSON Schema (2020-12) of an object. An input takes no member that it does not name (`closed-schema.ts`). */
export interface JsonObjectSchema {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, unknown>>
  readonly [keyword: string]: unknown
}

/** What a contract may say of a value: a schema of Zod 4, another one that can be written as JSON Schema, or that itself. */
export type ToolSchema<T = unknown> = z.core.$ZodType<T> | StandardSchema<T> | JsonObjectSchema

type Side = 'input' | 'output'

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

const isZod = (schema: object): schema is z.core.$ZodType => '_zod' in schema

function standardOf(schema: object): Partial<StandardSchema['~standard']> | undefined {
  const standard: unknown = Reflect.get(schema, '~standard')
  return isObject(standard) ? standard : undefined
}

/** What keeps a value from being a schema that a contract can have, and what to write instead; nothing where it is one. */
export function schemaProblem(schema: unknown): { readonly problem: string; readonly fix?: string } | undefined {
  if (!isObject(schema)) return { problem: 'is not a schema' }
  if (isZod(schema)) return undefined
  const standard = standardOf(schema)
  if (standard?.vendor === 'zod' || ('_def' in schema && 'safeParse' in schema))
    return { problem: 'is a schema of Zod 3', fix: 'Import z from Zod 4 (npm install zod@4).' }
  if (standard !== undefined) {
    const library = standard.vendor ?? 'a library'
    if (standard.jsonSchema === undefined)
      return {
        problem: `is a schema of ${library} that cannot be written as JSON Schema`,
        fix: 'Give one that has `~standard.jsonSchema`: for Valibot, toStandardJsonSchema(…) of @valibot/to-json-schema.',
      }
    return typeof standard.validate === 'function'
      ? undefined
      : { problem: `is a schema of ${library} that cannot check`, fix: 'Give one that has `~standard.validate`.' }
  }
  if (Reflect.get(schema, 'type') === 'object') return undefined
  if (['type', 'properties', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema))
    return { problem: 'is a JSON Schema without type: "object"', fix: 'Say type: "object" at its top.' }
  return Object.values(schema).some((each) => isObject(each) && ('~standard' in each || isZod(each)))
    ? { problem: 'is an object of schemas', fix: 'Put it into z.strictObject(…).' }
    : { problem: 'is not a schema' }
}

/** By the schema: what is made of it for checking, and how it is written for each side. */
const carriers: Readonly<Record<Side, WeakMap<object, z.core.$ZodType>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
}

/**
 * The schema for checking, of Zod. `side`: of which side of the contract, because a schema with defaults differs.
 * @throws {Error} saying of "it" why it cannot be used.
 */
export function zodOf<T>(schema: ToolSchema<T>, side: Side): z.core.$ZodType<T> {
  if (isZod(schema)) return schema
  const found = carriers[side].get(schema) ?? carrierOf(schema, side)
  carriers[side].set(schema, found)
  return found as z.core.$ZodType<T>
}

/** Checks a value, as every schema of a contract is checked. */
export const parseWith = <T>(
  schema: ToolSchema<T>,
  side: Side,
  value: unknown,
): { success: true; data: T } | { success: false; error: z.core.$ZodError } =>
  z.core.safeParse(zodOf(schema, side), value)

function carrierOf(schema: StandardSchema | JsonObjectSchema, side: Side): z.core.$ZodType {
  const standard = standardOf(schema) as StandardSchema['~standard'] | undefined
  const said = standard === undefined ? (schema as Schema) : standard.jsonSchema[side]({ target: 'draft-2020-12' })
  const { $schema: dialect, $id: _, ...written } = said
  if (typeof dialect === 'string' && !dialect.includes('2020-12'))
    throw new Error(`it says $schema "${dialect}"; write it in 2020-12`)
  const problem = side === 'input' ? reservedProblem(written) : undefined
  if (problem !== undefined) throw new Error(problem)
  const listed = side === 'input' ? closedSchema(written) : written
  const check = standard === undefined ? checkOfJsonSchema(listed, side) : checkOfStandard(standard, side, listed)
  return z.unknown().check(check).meta(listed)
}

type Check = (payload: z.core.ParsePayload) => void

/** Whether a value fits a JSON Schema. */
type Fits = (value: unknown) => readonly SchemaError[]

/** One for each way to check, made when it is first needed: it compiles a schema in less than a thousandth of its own making. */
const compilers = new Map<string, Ajv2020>()

function compiled(schema: Schema, options: Pick<Options, 'useDefaults' | 'validateFormats' | 'unicodeRegExp'>): Fits {
  if ('$async' in schema) throw new Error('it checks asynchronously')
  const key = JSON.stringify(options)
  let ajv = compilers.get(key)
  if (ajv === undefined) {
    ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true, addUsedSchema: false, ...options })
    addFormats.default(ajv)
    compilers.set(key, ajv)
  }
  const validate = ajv.compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

const addIssues = (payload: z.core.ParsePayload, errors: readonly SchemaError[], value: unknown): void =>
  void payload.issues.push(...issuesOf(errors, value).map((issue) => issue as z.core.$ZodRawIssue))

function checkOfStandard(standard: StandardSchema['~standard'], side: Side, listed: Schema): Check {
  // What an agent is told of its arguments holds, whatever the library says beyond it. Formats and patterns are its own.
  const fits = side === 'input' ? compiled(listed, { validateFormats: false, unicodeRegExp: false }) : () => []
  tryOnce(standard)
  return (payload) => {
    // A check may change what it is given, and nobody may change what was called.
    const value: unknown = side === 'input' ? structuredClone(payload.value) : payload.value
    const errors = fits(value)
    if (errors.length > 0) return addIssues(payload, errors, value)
    const result = resultOf(standard.validate(value))
    if (result.issues === undefined) payload.value = result.value
    else if (result.issues.length === 0)
      payload.issues.push({ code: 'custom', ...customIssue('what the schema of the tool takes'), input: value })
    else
      for (const { message, path = [] } of result.issues)
        payload.issues.push({
          code: 'custom',
          message,
          path: path.map((part) => (typeof part === 'object' ? part.key : part)),
          input: value,
        })
  }
}

/** What a check answers now. */
function resultOf(answer: unknown): StandardResult<unknown> {
  if (!isObject(answer)) throw new Error('its `~standard.validate` answers no result')
  if (!('then' in answer)) return answer as StandardResult<unknown>
  // Nobody waits for it, and a rejection that nobody hears would end the process.
  void Promise.resolve(answer).catch(() => undefined)
  throw new Error('it checks asynchronously; check what takes time in preview or run')
}

/** Whether it answers at all is found where the tool is declared, and not with its first call. */
function tryOnce(standard: StandardSchema['~standard']): void {
  let answer: unknown
  try {
    answer = standard.validate({})
  } catch {
    // It need not be prepared for this value.
    return
  }
  resultOf(answer)
}

function checkOfJsonSchema(schema: Schema, side: Side): Check {
  const fits = compiled(schema, { useDefaults: side === 'input' })
  return (payload) => {
    // Defaults are written into what is checked.
    const value: unknown = side === 'input' ? structuredClone(payload.value) : payload.value
    const errors = fits(value)
    if (errors.length > 0) addIssues(payload, errors, value)
    else payload.value = value
  }
}
