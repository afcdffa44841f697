// What agents and people hear of the schemas of a contract: what is wrong with a call, and nothing more.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToolSchema } from '../../../server/tools/schemas/tool-schema.ts'
import { standard } from '../../kit/schemas.ts'
import { readTool, writeTool } from '../../kit/tools.ts'
import { confirmed, createStage } from './rail-fixture.ts'

const reading = (input: ToolSchema, output: ToolSchema = { type: 'object' }) =>
  createStage([readTool({ name: 'notes.count', input, output, run: () => ({ id: 'n1' }) })])

const strict = (kind: string, properties: object) => ({
  type: 'object',
  properties: { kind: { const: kind }, ...properties },
  required: ['kind', ...Object.keys(properties)],
})
const either = (branches: readonly object[], more: object = {}): ToolSchema => ({
  type: 'object',
  properties: { to: { anyOf: branches } },
  ...more,
})
const a = strict('a', { x: { type: 'string' } })
const b = strict('b', { y: { type: 'number' } })

describe('of a choice an agent hears of the form that it meant', () => {
  test.each<[string, ToolSchema, object, readonly string[]]>([
    [
      'a part that may be null',
      ark({ to: ark({ name: 'string' }).or('null') }),
      { to: { name: 7 } },
      ['Change /to/name to a value of type string.'],
    ],
    [
      'a form with a name',
      ark({ to: ark({ kind: "'a'", x: 'string' }).or({ kind: "'b'", y: 'number' }) }),
      { to: { kind: 'b', y: 'seven' } },
      ['Change /to/y to a value of type number.'],
    ],
    [
      'forms of Valibot, which refuse other members themselves',
      toStandardJsonSchema(
        v.strictObject({
          to: v.variant('kind', [
            v.strictObject({ kind: v.literal('a'), x: v.string() }),
            v.strictObject({ kind: v.literal('b'), y: v.number() }),
          ]),
        }),
      ),
      { to: { kind: 'b', y: 7, x: 'z' } },
      ['Leave out /to/x; /to has no such member.'],
    ],
    [
      'forms that are references',
      either([{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }], { $defs: { a, b } }),
      { to: { kind: 'b', y: 'seven' } },
      ['Change /to/y to a value of type number.'],
    ],
    [
      'a form that a schema closes by itself',
      { type: 'object', properties: { to: { anyOf: [a, b], unevaluatedProperties: false } } },
      { to: { kind: 'b', y: 'seven' } },
      ['Change /to/y to a value of type number.'],
    ],
    [
      'a wrong value beside a member too many',
      either([{ type: 'null' }, a]),
      { to: { kind: 'a', x: 7, z: 1 } },
      ['Change /to/x to a value of type string.', 'Leave out /to/z; /to has no such member.'],
    ],
    [
      'a choice inside of a choice',
      either([{ type: 'null' }, { type: 'object', properties: { in: { anyOf: [{ type: 'null' }, a] } } }]),
      { to: { in: { kind: 'a', x: 7 } } },
      ['Change /to/in/x to a value of type string.'],
    ],
    [
      'no form that is nearer than others',
      either([{ type: 'string' }, { type: 'number' }]),
      { to: true },
      ['Change /to to a value of type string, or a value of type number.'],
    ],
    [
      'more forms than one, where one has to fit',
      { type: 'object', properties: { to: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } },
      { to: 1 },
      ['Change /to to just one of the forms that the schema describes.'],
    ],
  ])('%s', async (_, input, args, advice) => {
    const stage = await reading(input)
    const { guidance } = await stage.ask('notes_count', args)
    expect(guidance?.actionable_guidance.slice(0, advice.length)).toStrictEqual(advice)
    expect(guidance?.field_errors).toHaveLength(advice.length)
  })
})

test('a deep value of a schema that holds itself in each form is told in no time', async () => {
  const held = { type: 'object', properties: { in: { $ref: '#/$defs/node' } }, required: ['in'] }
  const leaf = { type: 'object', properties: { leaf: { type: 'number' } }, required: ['leaf'] }
  const forms = { anyOf: [{ properties: { x: { $ref: '#/$defs/node' } }, required: ['x'] }, held, leaf] }
  const stage = await reading({ type: 'object', properties: { to: { $ref: '#/$defs/node' } }, $defs: { node: forms } })
  const deep = Array.from({ length: 40 }).reduce<object>((inside) => ({ in: inside }), { leaf: 'x' })
  const start = performance.now()
  const { guidance } = await stage.ask('notes_count', { to: deep })
  expect(guidance?.field_errors).toMatchObject([{ pointer: `/to${'/in'.repeat(40)}/leaf`, received: 'x' }])
  expect(performance.now() - start).toBeLessThan(5000)
})

