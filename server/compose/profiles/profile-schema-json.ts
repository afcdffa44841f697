// The JSON Schema of a profile, for editors.
import { z } from 'zod'
import { profileSchema } from '../../gateway/profiles/profile.schema.ts'

/** Where an installed Countersign has it. */
export const profileSchemaAddress = './node_modules/countersign/countersign.profile.schema.json'

/** JSON Schema (2020-12) of a profile. */
export function profileJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...json } = z.toJSONSchema(profileSchema, { io: 'input' })
  return { $schema, title: 'Profile of an MCP server for Countersign', ...json }
}
