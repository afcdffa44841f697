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
    const json: ToolSchema = { type: 'object' }
    expect(zodOf(json, 'output')).not.toBe(zodOf(json, 'input'))
  })

  test('refuses members that it does not name, in every object that it describes', () => {
    const nested: Readonly<Record<string, ToolSchema>> = {
      zod: z.strictObject({ to: z.strictObject({ name: z.string() }), list: z.array(z.strictObject({ n: z.int() })) }),
      arktype: ark({ to: { name: 'string' }, list: ark({ n: 'number' }).array() }),
      valibot: toStandardJsonSchema(
        v.object({ to: v.looseObject({ name: v.string() }), list: v.array(v.strictObject({ n: v.number() })) }),
      ),
      'json schema': {
        type: 'object',
        $defs: { to: { type: 'object', properties: { name: { type: 'string' } } } },
        properties: {
          to: { $ref: '#/$defs/to' },
          list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
        },
      },
    }
    const sound = { to: { name: 'a' }, list: [{ n: 1 }] }
    for (const [name, schema] of Object.entries(nested)) {
      const takes = (given: unknown): boolean => parseWith(schema, 'input', given).success
      const strange = [
        { ...sound, more: 1 },
        { ...sound, constructor: 1 },
        { ...sound, to: { name: 'a', admin: true } },
        { ...sound, list: [{ n: 1, m: 1 }] },
      ]
      expect([name, takes(sound)]).toStrictEqual([name, true])
      // Valibot’s loose object says so in its JSON Schema.
      const refused = name === 'valibot' ? strange.toSpliced(2, 1) : strange
      for (const given of refused) expect([name, given, takes(given)]).toStrictEqual([name, given, false])
    }
    expect(parseWith({ type: 'object' }, 'input', { a: 1 }).success).toBe(false)
    expect(parseWith({ type: 'object', additionalProperties: true }, 'input', { a: 1 }).success).toBe(true)
  })

  test('cannot change what was called', () => {
    const schema = standard((given) => {
      const { to } = given as { to?: { name: string } }
      if (to !== undefined) to.name = 'Eve'
      return { value: given }
    })
    const given = { to: { name: 'Ada' } }
    expect(parseWith(schema, 'input', given)).toMatchObject({ data: { to: { name: 'Eve' } } })
    expect(given).toStrictEqual({ to: { name: 'Ada' } })
  })

  test('that fails is a refusal, and no exception', () => {
    const schema = standard((given) => {
      if (given !== null && Object.keys(given as object).length > 0) throw new Error('Out of order.')
      return { value: given }
    })
    expect(parseWith(schema, 'output', { a: 1 })).toMatchObject({
      success: false,
      error: { issues: [{ message: 'The schema of mine failed: Out of order.' }] },
    })
    expect(
      parseWith(
        standard(() => ({ issues: [] })),
        'output',
        {},
      ).success,
    ).toBe(false)
    expect(parseWith({ type: 'object' }, 'output', { f: () => 1 }).success).toBe(true)
  })
})

/** A schema of a library of one's own. */
function standard(validate: (given: unknown) => unknown): ToolSchema {
  const written = () => ({ type: 'object', properties: { to: {} } })
  return {
    '~standard': { version: 1, vendor: 'mine', validate, jsonSchema: { input: written, output: written } },
  } as ToolSchema
}

const base = {
  name: 'notes.count',
  title: 'Count notes',
  description: 'Counts notes.',
  operation: 'read',
  risk: 'low',
  output: { type: 'object' },
  failures: {},
  run: () => ({}),
} as const

test.each<[string, ToolSchema, string]>([
  [
    'checks asynchronously',
    standard(async () => Promise.reject(new Error('later'))),
    'input cannot be used (it checks asynchronously; check what takes time in preview or run)',
  ],
  ['is a JSON Schema that does', { type: 'object', $async: true }, 'input cannot be used (it checks asynchronously)'],
  [
    'is of an older draft',
    { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
    'says $schema "http://json-schema.org/draft-07/schema#"; write it in 2020-12',
  ],
  [
    'cannot check',
    { '~standard': { version: 1, vendor: 'mine', jsonSchema: {} } } as unknown as ToolSchema,
    'input is a schema of mine that cannot check',
  ],
  ['describes a list', { type: 'array' } as unknown as ToolSchema, 'a JSON Schema of something else than an object'],
])('a contract whose schema %s does not start', (_, input, says) => {
  expect(() => defineTool({ ...base, input })).toThrow(says)
})

test('a schema that repeats a secret is not repeated', async () => {
  const stage = await createStage([
    defineTool({ ...base, input: ark({ pin: 'string > 8' }), secrets: { arguments: ['/pin'] } }),
  ])
  const answer = await stage.ask('notes_count', { pin: 'hunter2' })
  expect(answer.guidance?.field_errors).toMatchObject([{ pointer: '/pin' }])
  expect(JSON.stringify(answer)).not.toContain('hunter2')
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
