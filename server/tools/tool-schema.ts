// What a contract says of its input and its output may come from any library of schemas. The rail checks with Zod alone, so
// everything else is carried by a Zod schema that is written as the JSON Schema it was made of.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { isSchema, type Schema } from './json-schema.ts'
import { issuesOf } from './schema-issues.ts'
import { targetOf } from './schema-reference.ts'

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

/** A JSON Schema (2020-12) of an object. Of an input what is not among the properties is refused, unless it says `additionalProperties`. */
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
  const { type, anyOf, $ref } = schema as Readonly<Record<string, unknown>>
  if (type === 'object') return undefined
  if (typeof type === 'string' || Array.isArray(anyOf) || typeof $ref === 'string')
    return { problem: 'is a JSON Schema of something else than an object', fix: 'Say type: "object" at its top.' }
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
 * @throws {Error} with the rest of a sentence that begins with its place, where it cannot be used.
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
  const { $schema: dialect, ...written } =
    standard === undefined ? (schema as Schema) : standard.jsonSchema[side]({ target: 'draft-2020-12' })
  if (typeof dialect === 'string' && !dialect.includes('2020-12'))
    throw new Error(`it says $schema "${dialect}"; write it in 2020-12`)
  const check = standard === undefined ? checkOfJsonSchema(written, side) : checkOfStandard(standard, side)
  return z
    .unknown()
    .check((payload) => {
      const stray = side === 'input' ? strayKeys(written, payload.value) : []
      for (const { path, key } of stray)
        payload.issues.push({ code: 'unrecognized_keys', keys: [key], path: [...path], input: payload.value as never })
      if (stray.length > 0) return
      try {
        check(payload)
      } catch (error) {
        refuse(payload, `The schema of ${standard?.vendor ?? 'the tool'} failed: ${(error as Error).message}`)
      }
    })
    .meta(written)
}

/** Whoever checks a value must hear of it: what a write has answered has happened, also where its schema fails. */
const refuse = (payload: z.core.ParsePayload, message: string, path: readonly PropertyKey[] = []): void =>
  void payload.issues.push({ code: 'custom', message, path: [...path], input: payload.value })

interface StrayKey {
  readonly path: readonly PropertyKey[]
  readonly key: string
}

/** Where a schema says more of its members than their names, only its library knows which it takes. */
const openly =
  'additionalProperties patternProperties unevaluatedProperties allOf anyOf oneOf if dependentSchemas $dynamicRef'.split(
    ' ',
  )

/**
 * Members that the schema does not name, which some libraries let pass: what the person was not shown must not reach the tool.
 * Looked for in the arguments and in every object and list inside of them that is described plainly.
 */
function strayKeys(
  root: Schema,
  value: unknown,
  schema: unknown = root,
  path: readonly PropertyKey[] = [],
): StrayKey[] {
  const known = isSchema(schema) ? (targetOf(root, schema['$ref']) ?? schema) : undefined
  if (known === undefined) return []
  if (Array.isArray(value))
    return value.flatMap((item, index) => strayKeys(root, item, known['items'], [...path, index]))
  if (!isSchema(value)) return []
  const properties = isSchema(known['properties']) ? known['properties'] : undefined
  const isClosed = (properties !== undefined || path.length === 0) && !openly.some((keyword) => keyword in known)
  return Object.entries(value).flatMap(([key, inner]) => {
    const member = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
    if (member !== undefined) return strayKeys(root, inner, member, [...path, key])
    return isClosed ? [{ path, key }] : []
  })
}

type Check = (payload: z.core.ParsePayload) => void

function checkOfStandard(standard: StandardSchema['~standard'], side: Side): Check {
  const run = (value: unknown): StandardResult<unknown> => {
    // A check may change what it is given, and nobody may change what was called.
    const result = standard.validate(side === 'input' ? structuredClone(value) : value)
    if (!('then' in result)) return result
    // Nobody waits for it, and a rejection that nobody hears would end the process.
    result.then(undefined, () => undefined)
    throw new Error('it checks asynchronously; check what takes time in preview or run')
  }
  // Found where the tool is declared, and not with its first call.
  run({})
  return (payload) => {
    const result = run(payload.value)
    if (result.issues === undefined) payload.value = result.value
    else if (result.issues.length === 0) refuse(payload, 'what the schema of the tool takes')
    else
      for (const { message, path = [] } of result.issues)
        refuse(
          payload,
          message,
          path.map((part) => (typeof part === 'object' ? part.key : part)),
        )
  }
}

function checkOfJsonSchema(schema: Schema, side: Side): Check {
  if ('$async' in schema) throw new Error('it checks asynchronously')
  // Defaults are written into what is checked.
  const ajv = new Ajv2020({ allErrors: true, useDefaults: side === 'input', strict: false, ownProperties: true })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (payload) => {
    const value: unknown = side === 'input' ? structuredClone(payload.value) : payload.value
    if (validate(value)) payload.value = value
    else for (const issue of issuesOf(validate.errors ?? [], value)) payload.issues.push(issue as z.core.$ZodRawIssue)
  }
}
