// Schemas of other libraries, and JSON Schemas, as the rail checks with them.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type as ark } from 'arktype'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toTool } from '../../../../server/tools/catalog.ts'
import { defineTool } from '../../../../server/tools/define-tool.ts'
import { parseWith, zodOf, type ToolSchema } from '../../../../server/tools/schemas/tool-schema.ts'
import { standard } from '../../../kit/schemas.ts'
import { eventually } from '../../../eventually.ts'
import { createStage } from '../../rail/rail-fixture.ts'

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

  test('is listed as it is checked, whatever its library says beyond it', () => {
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
    'input cannot be used: it checks asynchronously. Check what takes time in preview or run.',
  ],
  ['is a JSON Schema that does', { type: 'object', $async: true }, 'input cannot be used: it checks asynchronously'],
  [
    'is of an older draft',
    { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
    'says $schema "http://json-schema.org/draft-07/schema#". Write it in 2020-12.',
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
    'input cannot be used: it has "maxProperties" at its top, which would also count rationale, preview and ticket. Leave "maxProperties" out there',
  ],
  [
    'is one of some values',
    { type: 'object', enum: [{}] },
    'it has "enum" at its top, which would also be about rationale',
  ],
  ['needs so many arguments', { type: 'object', minProperties: 1 }, 'it has "minProperties" at its top'],
  [
    'forbids other arguments in a part',
    { type: 'object', anyOf: [{ properties: { a: {} }, additionalProperties: false }] },
    'a part of it has "additionalProperties" for all arguments, which would also be about rationale, preview and ticket',
  ],
  [
    'says in a part what other arguments are',
    { type: 'object', allOf: [{ properties: { a: {} }, additionalProperties: { type: 'number' } }] },
    'a part of it has "additionalProperties"',
  ],
  [
    'says so in what a part refers to',
    { type: 'object', allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { unevaluatedProperties: { type: 'number' } } } },
    'a part of it has "unevaluatedProperties"',
  ],
  [
    'asks how many arguments there are',
    { type: 'object', properties: { a: {} }, if: { maxProperties: 1 } },
    'a part of it has "maxProperties"',
  ],
  ['asks whether there are others', { type: 'object', not: { propertyNames: { const: 'a' } } }, '"propertyNames"'],
  [
    'has a reserved name in a part',
    { type: 'object', properties: {}, anyOf: [{ properties: { ticket: {} }, required: ['ticket'] }] },
    'input.ticket is a reserved parameter',
  ],
  [
    'refers to what is elsewhere',
    { type: 'object', properties: { a: { $ref: 'https://x.test/a' } } },
    'it refers to "https://x.test/a", which is not in it. Put what it refers to into its $defs',
  ],
  [
    'is no JSON Schema',
    { type: 'object', properties: { a: { type: 'strin' } } },
    'it is no JSON Schema of 2020-12: /properties/a/type must be equal to one of the allowed values. Correct it there.',
  ],
  ['refers to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }, 'it refers to "#/$defs/a"'],
  [
    'refers to what depends on who asks',
    { type: 'object', properties: { a: { $dynamicRef: '#a' } }, $defs: { a: { $dynamicAnchor: 'a' } } },
    'it has "$dynamicRef". Write "$ref" instead.',
  ],
])('a contract whose schema %s does not start', (_, input, says) => {
  expect(() => defineTool({ ...base, input })).toThrow(says)
})

test('a read whose output refers to what is elsewhere does not start, and hears what to do', () => {
  const output: ToolSchema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }
  const says = 'output has no JSON Schema (it refers to "#/$defs/a", which is not in it). Put what it refers to into'
  expect(() => defineTool({ ...base, input: z.strictObject({}), output })).toThrow(says)
})

test.each<[string, ToolSchema, readonly unknown[], unknown]>([
  ['of other alphabets', ark({ n: /^\p{L}+$/u }), [{ n: 'Ada' }], { n: '7' }],
  ['in any case', ark({ n: /^abc$/i }), [{ n: 'ABC' }, { n: 'abc' }], { n: 'abd' }],
  [
    'of JSON Schema, which reads all as Unicode',
    { type: 'object', properties: { n: { type: 'string', pattern: '^\\p{L}+$' } } },
    [{ n: 'Ada' }],
    { n: 'p{L}' },
  ],
])('a pattern %s matches what its library matches', (_, schema, sound, wrong) => {
  for (const given of sound) expect([given, parseWith(schema, 'input', given).success]).toStrictEqual([given, true])
  expect(parseWith(schema, 'input', wrong).success).toBe(false)
})

test('a schema that holds itself is listed without our parameters in what it holds', () => {
  const input: ToolSchema = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } }
  const { inputSchema } = toTool(defineTool({ ...base, input }), 'notes_count')
  const validate = new Ajv2020({ strict: false }).compile(inputSchema)
  expect(validate({ rationale: 'To count them.', kids: [{ kids: [] }] })).toBe(true)
  expect(validate({ rationale: 'To count them.', kids: [{ rationale: 'To count them.' }] })).toBe(false)
})

test('a schema whose tool is gone is forgotten', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What is kept of a schema is a copy, and in that its examples as they are.
  const declare = (make: (schema: object) => ToolSchema): WeakRef<object> => {
    const examples: object = [{ a: 1 }]
    const schema = make({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }], examples })
    expect(parseWith(schema, 'input', { a: 1 }).success).toBe(true)
    return new WeakRef(examples)
  }
  const gone = [
    declare((schema) => schema as ToolSchema),
    declare((schema) => standard((given) => ({ value: given }), schema)),
  ]
  // What was looked at is held until the end of a turn, so each look waits for one, and one collection may not take all.
  await eventually(async () => {
    await setImmediate()
    collect()
    await setImmediate()
    expect(gone.map((each) => each.deref())).toStrictEqual([undefined, undefined])
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
