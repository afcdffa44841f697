// A JSON Schema of forty lines says what fits into one: `{path: string, edits: {oldText: string, newText: string}[],
// dryRun?: boolean = false}`. An agent needs names, types and allowed values to make a call, and reads ten tools at a time.

import { isSchema, type Schema } from '../../tools/schemas/json-schema.ts'
import { targetOf } from '../../tools/schemas/schema-reference.ts'

/** Arguments in the notation of TypeScript, on one line. `?` marks optional ones, `= …` a default. */
export function signatureOf(schema: Schema, longest: number): string {
  for (const depth of [3, 2, 1]) {
    const text = objectOf(schema, { root: schema, depth, most: { left: mostTypes } })
    if (text.length <= longest) return text
  }
  const { required, optional } = split(schema)
  const most = { left: mostTypes }
  const needed = required.map(([name, value]) => member(name, value, true, { root: schema, depth: 0, most }))
  const text = `{${[...needed, `${needed.length === 0 ? '' : 'and '}optional: ${optional.map(([name]) => name).join(', ')}`].join(', ')}}`
  if (text.length <= longest) return text
  const names = `{${required.map(([name]) => name).join(', ')}}`
  return names.length <= longest ? names : `${names.slice(0, longest - 1)}…`
}

interface Place {
  /** Where local references lead. */
  readonly root: Schema
  /** How many levels of objects are written out. */
  readonly depth: number
  /** How many more types are written: a schema that refers to itself has no end. */
  readonly most: { left: number }
}

const mostTypes = 500

/** More values of an enumeration than this are counted. */
const mostValues = 12
const longestValue = 60

function typeOf(given: unknown, place: Place): string {
  if (!isSchema(given) || place.most.left-- <= 0) return 'any'
  const schema = resolved(given, place.root)
  if (schema === undefined) return 'any'
  if (Array.isArray(schema['enum'])) return alternatives(schema['enum'].map(literal))
  if ('const' in schema) return literal(schema['const'])
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return alternatives(branches.map((branch) => typeOf(branch, place)))
  const { type } = schema
  if (Array.isArray(type)) return alternatives(type.map((each) => typeOf({ ...schema, type: each }, place)))
  if (type === 'array' || (type === undefined && 'items' in schema)) {
    const item = typeOf(schema['items'], place)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object' || isSchema(schema['properties'])) return objectOf(schema, place)
  const format = typeof schema['format'] === 'string' ? ` (${schema['format'].slice(0, longestValue)})` : ''
  return typeof type === 'string' ? `${type.slice(0, longestValue)}${format}` : 'any'
}

function objectOf(schema: Schema, place: Place): string {
  const { root, depth } = place
  const { required, optional } = split(schema)
  const inside = { ...place, depth: depth - 1 }
  if (required.length + optional.length === 0)
    return isSchema(schema['additionalProperties'])
      ? `{[name]: ${typeOf(schema['additionalProperties'], inside)}}`
      : root === schema
        ? '{}'
        : 'object'
  if (depth === 0) return 'object'
  return `{${[
    ...required.map(([name, value]) => member(name, value, true, inside)),
    ...optional.map(([name, value]) => member(name, value, false, inside)),
  ].join(', ')}}`
}

function member(name: string, value: unknown, required: boolean, place: Place): string {
  const byDefault = isSchema(value) && (value['default'] ?? '') !== '' ? ` = ${literal(value['default'])}` : ''
  const key = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : JSON.stringify(name)
  return `${key}${required ? '' : '?'}: ${typeOf(value, place)}${byDefault}`
}

/** The properties, in their order, with those that a call must bring apart. */
function split(schema: Schema) {
  const all = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const unlisted = [...needed].filter(
    (name): name is string => typeof name === 'string' && !all.some(([each]) => each === name),
  )
  return {
    required: [...all.filter(([name]) => needed.has(name)), ...unlisted.map((name) => [name, true] as const)],
    optional: all.filter(([name]) => !needed.has(name)),
  }
}

const alternatives = (types: readonly string[]): string => {
  const distinct = [...new Set(types)]
  const shown = distinct.slice(0, mostValues)
  return [...shown, ...(distinct.length > shown.length ? [`${distinct.length - shown.length} more`] : [])].join(' | ')
}

const literal = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'any'
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

/** What a local reference leads to; `undefined` where that is nowhere, another document, or one reference more than we follow. */
function resolved(schema: Schema, root: Schema): Schema | undefined {
  let found: unknown = schema
  for (let step = 0; step < 5 && isSchema(found); step++) {
    if (typeof found['$ref'] !== 'string') return found
    found = targetOf(root, found['$ref'])
  }
  return undefined
}
