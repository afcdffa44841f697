// Arguments of a planned write that its contract marks as secrets set members of the record: neither the old nor the new one
// comes to the card, to the agent or into the record.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineWrite } from '../../../../server/tools/planned/define-write.ts'
import type { ToolSchema } from '../../../../server/tools/schemas/tool-schema.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'

/** A tool that sets what a user is known by, and the users. */
function users() {
  const kept = new Map([['U-1', { id: 'U-1', name: 'Ada', word: 'mondschein' }]])
  const set = defineWrite({
    name: 'users.set_word',
    description: 'Sets a word.',
    risk: 'medium',
    secrets: { arguments: ['/word'] },
    input: z.strictObject({ id: z.string(), word: z.string(), name: z.string().optional() }),
    failures: { not_found: 'Take another.' },
    plan: ({ id, word, name }, ctx) => {
      const before = kept.get(id)
      return before === undefined
        ? ctx.fail('not_found', `There is no user ${id}.`)
        : { before, after: { ...before, word, name: name ?? before.name } }
    },
    apply: ({ after }) => {
      kept.set(after.id, after)
      return { ...after, version: 2 }
    },
  })
  return { kept, set }
}

test('a person sees that they change, and nobody reads what they were or are', async () => {
  const { kept, set } = users()
  const stage = await createStage([set])
  Object.assign(stage.engine, { activityLog: stage.store.activityLog })
  const preview = await stage.ask('users_set_word', { id: 'U-1', word: 'sonnenaufgang', name: 'Eve' })
  expect(preview.preview).toMatchObject({
    summary: 'Changes Name and Word of the word U-1.',
    changes: [
      { pointer: '/name', before: { text: 'Ada' }, after: { text: 'Eve' } },
      { pointer: '/word', before: { text: 'hidden' }, after: { text: 'hidden (changed)' } },
    ],
  })
  const applied = await stage.repeat(confirmed(preview))
  expect(applied).toMatchObject({ outcome: 'applied', card: { title: 'Set word U-1: done' } })
  expect(applied.result).toStrictEqual({
    before: { id: 'U-1', name: 'Ada' },
    after: { id: 'U-1', name: 'Eve', version: 2 },
  })
  expect(JSON.stringify(applied.card?.blocks)).toMatch(/"Eve".*"Word","value":\{"kind":"text","text":"hidden"\}/)
  expect(kept.get('U-1')).toMatchObject({ word: 'sonnenaufgang' })
  const again = await stage.ask('users_set_word', { id: 'U-1', word: 'sonnenaufgang', name: 'Ada' })
  expect(again.preview?.unchanged).toContainEqual({ label: 'Word', value: { kind: 'text', text: 'hidden' } })
  const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
  const rows = await Promise.all(calls.map(({ id }) => stage.store.activity.find(id)))
  expect(rows).toHaveLength(3)
  expect(
    JSON.stringify([preview, applied, again, rows], (key, value: unknown) => (key === 'contract' ? '' : value)),
  ).not.toMatch(/mondschein|sonnenaufgang/)
})

test('an apply that throws what they were leaves it neither in the log of the server nor in the record', async () => {
  const reported: unknown[] = []
  const stage = await createStage([
    defineWrite({
      name: 'users.set_word',
      description: 'Sets a word.',
      risk: 'medium',
      secrets: { arguments: ['/word'] },
      input: z.strictObject({ id: z.string(), word: z.string() }),
      plan: ({ id: of, word: given }) => ({
        before: { id: of, word: 'mondschein', pins: [1] },
        after: { id: of, word: given, pins: [1] },
      }),
      apply: ({ before }) => {
        throw new Error(`db refused ${before.word}`)
      },
    }),
  ])
  const { report } = stage.engine
  Object.assign(stage.engine, {
    activityLog: stage.store.activityLog,
    report: (error: unknown, where: string) => (reported.push(error), report(error, where)),
  })
  const preview = await stage.ask('users_set_word', { id: 'U-1', word: 'sonnenaufgang' })
  await stage.repeat(confirmed(preview))
  const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
  const rows = await Promise.all(calls.map(({ id: row }) => stage.store.activity.find(row)))
  const kept = [...reported.map((error) => (error as Error).stack), JSON.stringify(rows)].join('\n')
  expect(kept).toContain('db refused [redacted]')
  expect(kept).not.toMatch(/mondschein|sonnenaufgang/)
})

test('the contract says of its answer where they would stand', () => {
  expect(users().set.secrets).toStrictEqual({ arguments: ['/word'], result: ['/before/word', '/after/word'] })
})

const declare =
  (record: ToolSchema, ...marked: readonly string[]) =>
  () =>
    defineWrite({
      name: 'users.set_word',
      description: 'Sets a word.',
      risk: 'medium',
      secrets: { arguments: marked },
      input: z.strictObject({}),
      record,
      plan: () => ({ effects: ['x'] }),
      apply: () => undefined,
    })

const word = z.strictObject({ word: z.string() })
const id = z.strictObject({ id: z.string() })
const inList = z.strictObject({ words: z.array(z.strictObject({ text: z.string() })) })
interface Nested {
  readonly word?: string | undefined
  readonly inner?: Nested | undefined
}
const nested: z.ZodType<Nested> = z.lazy(() =>
  z.strictObject({ word: z.string().optional(), inner: nested.optional() }),
)

test.each<readonly [of: string, ToolSchema, pointer: string]>([
  ['an object', z.strictObject({ login: word }), '/login/word'],
  ['entries of a list', inList, '/words/*/text'],
  ['all that is in an object', z.strictObject({ login: word }), '/login/*'],
  ['all entries of a list', z.strictObject({ words: z.array(z.string()).min(1) }), '/words/*'],
  ['an entry of a tuple', z.strictObject({ words: z.tuple([word]) }), '/words/*/word'],
  ['an object that may be null', word.nullable(), '/word'],
  ['one of several', z.union([id, word]), '/word'],
  [
    'one that is told by a member',
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('user'), word: z.string() }),
      z.strictObject({ kind: z.literal('robot') }),
    ]),
    '/word',
  ],
  [
    'two that hold together',
    z.intersection(z.looseObject({ id: z.string() }), z.looseObject({ word: z.string() })),
    '/word',
  ],
  ['what another one is made into', z.preprocess((given) => given, word), '/word'],
  [
    'one that is referred to',
    { type: 'object', properties: { login: { $ref: '#/$defs/login' } }, $defs: { login: { required: ['word'] } } },
    '/login/word',
  ],
])('a schema of the record that demands one of them is refused by its place: %s', (_, record, pointer) => {
  expect(declare(record, pointer)).toThrow(`record demands "${pointer}", which secrets.arguments keeps`)
})

test.each<readonly [of: string, ToolSchema]>([
  ['a transform', word.transform((given) => given)],
  ['a transform of what may be absent', z.union([id, word.transform((given) => given)])],
  ['a check of its own', z.custom<object>((given) => typeof given === 'object')],
])('one that does not say what it demands is refused with the way out: %s', (_, record) => {
  expect(declare(record, '/word')).toThrow(/cannot be told whether it demands "\/word".*Name an `output`/)
})

test.each<readonly [of: string, ToolSchema]>([
  ['may lack it', word.partial()],
  ['does not know it', id],
  ['takes whatever there is', z.looseObject({ id: z.string() })],
  ['may be null, and may lack it', word.partial().nullable()],
  ['transforms something else', z.strictObject({ id: z.string().transform(Number) })],
  ['is nested in itself', nested],
])('one that %s is taken', (_, record) => {
  expect(declare(record, '/word', '/inner/inner/word')).not.toThrow()
})
