// A form is made from the JSON Schema of a tool nobody has seen before. What a form can do well becomes a field; for
// everything else (unions, maps, tuples, recursion) there is a box for JSON, so that no tool is out of reach.

import { isSchema, resolve, type Schema } from '../../parts/json-schema.ts'

export type Json = unknown

export type Field =
  | { readonly kind: 'text'; readonly date: boolean; readonly long: boolean }
  | {
      readonly kind: 'number'
      readonly integer: boolean
      readonly min: number | undefined
      readonly max: number | undefined
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly Json[] }
  | { readonly kind: 'rows'; readonly item: Field; readonly min: number }
  | { readonly kind: 'group'; readonly fields: readonly NamedField[] }
  | { readonly kind: 'json' }

export interface NamedField {
  readonly name: string
  readonly hint: string
  readonly required: boolean
  /** `null` means something here: it clears the field. */
  readonly nullable: boolean
  /** What the server takes when the field is left out. */
  readonly fallback: Json
  readonly field: Field
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  /** Only what browsers can read. */
  readonly pattern: string | undefined
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The named fields of a tool's input schema; `undefined` where it is not an object with properties. */
export function fieldsOf(schema: unknown): readonly NamedField[] | undefined {
  if (!isSchema(schema)) return undefined
  const field = toField(schema, schema, 0)
  return field.kind === 'group' ? field.fields : undefined
}

function toField(given: Schema, root: Schema, depth: number, name = ''): Field {
  const schema = resolve(given, root)
  // What a reference that leads nowhere stands for is not known.
  if (depth > 6 || schema['$ref'] !== undefined) return { kind: 'json' }
  if (Array.isArray(schema['enum'])) return { kind: 'choice', options: schema['enum'] as readonly Json[] }
  if ('const' in schema) return { kind: 'choice', options: [schema['const']] }
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return unionField(union.filter(isSchema), root, depth, name)
  switch (typeOf(schema)) {
    case 'string':
      return { kind: 'text', date: schema['format'] === 'date', long: isLong(schema, name) }
    case 'integer':
    case 'number':
      return { kind: 'number', integer: typeOf(schema) === 'integer', ...bounds(schema) }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return isSchema(schema['items'])
        ? { kind: 'rows', item: toField(schema['items'], root, depth + 1), min: numberOf(schema['minItems']) ?? 0 }
        : { kind: 'json' }
    case 'object':
      return groupField(schema, root, depth)
    default:
      return { kind: 'json' }
  }
}

/** What is longer than a line or two is not written in one line. */
const lineLength = 200

/** As texts of several lines are called by most servers. */
const longNames =
  /^(?:body|code|content|contents|description|html|instructions|markdown|message|prompt|script|source|sql|text)$/i

/** Whether a text may have several lines: it may be long, is a document, or is called as one where nothing says how long. */
function isLong(schema: Schema, name: string): boolean {
  const most = numberOf(schema['maxLength'])
  if (most !== undefined) return most > lineLength
  if (schema['contentMediaType'] !== undefined || schema['format'] === 'textarea') return true
  // A form or a pattern that is given is that of a line.
  return (
    schema['format'] === undefined && schema['pattern'] === undefined && longNames.test(name.replace(/^.{0,60}_/, ''))
  )
}

/** A type, with `null` beside it left aside: an optional field says the same by being left out. */
function typeOf(schema: Schema): string | undefined {
  const type = schema['type']
  if (!Array.isArray(type)) return textOf(type)
  const others = type.filter((one) => one !== 'null')
  return others.length === 1 ? textOf(others[0]) : undefined
}

function allowsNull(schema: Schema): boolean {
  const union = schema['anyOf'] ?? schema['oneOf'] ?? []
  const types = [
    schema['type'],
    ...(Array.isArray(union) ? union.map((one: unknown) => isSchema(one) && one['type']) : []),
  ]
  return types.flat().includes('null')
}

function unionField(members: readonly Schema[], root: Schema, depth: number, name: string): Field {
  const real = members.filter((member) => member['type'] !== 'null')
  const [only] = real
  if (only !== undefined && real.length === 1) return toField(only, root, depth + 1, name)
  return real.length > 0 && real.every((member) => 'const' in member)
    ? { kind: 'choice', options: real.map((member) => member['const']) }
    : { kind: 'json' }
}

function groupField(schema: Schema, root: Schema, depth: number): Field {
  const properties = schema['properties']
  if (!isSchema(properties) || isSchema(schema['additionalProperties'])) return { kind: 'json' }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return {
    kind: 'group',
    fields: Object.entries(properties).map(([name, given]) => {
      const own = isSchema(given) ? given : {}
      const inner = resolve(own, root)
      const pattern = textOf(inner['pattern'])
      return {
        name,
        hint: textOf(own['description']) ?? textOf(inner['description']) ?? '',
        required: required.includes(name) && own['default'] === undefined,
        nullable: allowsNull(inner),
        fallback: own['default'],
        field: toField(own, root, depth + 1, name),
        minLength: numberOf(inner['minLength']),
        maxLength: numberOf(inner['maxLength']),
        pattern: pattern !== undefined && compiles(pattern) ? pattern : undefined,
      }
    }),
  }
}

function bounds(schema: Schema) {
  const exclusive = typeOf(schema) === 'integer' ? 1 : 0
  const above = numberOf(schema['exclusiveMinimum'])
  const min = numberOf(schema['minimum']) ?? (above === undefined ? undefined : above + exclusive)
  const max = numberOf(schema['maximum'])
  return {
    min: min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min,
    max: max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max,
  }
}

/** Browsers read `pattern` with the `v` flag, where some JSON Schema patterns are errors, loud ones. */
function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'v') instanceof RegExp
  } catch {
    return false
  }
}

/** What a required field starts as. */
export function emptyValue(field: Field): Json {
  switch (field.kind) {
    case 'rows':
      return Array.from({ length: Math.max(field.min, 1) }, () => emptyValue(field.item))
    case 'group':
      return Object.fromEntries(
        field.fields.filter((one) => one.required).map((one) => [one.name, emptyValue(one.field)]),
      )
    case 'choice':
      return field.options[0]
    case 'boolean':
      return false
    case 'text':
    case 'number':
    case 'json':
      return undefined
    default:
      return field satisfies never
  }
}

/** Leaves out what was not filled: an empty optional text is no text, an empty group no group. */
export function settle(field: Field, value: Json): Json {
  if (value === undefined || value === '') return undefined
  if (field.kind === 'rows' && Array.isArray(value)) return value.map((one) => settle(field.item, one) ?? null)
  if (field.kind !== 'group' || !isSchema(value)) return value
  const entries = field.fields
    .map((one) => [one, settle(one.field, value[one.name])] as const)
    .filter(([one, inner]) => inner !== undefined && (one.required || !isEmpty(inner)))
  return Object.fromEntries(entries.map(([one, inner]) => [one.name, inner]))
}

const isEmpty = (value: Json): boolean =>
  (Array.isArray(value) && value.length === 0) || (isSchema(value) && Object.keys(value).length === 0)
