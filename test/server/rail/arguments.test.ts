// Arguments come from a language model. What a person confirmed must be what was sent, to the last key and digit; where
// that cannot be promised, the call is refused with the place, and nothing is opened that could be confirmed.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { writeTool } from '../../kit/tools.ts'
import { applyMessage, confirmed, createStage, notePreview, noteTool, why, type Stage } from './rail-fixture.ts'

/** A write that takes whatever this schema takes. */
const taking = <I>(input: z.ZodType<I>, ran: I[] = []): Contract =>
  writeTool({
    name: 'things.keep',
    failures: { nope: { effect: 'none', guidance: 'Do not.' } },
    input,
    output: z.strictObject({ ok: z.boolean() }),
    preview: () => notePreview({ text: 'a thing', times: 1 }),
    run: (value) => {
      ran.push(value)
      return { ok: true }
    },
  })

const anything = z.strictObject({ thing: z.json() })

const fields = (answer: Answer) => answer.guidance?.field_errors ?? []

const keep = async (thing: unknown): Promise<Answer> =>
  (await createStage([taking(anything)])).ask('things_keep', { thing })

describe('what JSON can hold and a confirmation cannot', () => {
  test.each([
    ['an integer beyond 2^53', 9007199254740992, '/thing', 'as text'],
    ['a negative integer beyond 2^53', -9007199254740992, '/thing', 'as text'],
    ['such an integer deep inside', { a: [{ b: 1e300 }] }, '/thing/a/0/b', 'as text'],
    ['a number beyond every float', JSON.parse('1e400'), '/thing', 'as text'],
    ['such a number deep inside', JSON.parse('{"a":[-1e400]}'), '/thing/a/0', 'as text'],
    ['a lone surrogate', 'x\ud800y', '/thing', 'well-formed'],
    ['a lone surrogate deep inside', [['\udc00']], '/thing/0/0', 'well-formed'],
    ['a key with a lone surrogate', { '\ud800': 1 }, '/thing', 'well-formed'],
    ['a key named __proto__', JSON.parse('{"a":{"__proto__":{"admin":true}}}'), '/thing/a/__proto__', 'any other key'],
  ])('%s is refused with its place', async (_, thing, pointer, allowed) => {
    const answer = await keep(thing)
    expect(answer).toMatchObject({
      outcome: 'refused',
      guidance: { error_type: 'validation_error', retryable: 'after_change' },
    })
    expect(fields(answer)).toMatchObject([{ pointer, allowed: expect.stringContaining(allowed) as string }])
    expect(applyMessage(answer)).toBeUndefined()
  })

  test('a number beyond every float is quoted as text, which JSON can carry', async () => {
    const answer = await keep(JSON.parse('1e400'))
    expect(fields(answer)).toMatchObject([{ pointer: '/thing', received: 'Infinity' }])
  })

  test('a key named __proto__ beside the arguments is refused too', async () => {
    const stage = await createStage([taking(anything)])
    const args = JSON.parse(`{"thing":1,"rationale":"${why}","__proto__":{"admin":true}}`) as Record<string, unknown>
    expect(fields(await stage.send('things_keep', args))).toMatchObject([{ pointer: '/__proto__' }])
  })

  test('the largest safe integers, emoji and the key "constructor" are fine', async () => {
    for (const thing of [9007199254740991, -9007199254740991, '👩‍👩‍👧‍👦', { constructor: 1, toString: 'x' }])
      expect((await keep(thing)).outcome).toBe('previewed')
  })

  test('a nest of a hundred thousand lists is refused, and quickly said', async () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const answer = await keep(deep)
    expect(answer.outcome).toBe('refused')
    expect(answer.text).toContain('64 levels')
    expect(answer.text.length).toBeLessThan(4000)
  })

  test('a nest of sixty levels is fine', async () => {
    expect((await keep(JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`))).outcome).toBe('previewed')
  })

  test('arguments beyond the limit are refused with their size, not repeated', async () => {
    const answer = await keep('x'.repeat(1_000_001))
    expect(fields(answer)).toMatchObject([{ pointer: '', allowed: 'at most 1000000 bytes of JSON' }])
    expect(answer.text.length).toBeLessThan(4000)
  })

  test.each([
    ['a list', [1]],
    ['a text', 'x'],
    ['a number', 7],
  ])('%s instead of named arguments is refused', async (_, args) => {
    const stage = await createStage([taking(anything)])
    expect(fields(await stage.send('things_keep', args))).toMatchObject([
      { pointer: '', allowed: 'an object of named arguments' },
    ])
  })

  test('an argument that may be anything is named when it is left out', async () => {
    const stage = await createStage([taking(z.strictObject({ thing: z.unknown() }))])
    expect(fields(await stage.ask('things_keep', {}))).toMatchObject([
      { pointer: '/thing', allowed: 'any value; it cannot be left out' },
    ])
  })

  test('no arguments at all name what is missing', async () => {
    const stage = await createStage([taking(anything)])
    const answer = await stage.send('things_keep', undefined)
    expect(fields(answer).map((field) => field.pointer)).toContain('/rationale')
  })
})

describe('no word of a call is lost', () => {
  const plain = z.object({
    id: z.string(),
    line: z.object({ sku: z.string(), more: z.object({ note: z.string() }).optional() }),
    lines: z.array(z.object({ sku: z.string() })).default([]),
  })

  test.each([
    ['at the top', { id: '1', line: { sku: 'A' }, extra: true }, '/extra'],
    ['inside an object', { id: '1', line: { sku: 'A', extra: true } }, '/line/extra'],
    ['two levels down', { id: '1', line: { sku: 'A', more: { note: 'n', extra: 1 } } }, '/line/more/extra'],
    ['inside a list', { id: '1', line: { sku: 'A' }, lines: [{ sku: 'A' }, { sku: 'B', 'a/b': 1 }] }, '/lines/1/a~1b'],
  ])('a key that a plain z.object would drop %s is refused', async (_, args, pointer) => {
    const stage = await createStage([taking(plain)])
    expect(fields(await stage.ask('things_keep', args))).toMatchObject([
      { pointer, allowed: expect.stringContaining('no such argument') as string },
    ])
  })

  test('an unknown key of a strict object names the known ones', async () => {
    const stage = await createStage([noteTool([])])
    const [field] = fields(await stage.ask('notes_write', { text: 'x', txet: 'x' }))
    expect(field).toMatchObject({
      pointer: '/txet',
      received: 'x',
      allowed: 'no such argument; this tool takes text and times',
    })
  })

  test('an argument that does not exist is to be left out, a wrong one to be changed', async () => {
    const stage = await createStage([noteTool([])])
    const advice = async (tool: string, args: Readonly<Record<string, unknown>>) =>
      (await stage.ask(tool, args)).guidance?.actionable_guidance
    expect(await advice('notes_write', { text: 'x', txet: 'x' })).toStrictEqual([
      'Leave out /txet; this tool takes text and times.',
    ])
    const plain = await createStage([taking(z.object({ id: z.string(), note: z.string().optional() }))])
    expect((await plain.ask('things_keep', { id: '1', nore: 'x' })).guidance?.actionable_guidance).toStrictEqual([
      'Leave out /nore; this tool takes id and note.',
    ])
    expect(await advice('notes_write', { text: 1 })).toStrictEqual(['Change /text to a value of type string.'])
    expect(await advice('notes_write', {})).toStrictEqual(['Add /text: a value of type string.'])
  })

  test('every wrong argument is named at once, with what was received and what is allowed', async () => {
    const stage = await createStage([
      taking(z.strictObject({ n: z.number().max(9), kind: z.enum(['a', 'b']), id: z.string() })),
    ])
    const answer = await stage.ask('things_keep', { n: 10, kind: 'c', preview: 'no', ticket: 7 })
    expect(fields(answer)).toStrictEqual(
      expect.arrayContaining([
        { pointer: '/n', received: 10, allowed: 'a number of at most 9' },
        { pointer: '/kind', received: 'c', allowed: 'one of "a", "b"' },
        { pointer: '/id', received: undefined, allowed: 'a value of type string' },
        { pointer: '/preview', received: 'no', allowed: 'true or false' },
        { pointer: '/ticket', received: 7, allowed: expect.any(String) as string },
      ]),
    )
    expect(answer.text).toContain('/kind')
    expect(answer.text).toContain('/id: missing, allowed is a value of type string')
  })

  test.each([
    ['', 'nothing'],
    ['too short', 'nine letters'],
    ['         .', 'blanks'],
    ['x'.repeat(501), 'too long'],
  ])('the rationale %j is refused (%s)', async (rationale) => {
    const stage = await createStage([noteTool([])])
    expect(fields(await stage.ask('notes_write', { text: 'x', rationale }))).toMatchObject([{ pointer: '/rationale' }])
  })
})

describe('a parse that does not parse to itself is a mistake of the contract, and is said to be one', () => {
  test.each<[string, z.ZodType<{ thing: unknown }>, unknown]>([
    ['grows at every parse', z.strictObject({ thing: z.string().transform((text) => `${text}!`) }), 'a'],
    ['refuses what it has parsed', z.strictObject({ thing: z.string().transform(Number) }), '7'],
    ['answers no JSON', z.strictObject({ thing: z.string().transform((text) => new Map([[text, 1]])) }), 'a'],
    ['answers not a number', z.strictObject({ thing: z.string().transform(() => Number.NaN) }), 'a'],
  ])('a schema that %s', async (_, input, thing) => {
    // Such a schema has no JSON Schema of what it answers, but one of what it takes, which is all that is advertised.
    const stage = await createStage([taking(input)])
    const answer = await stage.ask('things_keep', { thing })
    expect(answer).toMatchObject({ outcome: 'refused', guidance: { error_type: 'unstable_contract', retryable: 'no' } })
    expect(answer.text).toContain('Nothing was changed')
  })

  test('a schema that trims, or fills in a default, is stable: the second parse changes nothing', async () => {
    const ran: unknown[] = []
    const stage = await createStage([
      taking(z.strictObject({ thing: z.string().trim(), times: z.number().default(3) }), ran),
    ])
    const preview = await stage.ask('things_keep', { thing: '  a  ' })
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
    expect(ran).toStrictEqual([{ thing: 'a', times: 3 }])
  })
})

describe('the confirmed call may be spelled differently, and must mean the same', () => {
  const input = z.strictObject({
    customer: z.string(),
    lines: z.array(z.strictObject({ sku: z.string(), quantity: z.number().default(1) })),
    note: z.string().optional(),
  })
  const original = {
    customer: 'ACME',
    lines: [
      { sku: 'A', quantity: 3 },
      { sku: 'B', quantity: 1 },
    ],
  }

  const start = async (): Promise<{ stage: Stage; ran: unknown[]; ticket: string }> => {
    const ran: unknown[] = []
    const stage = await createStage([taking(input, ran)])
    const preview = await stage.ask('things_keep', original)
    return { stage, ran, ticket: preview.card?.plan?.ticket ?? '' }
  }

  test.each([
    [
      'with its keys in another order',
      {
        lines: [
          { quantity: 3, sku: 'A' },
          { sku: 'B', quantity: 1 },
        ],
        customer: 'ACME',
      },
    ],
    [
      'with 3.0 for 3',
      JSON.parse('{"customer":"ACME","lines":[{"sku":"A","quantity":3.0},{"sku":"B","quantity":1}]}') as object,
    ],
    ['without a value that is the default', { ...original, lines: [{ sku: 'A', quantity: 3 }, { sku: 'B' }] }],
  ])('%s it is the same call', async (_, args) => {
    const { stage, ran, ticket } = await start()
    const answer = await stage.ask('things_keep', { ...args, ticket, preview: false })
    expect(answer.outcome).toBe('applied')
    expect(ran).toStrictEqual([original])
  })

  test.each<[string, Record<string, unknown>, readonly object[]]>([
    [
      'a changed number',
      { ...original, lines: [{ sku: 'A', quantity: 4 }, { sku: 'B' }] },
      [{ pointer: '/lines/0/quantity', confirmed: 3, received: 4 }],
    ],
    ['a number as text', { ...original, customer: '1' }, [{ pointer: '/customer', confirmed: 'ACME', received: '1' }]],
    ['an added argument', { ...original, note: 'now' }, [{ pointer: '/note', confirmed: undefined, received: 'now' }]],
    [
      'a line less',
      { ...original, lines: [{ sku: 'A', quantity: 3 }] },
      [{ pointer: '/lines/1', confirmed: { sku: 'B', quantity: 1 }, received: undefined }],
    ],
    [
      'lines in another order',
      { ...original, lines: original.lines.toReversed() },
      [
        { pointer: '/lines/0/sku' },
        { pointer: '/lines/0/quantity' },
        { pointer: '/lines/1/sku' },
        { pointer: '/lines/1/quantity' },
      ],
    ],
    [
      'two changes at once',
      { customer: 'EVIL', lines: [{ sku: 'A', quantity: 3000 }, { sku: 'B' }] },
      [{ pointer: '/customer' }, { pointer: '/lines/0/quantity' }],
    ],
  ])('%s is a mismatch that names each place, and nothing runs', async (_, args, places) => {
    const { stage, ran, ticket } = await start()
    const answer = await stage.ask('things_keep', { ...args, ticket, preview: false })
    expect(answer).toMatchObject({ outcome: 'mismatch', guidance: { error_type: 'confirmation_mismatch' } })
    expect(
      fields(answer)
        .map(({ pointer }) => pointer)
        .toSorted(),
    ).toStrictEqual(places.map((place) => (place as { pointer: string }).pointer).toSorted())
    for (const place of places) {
      const {
        pointer,
        confirmed: wanted,
        received,
      } = place as { pointer: string; confirmed?: unknown; received?: unknown }
      const fix = answer.guidance?.fix.find((one) => one.kind === 'edit_arguments' && one.pointer === pointer)
      if (wanted !== undefined) expect(fix).toMatchObject({ to: wanted })
      if (received !== undefined)
        expect(fields(answer).find((field) => field.pointer === pointer)).toMatchObject({ received })
    }
    expect(ran).toStrictEqual([])
    // It brings a fresh preview of what was sent, with a ticket of its own; the confirmed one is not used up.
    expect(answer.card?.plan?.ticket).not.toBe(ticket)
    expect(confirmed(answer)).toContain('Apply: call things_keep(')
    expect((await stage.ask('things_keep', { ...original, ticket, preview: false })).outcome).toBe('applied')
    expect(ran).toStrictEqual([original])
  })

  test('another tool with the same arguments is a mismatch', async () => {
    const ran: { key: string; text: string }[] = []
    const stage = await createStage([noteTool(ran), noteTool(ran, { name: 'notes.append', title: 'Append a note' })])
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.ask('notes_append', {
      text: 'x',
      ticket: preview.card?.plan?.ticket ?? '',
      preview: false,
    })
    expect(answer.outcome).toBe('mismatch')
    expect(answer.text).toContain('notes_write')
    expect(ran).toStrictEqual([])
  })
})
