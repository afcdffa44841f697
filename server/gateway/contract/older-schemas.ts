// Draft 4 says a few things in other words than every draft after it, and Ajv has left it behind. The words are few
// enough to be said anew, so that arguments of old servers are checked like all others. (`ajv-draft-04` does the same
// from the other end, with a second copy of Ajv's vocabulary.)

import { isSchema, type Schema } from '../../tools/schemas/json-schema.ts'

/** Keywords whose value is one schema, a list of schemas (or one), or schemas by name. */
const one = ['not', 'additionalItems', 'additionalProperties'] as const
const several = ['allOf', 'anyOf', 'oneOf', 'items'] as const
const byName = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const

/**
 * A draft-4 schema as draft 6 and later say it: `exclusiveMinimum: true` beside a `minimum` becomes the number itself
 * (draft-wright-json-schema-validation-01, appendix "Changes"), and `id` becomes `$id`. Only where a schema stands: a
 * property may well be called `id`.
 */
export function fromDraft4(schema: Schema): Schema {
  const { id, ...rest } = schema
  const made: Record<string, unknown> = { ...bounds(rest), ...(typeof id === 'string' ? { $id: id } : {}) }
  for (const key of one) if (isSchema(made[key])) made[key] = fromDraft4(made[key])
  for (const key of several) {
    const value = made[key]
    if (Array.isArray(value)) made[key] = value.map((each: unknown) => (isSchema(each) ? fromDraft4(each) : each))
    else if (isSchema(value)) made[key] = fromDraft4(value)
  }
  for (const key of byName) {
    const value = made[key]
    if (isSchema(value))
      made[key] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, isSchema(each) ? fromDraft4(each) : each]),
      )
  }
  return made
}

function bounds(schema: Schema): Record<string, unknown> {
  const made: Record<string, unknown> = { ...schema }
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue
    const strict = made[exclusive]
    delete made[exclusive]
    if (!strict || made[limit] === undefined) continue
    made[exclusive] = made[limit]
    delete made[limit]
  }
  return made
}

/** Whether a schema speaks draft 4 somewhere, whatever it says of itself: many generators never name a draft. */
export const speaksDraft4 = (schema: Schema): boolean =>
  (typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-04')) ||
  /"exclusive(?:Minimum|Maximum)":(?:true|false)/.test(JSON.stringify(schema))
