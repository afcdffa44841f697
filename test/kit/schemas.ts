// Values as a contract's schemas take them.
import { z } from 'zod'
import { zodOf, type ToolSchema } from '../../server/tools/schemas/tool-schema.ts'

/** The value as the schema makes it. Throws where it refuses it. */
export const parsed = <T>(schema: ToolSchema<T>, value: unknown): T => z.parse(zodOf(schema, 'input'), value)

/** What the schema has against a value. */
export const issuesWith = (schema: ToolSchema, value: unknown): readonly z.core.$ZodIssue[] =>
  z.safeParse(zodOf(schema, 'input'), value).error?.issues ?? []

/** A schema of a library of one's own. */
export function standard(
  validate: (given: unknown) => unknown,
  schema: object = { type: 'object', properties: { to: {} } },
): ToolSchema {
  const written = () => schema
  return {
    '~standard': { version: 1, vendor: 'mine', validate, jsonSchema: { input: written, output: written } },
  } as ToolSchema
}
