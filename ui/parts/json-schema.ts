// JSON Schema as it is read by a form and by a table of arguments.

export type Schema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows a reference into the same document, one step; one that leads nowhere is left as it is. */
export const resolve = (schema: Schema, root: Schema): Schema => {
  const ref = schema['$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return schema
  let at: unknown = root
  for (const part of ref.slice(2).split('/'))
    at = isSchema(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return isSchema(at) ? { ...at, ...schema, $ref: undefined } : schema
}