describe('a schema that throws', () => {
  const throwing = standard((given) => {
    const { to = '', id = to } = (given ?? {}) as { id?: string; to?: string }
    if (id !== '') throw new Error(`Out of order: ${id}`)
    return { value: given }
  })

  test('of an input is a refusal that repeats nothing, and the server notes what it threw', async () => {
    const stage = await reading(throwing)
    const answer = await stage.ask('notes_count', { to: 'Ada' })
    expect(answer).toMatchObject({ outcome: 'refused', guidance: { error_type: 'validation_error' } })
    expect(answer.guidance?.actionable_guidance[0]).toMatch(/^The tool's schema fails on these values/)
    expect(JSON.stringify(answer)).not.toContain('Out of order')
    expect(stage.engine.reports).toStrictEqual(['notes_count input: Out of order: Ada'])
  })

  test('of Zod, by a check that answers later, is one, too', async () => {
    const stage = await reading(z.strictObject({ to: z.string().refine(async () => true) }))
    expect((await stage.ask('notes_count', { to: 'Ada' })).guidance?.error_type).toBe('validation_error')
  })

  test("of a read's output is an answer that its contract does not allow", async () => {
    const stage = await reading(z.strictObject({}), throwing)
    const answer = await stage.ask('notes_count', {})
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'bad_output' } })
    expect(JSON.stringify(answer)).not.toContain('Out of order')
    expect(stage.engine.reports).toStrictEqual(['notes_count output: Out of order: n1'])
  })

  test('of the output of a write leaves it applied, however often it is confirmed', async () => {
    const output = standard((given) => {
      // On nothing, too.
      const { id } = given as { id?: unknown }
      if (typeof id === 'string') throw new Error('Out of order.')
      return { value: given }
    })
    const stage = await createStage([
      writeTool({ name: 'notes.add', input: z.strictObject({}), output, run: () => ({ id: 'n1' }) }),
    ])
    const message = confirmed(await stage.ask('notes_add', {}))
    expect((await stage.repeat(message)).outcome).toBe('applied')
    expect((await stage.repeat(message)).outcome).toBe('replayed')
  })
})

const pinned = { type: 'object', properties: { pin: { type: 'string' }, pin2: { type: 'string' } } }
const saying = (path: readonly string[], schema: object): ToolSchema =>
  standard((given) => {
    const isEmpty = Object.keys(given as object).length === 0
    return isEmpty ? { value: given } : { issues: [{ message: `wrong: ${JSON.stringify(given)}`, path }] }
  }, schema)
const named = { type: 'object', properties: { password: { type: 'string' }, b: {} } }

test.each<[string, ToolSchema, object, readonly string[]]>([
  ['of the secret itself', ark({ pin: "'a'|'b'" }).narrow((_, ctx) => ctx.reject('right')), {}, ['/pin']],
  ['of the arguments', saying([], pinned), {}, ['/pin']],
  ['of another one', saying(['pin2'], pinned), {}, ['/pin']],
  [
    'of Zod',
    z.strictObject({ pin: z.union([z.literal('a')], { error: ({ input }) => `not ${String(input)}` }) }),
    {},
    ['/pin'],
  ],
  ['of another than is secret by its name', saying(['b'], named), { password: 'hunter2', b: 1 }, []],
  ['of all where one is secret by its name', saying([], named), { password: 'hunter2', b: 1 }, []],
])('a sentence %s that repeats a secret is not repeated', async (_, input, args, marked) => {
  const stage = await createStage([
    readTool({
      name: 'notes.count',
      input,
      output: { type: 'object' },
      run: () => ({}),
      secrets: { arguments: marked },
    }),
  ])
  const given = marked.length > 0 ? { pin: 'hunter2' } : args
  const answer = await stage.ask('notes_count', given)
  expect(answer.guidance?.field_errors).toHaveLength(1)
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test('a tool that takes an argument only in a part of its schema says so', async () => {
  const stage = await reading({ type: 'object', properties: { a: {} }, allOf: [{ properties: { b: {} } }] })
  const { guidance } = await stage.ask('notes_count', { a: 1, c: 1 })
  expect(guidance?.actionable_guidance[0]).toBe('Leave out /c; this tool takes a and b.')
})
