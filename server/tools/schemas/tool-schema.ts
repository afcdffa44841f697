// What a contract says of its input and its output may come from any library of schemas. The rail checks with Zod alone, so
// everything else is carried by a Zod schema that is written as the JSON Schema it was made of.
import { z } from 'zod'
import { closedSchema } from './closed-schema.ts'
import { customIssue } from '../custom-issue.ts'
import type { Schema } from './json-schema.ts'
import { refuseBesideReserved } from './reserved-members.ts'
import { answerCheck, argumentCheck } from './schema-check.ts'
import { selfContained } from './self-contained.ts'
import { UnusableSchema } from './unusable-schema.ts'

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

/** What a check of Standard Schema answers: the value, or what is wrong. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string
  /** Where. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a schema is written as. */
export interface StandardOptions {
  /** The draft of JSON Schema. */
  readonly target: 'draft-2020-12'
}

/** A JSON Schema (2020-12) of an object. An input takes no member that it does not name (`closed-schema.ts`). */
export interface JsonObjectSchema {
  /** Arguments are an object. */
  readonly type: 'object'
  /** Its members, each with a schema. */
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

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  /** `thrown`: what the schema threw instead of an answer. It may repeat a secret. */
  | { readonly success: false; readonly error: z.core.$ZodError; readonly thrown?: unknown }

/** Checks a value, as every schema of a contract is checked. A schema that throws has refused the value. */
export function parseWith<T>(schema: ToolSchema<T>, side: Side, value: unknown): Parsed<T> {
  try {
    return z.core.safeParse(zodOf(schema, side), value)
  } catch (thrown) {
    return { success: false, error: new z.core.$ZodError([{ code: 'custom', path: [], ...schemaFails }]), thrown }
  }
}

const schemaFails = customIssue('a value that the schema of the tool does not fail on', {
  remedy: {
    kind: 'instead',
    instruction:
      "The tool's schema fails on these values, which is a mistake in the tool: send other values, or tell the server's operator with submit_feedback.",
  },
})

function carrierOf(schema: StandardSchema | JsonObjectSchema, side: Side): z.core.$ZodType {
  const standard = standardOf(schema) as StandardSchema['~standard'] | undefined
  const said = standard === undefined ? (schema as Schema) : standard.jsonSchema[side]({ target: 'draft-2020-12' })
  const { $schema: dialect } = said
  if (typeof dialect === 'string' && !dialect.includes('2020-12'))
    throw new UnusableSchema(`it says $schema "${dialect}"`, 'Write it in 2020-12.')
  const written = selfContained(said)
  if (side === 'input') refuseBesideReserved(written)
  const check = standard === undefined ? checkOfJsonSchema(written, side) : checkOfStandard(standard, side, written)
  return z
    .unknown()
    .check(check)
    .meta(side === 'input' ? closedSchema(written) : written)
}

type Check = (payload: z.core.ParsePayload) => void

function addIssues(payload: z.core.ParsePayload, issues: readonly z.core.$ZodRawIssue[]): boolean {
  payload.issues.push(...issues)
  return issues.length > 0
}

function checkOfStandard(standard: StandardSchema['~standard'], side: Side, written: Schema): Check {
  // What an agent is told of its arguments holds, whatever the library says beyond it.
  const issuesWith = side === 'input' ? argumentCheck(written, true) : () => []
  tryOnce(standard)
  return (payload) => {
    // A check may change what it is given, and nobody may change what was called.
    const value: unknown = side === 'input' ? structuredClone(payload.value) : payload.value
    if (addIssues(payload, issuesWith(value))) return
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

const asynchronous = (): UnusableSchema =>
  new UnusableSchema('it checks asynchronously', 'Check what takes time in preview or run.')

/** The result of a check, which has to be there at once. */
function resultOf(answer: unknown): StandardResult<unknown> {
  if (!isObject(answer))
    throw new UnusableSchema('its `~standard.validate` answers no result', 'Answer { value } or { issues }.')
  if (!('then' in answer)) return answer as StandardResult<unknown>
  // Nobody waits for it, and a rejection that nobody hears would end the process.
  void Promise.resolve(answer).catch(() => undefined)
  throw asynchronous()
}

/** A check that answers later, or nothing, is found where its tool is declared, and not with the first call. */
function tryOnce(standard: StandardSchema['~standard']): void {
  let answer: unknown
  try {
    answer = standard.validate({})
  } catch {
    // A check may throw on a value that it does not expect.
    return
  }
  resultOf(answer)
}

function checkOfJsonSchema(written: Schema, side: Side): Check {
  if ('$async' in written) throw asynchronous()
  const issuesWith = side === 'input' ? argumentCheck(written, false) : answerCheck(written)
  return (payload) => {
    // Defaults are written into what is checked.
    const value: unknown = side === 'input' ? structuredClone(payload.value) : payload.value
    if (!addIssues(payload, issuesWith(value))) payload.value = value
  }
}
