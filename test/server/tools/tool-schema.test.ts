// Schemas of other libraries, and JSON Schemas, as the rail checks with them.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../server/tools/define-tool.ts'
import { parseWith, zodOf, type ToolSchema } from '../../../server/tools/tool-schema.ts'
import { createStage } from '../rail/rail-fixture.ts'

/** One shape in every form: a name, and a count from 1 to 9 that is 1 where nothing is said. */
const forms: Readonly<Record<string, ToolSchema<{ name: string; count: number }>>> = {
  zod: z.strictObject({ name: z.string(), count: z.int().min(1).max(9).default(1) }),
  arktype: ark({ name: 'string', count: '1 <= number.integer <= 9 = 1' }),
  valibot: toStandardJsonSchema(
    v.strictObject({
      name: v.string(),
      count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)), 1),
    }),
  ),
  'json schema': {
    type: 'object',
    properties: { name: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
    required: ['name'],
  },
}

const value = fc.record(
  {
    name: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
    count: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.double(), fc.constant('2')),
    more: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
)

describe('a schema of a contract', () => {
  test('takes and refuses the same in every form, and answers the same value', () => {
    fc.assert(
      fc.property(value, (given) => {
        const [first, ...others] = Object.values(forms).map((schema) => {
          const { success, data } = parseWith(schema, 'input', given) as { success: boolean; data?: unknown }
          return success ? { data } : 'refused'
        })
        for (const other of others) expect([given, other]).toStrictEqual([given, first])
      }),
      { numRuns: 500 },
    )
  })

  test('leaves what it was given as it is', () => {
    for (const schema of Object.values(forms)) {
      const given = Object.freeze({ name: 'a' })
      expect(parseWith(schema, 'input', given)).toMatchObject({ data: { name: 'a', count: 1 } })
      expect(given).toStrictEqual({ name: 'a' })
    }
  })

  test('is listed as JSON Schema with what it says of each value', () => {
    for (const schema of Object.values(forms))
      expect(z.toJSONSchema(zodOf(schema, 'input'), { io: 'input' })).toMatchObject({
        type: 'object',
        properties: { name: { type: 'string' }, count: { minimum: 1, maximum: 9 } },
        required: ['name'],
      })
  })

  test('is made once for each side', () => {
    for (const schema of Object.values(forms)) expect(zodOf(schema, 'input')).toBe(zodOf(schema, 'input'))
  })

  test('that checks asynchronously is refused with the name of its library, and ends nothing', async () => {
    const slow = toStandardJsonSchema(v.object({ name: v.string() }))
    const validate = async () => Promise.reject(new Error('later'))
    const schema = { '~standard': { ...slow['~standard'], validate } } as unknown as ToolSchema
    expect(() => parseWith(schema, 'input', {})).toThrow('The schema of valibot checks asynchronously.')
    await new Promise((resolve) => void setTimeout(resolve, 5))
  })
})

test.each(Object.entries(forms))('a call of a tool with an input of %s is refused by field', async (_, input) => {
  const stage = await createStage([
    defineTool({
      name: 'notes.count',
      title: 'Count notes',
      description: 'Counts notes.',
      operation: 'read',
      risk: 'low',
      input,
      output: { type: 'object', properties: { name: { type: 'string' } } },
      failures: {},
      run: ({ name }) => ({ name }),
    }),
  ])
  expect(await stage.ask('notes_count', { name: 'a' })).toMatchObject({ outcome: 'ok' })
  const { guidance } = await stage.ask('notes_count', { name: 'a', count: 10 })
  expect(guidance?.field_errors).toMatchObject([{ pointer: '/count', received: 10 }])
})
