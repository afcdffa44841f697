/** A JSON Schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object, as a schema that says anything is. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
