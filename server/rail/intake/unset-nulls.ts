// A model in OpenAI's strict mode cannot leave out an argument: for each optional one it sends `null`. Where the tool takes no
// `null` there, that means "not given", and is read so. Only a call that was refused is looked at, and only at the very places for
// which it was, so that no `null` that a tool accepts ever loses its meaning. What is read is what is shown, stored and run.
import type { z } from 'zod'

type Schema = Readonly<Record<string, unknown>>

/**
 * The arguments without each `null` that was refused at a member which the schema says to be optional and never `null`; nothing
 * where there is none. What stands behind a `$ref`, or in a part of a union, is left as it is: which part is meant is not known.
 * `keep`: a member of the top that is left as it is.
 */
export function withoutUnsetNulls(
  args: Readonly<Record<string, unknown>>,
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  schema: Schema,
  keep: string | undefined,
): Record<string, unknown> | undefined {
  const unset = issues.filter(({ path }) => path[0] !== keep && isUnset(args, schema, path))
  if (unset.length === 0) return undefined
  const copy = structuredClone(args)
  for (const { path } of unset) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], copy)
    delete (parent as Record<PropertyKey, unknown>)[path.at(-1) ?? '']
  }
  return copy
}

function isUnset(value: unknown, schema: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || !isObject(value) || !isObject(schema) || !Object.hasOwn(value, key)) return false
  const inner = (value as Record<PropertyKey, unknown>)[key]
  if (Array.isArray(value)) return rest.length > 0 && isUnset(inner, schema['items'], rest)
  const properties = schema['properties']
  const member = isObject(properties) && Object.hasOwn(properties, key) ? properties[String(key)] : undefined
  if (rest.length > 0) return isUnset(inner, member, rest)
  const required = schema['required']
  return inner === null && !(Array.isArray(required) && required.includes(key)) && refusesNull(member)
}

/** Whether the schema says, without a reference, that `null` is none of its values. */
function refusesNull(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { type, enum: values, const: only, anyOf, oneOf } = schema
  if (schema['nullable'] === true) return false
  if (typeof type === 'string') return type !== 'null'
  if (Array.isArray(type)) return !type.includes('null')
  if (Array.isArray(values)) return !values.includes(null)
  if (only !== undefined) return only !== null
  const parts = anyOf ?? oneOf
  return Array.isArray(parts) && parts.length > 0 && parts.every(refusesNull)
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null
