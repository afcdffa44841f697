// Schemas of other libraries, and JSON Schemas, as the rail checks with them.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../../server/tools/define-tool.ts'
import { parseWith, zodOf, type ToolSchema } from '../../../server/tools/tool-schema.ts'
import { writeTool } from '../../kit/tools.ts'
import { confirmed, createStage } from '../rail/rail-fixture.ts'

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

  const object = (properties: Readonly<Record<string, unknown>>, more: object = {}): ToolSchema => ({
    type: 'object',
    properties,
    ...more,
  })
  const named = { type: 'object', properties: { name: { type: 'string' } } }

  test.each<[string, ToolSchema, unknown, unknown]>([
    ['an argument', object({ a: {} }), { a: 1 }, { a: 1, constructor: 1 }],
    ['an argument of none', { type: 'object' }, {}, { a: 1 }],
    ['a part', object({ to: named }), { to: { name: 'a' } }, { to: { name: 'a', admin: true } }],
    ['a part in arktype', ark({ to: { name: 'string' } }), { to: { name: 'a' } }, { to: { name: 'a', admin: true } }],
    [
      'a part that may be null',
      ark({ to: ark({ name: 'string' }).or('null') }),
      { to: { name: 'a' } },
      { to: { name: 'a', admin: true } },
    ],
    [
      'a value of a record',
      ark({ by: { '[string]': { n: 'number' } } }),
      { by: { x: { n: 1 } } },
      { by: { x: { n: 1, admin: true } } },
    ],
    [
      'an item of a list',
      object({ list: { type: 'array', items: named } }),
      { list: [{ name: 'a' }] },
      { list: [{ name: 'a', admin: true }] },
    ],
    [
      'an item of a tuple, or of its rest',
      ark({ list: [{ a: 'string' }, '...', ark({ b: 'string' }).array()] }),
      { list: [{ a: 'x' }, { b: 'y' }] },
      { list: [{ a: 'x' }, { b: 'y', a: 'x' }] },
    ],
    [
      'a part that is a reference to a reference',
      object({ to: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: named } }),
      { to: { name: 'a' } },
      { to: { name: 'a', admin: true } },
    ],
    [
      'a part with more beside its reference',
      object({ to: { $ref: '#/$defs/a', properties: { age: {} } } }, { $defs: { a: named } }),
      { to: { name: 'a', age: 7 } },
      { to: { name: 'a', age: 7, admin: true } },
    ],
    [
      'one of two forms',
      object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      { a: 1 },
      { a: 1, admin: true },
    ],
    [
      'parts that several schemas name',
      object({ a: {} }, { allOf: [{ properties: { b: {} } }] }),
      { a: 1, b: 1 },
      { a: 1, b: 1, admin: true },
    ],
  ])('takes no member that it does not name: %s', (_, schema, sound, strange) => {
    expect(parseWith(schema, 'input', sound)).toMatchObject({ success: true, data: sound })
    const refused = parseWith(schema, 'input', strange)
    expect(refused.success || refused.error.issues.map(({ code }) => code)).toContain('unrecognized_keys')
  })

  test.each<[string, ToolSchema]>([
    ['says additionalProperties', object({}, { additionalProperties: true })],
    ['says it of their values', object({}, { additionalProperties: { type: 'number' } })],
  ])('takes other members where it %s', (_, schema) => {
    expect(parseWith(schema, 'input', { a: 1 }).success).toBe(true)
  })

  test('takes anything inside of an object of which it names nothing', () => {
    const given = { data: { a: { b: 1 } } }
    expect(parseWith(object({ data: { type: 'object' } }), 'input', given).success).toBe(true)
    expect(parseWith(ark({ data: 'object' }), 'input', given).success).toBe(true)
  })

  test('is listed as it is checked, whatever its library says beyond it', () => {
    const schema = object({ a: {} }, { allOf: [{ properties: { b: {} } }] })
    expect(z.toJSONSchema(zodOf(schema, 'input'))).toMatchObject({ unevaluatedProperties: false })
    const lax = standard((given) => ({ value: given }), { type: 'object', properties: { n: { type: 'number' } } })
    expect(parseWith(lax, 'input', { n: 'seven' }).success).toBe(false)
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

  test('that answers no issue and no value is a refusal', () => {
    expect(
      parseWith(
        standard(() => ({ issues: [] })),
        'output',
        {},
      ).success,
    ).toBe(false)
  })

  test('need not be prepared for arguments of none', () => {
    const schema = ark({ 'list?': 'string[]' }).narrow(({ list }) => (list as string[]).length > 0)
    expect(() => zodOf(schema, 'input')).not.toThrow()
    expect(parseWith(schema, 'input', { list: ['a'] }).success).toBe(true)
  })
})

test('an answer whose schema fails is still an answer, because the write has happened', async () => {
  const output = standard((given) => {
    if (typeof (given as { id?: unknown }).id === 'string') throw new Error('Out of order.')
    return { value: given }
  })
  const stage = await createStage([
    writeTool({ name: 'notes.add', input: z.strictObject({}), output, run: () => ({ id: 'n1' }) }),
  ])
  const applied = await stage.repeat(confirmed(await stage.ask('notes_add', {})))
  expect(applied.outcome).toBe('applied')
})

/** A schema of a library of one's own. */
function standard(
  validate: (given: unknown) => unknown,
  schema: object = { type: 'object', properties: { to: {} } },
): ToolSchema {
  const written = () => schema
  return {
    '~standard': { version: 1, vendor: 'mine', validate, jsonSchema: { input: written, output: written } },
  } as ToolSchema
}

const pinned = { type: 'object', properties: { pin: { type: 'string' }, pin2: { type: 'string' } } }

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
    'input cannot be used: it checks asynchronously; check what takes time in preview or run',
  ],
  ['is a JSON Schema that does', { type: 'object', $async: true }, 'input cannot be used: it checks asynchronously'],
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
  ['describes a list', { type: 'array' } as unknown as ToolSchema, 'is a JSON Schema without type: "object"'],
  ['says no type', { properties: {} } as unknown as ToolSchema, 'is a JSON Schema without type: "object"'],
  ['answers nothing', standard(() => undefined), 'its `~standard.validate` answers no result'],
  [
    'counts all arguments',
    { type: 'object', maxProperties: 1 },
    'input cannot be used: it says "maxProperties" of all arguments, and every call has parameters of ours beside them',
  ],
  [
    'forbids other arguments in a part',
    { type: 'object', anyOf: [{ properties: { a: {} }, additionalProperties: false }] },
    'a part of it forbids other arguments',
  ],
])('a contract whose schema %s does not start', (_, input, says) => {
  expect(() => defineTool({ ...base, input })).toThrow(says)
})

test.each<[string, ToolSchema]>([
  ['of the secret itself', ark({ pin: "'a'|'b'" }).narrow((_, ctx) => ctx.reject('right'))],
  ['of the arguments', standard((given) => ({ issues: [{ message: `wrong: ${JSON.stringify(given)}` }] }), pinned)],
  ['of another one', standard((given) => ({ issues: [{ message: JSON.stringify(given), path: ['pin2'] }] }), pinned)],
  ['of Zod', z.strictObject({ pin: z.union([z.literal('a')], { error: ({ input }) => `not ${String(input)}` }) })],
])('a sentence %s that repeats a secret is not repeated', async (_, input) => {
  const stage = await createStage([defineTool({ ...base, input, secrets: { arguments: ['/pin'] } })])
  const answer = await stage.ask('notes_count', { pin: 'hunter2' })
  expect(answer.guidance?.field_errors).toHaveLength(1)
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
