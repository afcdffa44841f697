// Arguments that break an upstream's schema must be refused here, by field, before the upstream sees them, and the same
// Zod object must give the upstream's own schema back to whoever lists it. So Ajv does the checking and Zod carries it.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { fromDraft4, speaksDraft4 } from './older-schemas.ts'
import { fillRequired } from './required-defaults.ts'

type Schema = Readonly<Record<string, unknown>>

/** Many schemas in the wild have patterns that only the older grammar of regular expressions takes. */
function regExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern)
  }
}
regExp.code = 'new RegExp'

const settings = {
  strict: false,
  validateSchema: false,
  allErrors: true,
  addUsedSchema: false,
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
  | { readonly kind: 'compiled'; readonly validate: ValidateFunction }
  | { readonly kind: 'unusable'; readonly reason: string }

/** Compiles a schema, once, when it is first needed. */
export function checkerOf(schema: Schema): () => SchemaCheck {
  let check: SchemaCheck | undefined
  return () => (check ??= compile(schema))
}

function compile(schema: Schema): SchemaCheck {
  const ajv = dialectOf(schema)
  try {
    // "$id" and "$schema" only matter to a registry; two servers may well use the same.
    const { $id: _, $schema: __, id: ___, ...bare } = speaksDraft4(schema) ? fromDraft4(schema) : schema
    const validate = ajv.compile({ ...bare, type: 'object' })
    ajv.removeSchema(validate.schema)
    return { kind: 'compiled', validate }
  } catch (error) {
    return { kind: 'unusable', reason: (error as Error).message.slice(0, 200) }
  }
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
      if (found.kind === 'unusable' || found.validate(value)) return
      for (const issue of issuesOf(found.validate.errors ?? [], value)) context.addIssue(issue)
    })
    .meta({ ...listed, type: 'object' })
}

type Issue = Parameters<z.core.$RefinementCtx['addIssue']>[0]

function issuesOf(errors: readonly ErrorObject[], input: unknown): readonly Issue[] {
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
