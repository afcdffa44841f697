// The example in an error: a call that the tool takes as it stands, or none.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseMessage } from '../../../server/confirm/message.ts'
import { call } from '../../../server/rail/call.ts'
import type { Spelling } from '../../../server/rail/engine.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { writeTool } from '../../kit/tools.ts'
import { createStage, noteTool } from './rail-fixture.ts'

const taking = (input: z.ZodType, more: object = {}) =>
  writeTool({ name: 'things.keep', input, output: z.unknown(), run: () => ({}), ...more })

/** The example that a call without any argument is answered with. */
async function exampleOf(input: z.ZodType, more: object = {}): Promise<string | undefined> {
  const stage = await createStage([taking(input, more)])
  return (await stage.send('things_keep', {})).guidance?.code_examples[0]
}

const why = 'rationale="<one sentence: why you make this call>"'

describe('the example of a tool', () => {
  test.each<[string, z.ZodType, string]>([
    ['a text', z.strictObject({ path: z.string() }), 'path="<path>"'],
    ['a text of some length', z.strictObject({ id: z.string().min(8).max(8) }), 'id="<id>xxxx"'],
    ['one of some values', z.strictObject({ mode: z.enum(['fast', 'slow']) }), 'mode="fast"'],
    ['a whole number in bounds', z.strictObject({ n: z.int().min(5).max(9) }), 'n=5'],
    ['a number above a bound', z.strictObject({ n: z.number().gt(3) }), 'n=4'],
    ['a day', z.strictObject({ on: z.iso.date() }), 'on="2030-01-31"'],
    ['an address of mail', z.strictObject({ to: z.email() }), 'to="name@example.com"'],
    ['a list of objects', z.strictObject({ l: z.array(z.strictObject({ sku: z.string() })) }), 'l=[{"sku":"<sku>"}]'],
    ['what may be one or the other', z.strictObject({ v: z.union([z.int(), z.string()]) }), 'v=1'],
    ['what its schema shows', z.strictObject({ id: z.string().meta({ examples: ['SO-1'] }) }), 'id="SO-1"'],
    [
      'an object in an object',
      z.strictObject({
        node: z.strictObject({
          name: z.string(),
          get parent() {
            return z.strictObject({ name: z.string() }).optional()
          },
        }),
      }),
      'node={"name":"<name>"}',
    ],
  ])('that takes %s has it', async (_, input, expected) => {
    expect(await exampleOf(input)).toBe(`things_keep(${expected}, ${why})`)
  })

  test('leaves out what the tool does not require', async () => {
    expect(await exampleOf(z.strictObject({ a: z.string(), b: z.string().optional(), c: z.int().default(3) }))).toBe(
      `things_keep(a="<a>", ${why})`,
    )
  })

  test.each<[string, z.ZodType]>([
    ['a pattern that nobody can guess', z.strictObject({ id: z.string().regex(/^SO-\d{4}$/) })],
    ['a rule between its arguments', z.strictObject({ a: z.int(), b: z.int() }).refine(({ a, b }) => a > b)],
    ['more than an example shows', z.strictObject({ list: z.array(z.int()).min(40) })],
  ])('is left out where the tool has %s', async (_, input) => {
    expect(await exampleOf(input)).toBeUndefined()
  })

  test('that runs unasked is a preview', async () => {
    expect(await exampleOf(z.strictObject({ a: z.string() }), { autonomous: true })).toBe(
      `things_keep(a="<a>", ${why}, preview=true)`,
    )
  })

  test('is a preview where the host asks, because a call there runs unless it says that it does not', async () => {
    const input = z.strictObject({ a: z.string() })
    const stage = await createStage([taking(input)], { settings: { confirmation: 'host' } })
    const { guidance } = await stage.send('things_keep', {})
    expect(guidance?.code_examples).toStrictEqual([`things_keep(a="<a>", ${why}, preview=true)`])
  })

  test.each<[string, z.ZodType]>([
    ['an example', z.strictObject({ to: z.string().meta({ examples: ['thief@example.org'] }) })],
    ['a default', z.strictObject({ to: z.string().meta({ default: 'thief@example.org' }) })],
    ['an example in an object', z.strictObject({ to: z.string() }).meta({ examples: [{ to: 'thief@example.org' }] })],
  ])('of somebody else’s server has no value that %s in its schema proposes', async (_, input) => {
    const stage = await createStage([taking(z.strictObject({ mail: input }), { wire: 'far:keep' })])
    const { guidance } = await stage.send('far:keep', {})
    expect(guidance?.code_examples).toStrictEqual([`far:keep(mail={"to":"<to>"}, ${why})`])
  })

  test('is spelt as its door takes it', async () => {
    const stage = await createStage([taking(z.strictObject({ a: z.string() }))])
    const spelling: Spelling = {
      tool: 'call_tool_write',
      around: [
        ['name', 'far:keep'],
        ['args_json', null],
      ],
    }
    const answer = await call(stage.engine, { ...requestOf('things_keep', { b: 1 }, caller()), spelling })
    const [example = ''] = answer.guidance?.code_examples ?? []
    expect(parseMessage(`Preview: call ${example}`)).toMatchObject({
      ok: true,
      value: { tool: 'call_tool_write', args: { name: 'far:keep', args_json: '{"a":"<a>"}' } },
    })
  })
})

test('an argument that was right is kept, a wrong one is replaced, and what nobody takes is gone', async () => {
  const stage = await createStage([noteTool([])])
  const { guidance } = await stage.ask('notes_write', { text: 'Milk', times: 0, txet: 'x' })
  expect(guidance?.code_examples).toStrictEqual([`notes_write(text="Milk", ${why})`])
})

test.each([['/key'], ['/key/secret'], ['/*']])('an argument that is secret by %s is not repeated', async (secret) => {
  const input = z.strictObject({ key: z.string(), times: z.int() })
  const stage = await createStage([taking(input, { secrets: { arguments: [secret] } })])
  const { guidance } = await stage.ask('things_keep', { key: 'hunter2', times: 'x' })
  expect(guidance?.code_examples).toStrictEqual([`things_keep(key="<key>", times=1, ${why})`])
})

test('an argument that cannot be written as JSON is not kept', async () => {
  const stage = await createStage([taking(z.strictObject({ a: z.string(), b: z.unknown() }))])
  let deep: unknown = 'x'
  for (let level = 0; level < 100_000; level++) deep = [deep]
  const { guidance } = await stage.ask('things_keep', { a: 'y', b: deep })
  expect(guidance?.error_type).toBe('validation_error')
  expect(guidance?.code_examples).toStrictEqual([`things_keep(a="y", b="<b>", ${why})`])
})
