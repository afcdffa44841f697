// The SDK makes a validator of JSON Schema for each of its servers and clients, which takes longer than a call, and asks it
// about elicitations and listed outputs alone, which go through here as they come.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'

let made: AjvJsonSchemaValidator | undefined

/** One for all connections, made when it is first asked. */
export const schemaValidator: jsonSchemaValidator = {
  getValidator: (schema) => (made ??= new AjvJsonSchemaValidator()).getValidator(schema),
}
