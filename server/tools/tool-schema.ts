// What a contract says of its input and its output may come from any library of schemas. The rail checks with Zod alone, so
// everything else is carried by a Zod schema that is written as the JSON Schema it was made of.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { isSchema, type Schema } from './json-schema.ts'
import { issuesOf } from './schema-issues.ts'

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

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

interface StandardOptions {
  readonly target: 'draft-2020-12'
}

/** A JSON Schema (2020-12) of an object. What is not among its properties is refused unless it says `additionalProperties`. */
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
  if (standard !== undefined)
    return standard.jsonSchema === undefined
      ? {
          problem: `is a schema of ${standard.vendor ?? 'a library'} that cannot be written as JSON Schema`,
          fix: 'Give one that has `~standard.jsonSchema`: for Valibot, toStandardJsonSchema(…) of @valibot/to-json-schema.',
        }
      : undefined
  if (Reflect.get(schema, 'type') === 'object') return undefined
  return Object.values(schema).some((each) => isObject(each) && isZod(each))
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
 * @throws {Error} where a JSON Schema is none.
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
  const { $schema: _, ...written } =
    standard === undefined ? (schema as Schema) : standard.jsonSchema[side]({ target: 'draft-2020-12' })
  const check = standard === undefined ? checkOfJsonSchema(written) : checkOfStandard(standard)
  return z
    .unknown()
    .check((payload) => {
      const stray = side === 'input' ? strayKeys(written, payload.value) : []
      if (stray.length > 0)
        payload.issues.push({ code: 'unrecognized_keys', keys: [...stray], path: [], input: payload.value as never })
      else check(payload)
    })
    .meta(written)
}

/** Arguments that the schema does not name: what is listed for agents forbids them. */
function strayKeys(written: Schema, value: unknown): readonly string[] {
  const { properties, additionalProperties } = written
  if (!isSchema(value) || !isSchema(properties) || (additionalProperties ?? false) !== false) return []
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
}

type Check = (payload: z.core.ParsePayload) => void

const checkOfStandard =
  ({ vendor, validate }: StandardSchema['~standard']): Check =>
  (payload) => {
    const result = validate(payload.value)
    if (result instanceof Promise) {
      // Nobody waits for it, and a rejection that nobody hears would end the process.
      result.catch(() => undefined)
      throw new TypeError(`The schema of ${vendor} checks asynchronously. Check what takes time in preview or run.`)
    }
    if (result.issues === undefined) payload.value = result.value
    else
      for (const { message, path = [] } of result.issues)
        payload.issues.push({
          code: 'custom',
          message,
          path: path.map((part) => (typeof part === 'object' ? part.key : part)),
          input: payload.value,
        })
  }

function checkOfJsonSchema(schema: Schema): Check {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (payload) => {
    // Defaults are written into what is checked.
    const value: unknown = structuredClone(payload.value)
    if (validate(value)) payload.value = value
    else for (const issue of issuesOf(validate.errors ?? [], value)) payload.issues.push(issue as z.core.$ZodRawIssue)
  }
}
