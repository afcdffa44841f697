// A model in OpenAI's strict mode sends `null` for each optional argument. It is read as "not given" where the tool takes no `null`,
// and nowhere else: what is shown, stored and run is the same call.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToolSchema } from '../../../server/tools/schemas/tool-schema.ts'
import { writeTool } from '../../kit/tools.ts'
import { confirmed, createStage, notePreview, ticketOf } from './rail-fixture.ts'

async function taking(input: ToolSchema) {
  const ran: unknown[] = []
  const stage = await createStage([
    writeTool({
      name: 'things.keep',
      input,
      output: z.strictObject({ ok: z.boolean() }),
      preview: () => notePreview({ text: 'a thing', times: 1 }),
      run: (value) => {
        ran.push(value)
        return { ok: true }
      },
    }),
  ])
  return { stage, ran }
}

const text = { type: 'string' } as const
const object = (properties: Readonly<Record<string, unknown>>, more: object = {}) =>
  ({ type: 'object', properties, ...more }) as const

const forms: readonly (readonly [string, ToolSchema])[] = [
  [
    'Zod',
    z.strictObject({
      id: z.string(),
      note: z.string().optional(),
      due: z.string().nullish(),
      of: z.strictObject({ x: z.int().optional() }).optional(),
      lines: z.array(z.strictObject({ sku: z.string().optional(), was: z.string().nullish() })).optional(),
    }),
  ],
  [
    'Valibot',
    toStandardJsonSchema(
      v.strictObject({
        id: v.string(),
        note: v.optional(v.string()),
        due: v.nullish(v.string()),
        of: v.optional(v.strictObject({ x: v.optional(v.number()) })),
        lines: v.optional(v.array(v.strictObject({ sku: v.optional(v.string()), was: v.nullish(v.string()) }))),
      }),
    ),
  ],
  [
    'arktype',
    ark({
      id: 'string',
      'note?': 'string',
      'due?': 'string | null',
      'of?': { 'x?': 'number' },
      'lines?': ark({ 'sku?': 'string', 'was?': 'string | null' }).array(),
    }),
  ],
  [
    'a JSON Schema',
    object(
      {
        id: text,
        note: text,
        due: { anyOf: [text, { type: 'null' }] },
        of: object({ x: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } }),
        lines: { type: 'array', items: object({ sku: text, was: { type: ['string', 'null'] } }) },
      },
      { required: ['id'] },
    ),
  ],
]

describe.each(forms)('of %s', (_, input) => {
  test('a null that is not taken is not given, one that is taken stays, and both repeats are of one call', async () => {
    const given = {
      id: 'a',
      note: null,
      due: null,
      of: { x: null },
      lines: [{ sku: null, was: null }, { sku: 's' }],
      preview: null,
      ticket: null,
    }
    const read = { id: 'a', due: null, of: {}, lines: [{ was: null }, { sku: 's' }] }
    const { stage, ran } = await taking(input)
    const preview = await stage.ask('things_keep', given)
    expect(preview.outcome).toBe('previewed')
    expect(confirmed(preview)).not.toContain('note=')
    const again = { ...given, preview: false, ticket: ticketOf(preview) }
    expect(await stage.ask('things_keep', again)).toMatchObject({ outcome: 'applied' })
    expect(ran).toStrictEqual([read])
    const second = await stage.ask('things_keep', given)
    expect(await stage.repeat(confirmed(second))).toMatchObject({ outcome: 'applied' })
    expect(ran).toStrictEqual([read, read])
  })

  test('what is required is refused, with its place', async () => {
    const { stage } = await taking(input)
    const answer = await stage.ask('things_keep', { id: null, note: null })
    expect(answer.outcome).toBe('refused')
    expect(answer.guidance?.field_errors).toMatchObject([{ pointer: '/id' }])
  })
})

describe('as it is stays', () => {
  test.each<[string, ToolSchema, object, unknown]>([
    [
      'what a schema reads itself',
      z.strictObject({ a: z.preprocess((x) => x ?? 'none', z.string()).optional() }),
      { a: null },
      { a: 'none' },
    ],
    ['what any value fits', z.strictObject({ a: z.json().optional() }), { a: null }, { a: null }],
    [
      'a member of a record',
      z.strictObject({ a: z.record(z.string(), z.null()) }),
      { a: { b: null } },
      { a: { b: null } },
    ],
    ['an item of a list', z.strictObject({ a: z.array(z.string().nullable()) }), { a: [null] }, { a: [null] }],
  ])('%s', async (_, input, given, read) => {
    const { stage, ran } = await taking(input)
    await stage.repeat(confirmed(await stage.ask('things_keep', given)))
    expect(ran).toStrictEqual([read])
  })
})

describe('refused is', () => {
  test.each<[string, ToolSchema, object, string]>([
    ['an item of a list', z.strictObject({ a: z.array(z.string()) }), { a: [null] }, '/a/0'],
    [
      'a null that the schema takes and a check does not',
      z
        .strictObject({ a: z.string().nullish(), b: z.string().optional() })
        .refine(({ a }) => a !== null, { path: ['a'], error: 'must not be cleared' }),
      { a: null },
      '/a',
    ],
    ['what stands behind a reference', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: text } }), { a: null }, '/a'],
    [
      'a member of a part of a union',
      object({ a: { anyOf: [object({ x: text }, { additionalProperties: false }), text] } }),
      { a: { x: null } },
      '/a',
    ],
    ['what must not be there together', object({ a: text, b: text }, { required: ['b'] }), { a: null, b: null }, '/b'],
  ])('%s', async (_, input, given, pointer) => {
    const { stage } = await taking(input)
    const answer = await stage.ask('things_keep', given)
    expect(answer.outcome).toBe('refused')
    expect(answer.guidance?.field_errors?.[0]?.pointer.startsWith(pointer)).toBe(true)
  })
})
