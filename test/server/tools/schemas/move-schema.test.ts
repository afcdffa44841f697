// A schema inside of another one accepts and refuses what it did alone, in the validator of the official clients.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../../../../server/tools/schemas/json-schema.ts'
import { moveSchema } from '../../../../server/tools/schemas/move-schema.ts'

const tree: z.ZodType = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})

const cases: readonly (readonly [string, Schema, unknown, unknown])[] = [
  [
    'that refers to its own root',
    z.toJSONSchema(tree),
    { name: 'a', children: [{ name: 'b', children: [] }] },
    { name: 'a', children: [{}] },
  ],
  [
    'with definitions',
    {
      $id: 'https://example.com/row',
      type: 'object',
      properties: { row: { $ref: '#/$defs/row' } },
      required: ['row'],
      $defs: { row: { type: 'object', properties: { id: { $ref: '#/$defs/id' } } }, id: { type: 'integer' } },
    },
    { row: { id: 1 } },
    { row: { id: 'one' } },
  ],
  [
    'with a part that has an address of its own',
    {
      type: 'object',
      properties: {
        row: {
          $id: 'https://example.com/part',
          properties: { id: { $ref: '#/$defs/id' } },
          $defs: { id: { type: 'integer' } },
        },
      },
    },
    { row: { id: 1 } },
    { row: { id: 'one' } },
  ],
  [
    'with names and values that only look like references',
    {
      type: 'object',
      properties: { $ref: { const: { $ref: '#/$defs/id' } }, default: { $ref: '#/definitions/id' } },
      definitions: { id: { type: 'integer' } },
    },
    { $ref: { $ref: '#/$defs/id' }, default: 1 },
    { default: 'one' },
  ],
]

test.each(cases)('a schema %s means the same at another place', (_, schema, right, wrong) => {
  const whole = { type: 'object', properties: { result: moveSchema(schema, '#/properties/result') } }
  // Two tools of a list may have the same schema, and a client compiles both.
  const client = new AjvJsonSchemaValidator()
  for (const validate of [0, 1].map(() => client.getValidator(structuredClone(whole)))) {
    expect(validate({ result: right })).toMatchObject({ valid: true })
    expect(validate({ result: wrong })).toMatchObject({ valid: false })
  }
})
