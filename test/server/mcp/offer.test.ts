// What a program offers is checked without MCP's SDK, which takes long to load; the SDK's schemas say what may be listed.
import { PromptSchema, ResourceSchema, ResourceTemplateSchema } from '@modelcontextprotocol/sdk/types.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listed, readOffer, type OfferedPrompt, type OfferedResource } from '../../../server/mcp/offer.ts'
import { runsOf } from '../../full.ts'

const texts = fc.constantFrom<unknown[]>('x', 'text/plain', '', 1, null, ['x'])
const icons = fc.array(
  fc.record(
    {
      src: texts,
      mimeType: texts,
      sizes: fc.constantFrom(['48x48'], 'any', [1]),
      theme: fc.constantFrom('light', 'dark', 'grey'),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 2 },
)
const annotations = fc.record(
  {
    audience: fc.constantFrom(['user'], ['assistant', 'user'], [], 'user', ['nobody']),
    priority: fc.constantFrom(0, 0.5, 1, 2, -1, '1'),
    lastModified: fc.constantFrom('2025-01-12T15:00:58Z', '2025-01-12T15:00:58+02:00', 'yesterday', 1),
  },
  { requiredKeys: [] },
)
/** Mostly sound: what has a mistake in each member says nothing of any of them. */
const mostly = (sound: unknown, others: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: others })
const common = {
  title: mostly('A title', texts),
  description: mostly('What it is', texts),
  icons: mostly([{ src: 'data:image/png;base64,' }], icons),
  _meta: mostly({ 'example.org/x': 1 }, texts),
}
const content = {
  ...common,
  mimeType: mostly('text/plain', texts),
  annotations: mostly({ priority: 1 }, annotations),
}

test.each([
  [
    'resources',
    ResourceSchema,
    { uri: 'notes://plan', name: 'plan', read: () => '' },
    { ...content, size: mostly(1, texts) },
  ],
  ['resources', ResourceTemplateSchema, { uriTemplate: 'notes://{name}', name: 'notes', read: () => '' }, content],
  ['prompts', PromptSchema, { name: 'plan', get: () => '' }, common],
] as const)('of %s is taken what may be listed, and nothing else: %#', (kind, schema, needed, fields) => {
  let taken = 0
  fc.assert(
    fc.property(fc.record<Record<string, unknown>>(fields, { requiredKeys: [] }), (said) => {
      const given = { ...needed, ...said } as unknown as OfferedResource & OfferedPrompt
      const { ok } = kind === 'prompts' ? readOffer([], [given]) : readOffer([given], [])
      expect(ok).toBe(schema.safeParse(listed(given)).success)
      if (ok) taken++
    }),
    { numRuns: runsOf(300) },
  )
  expect(taken).toBeGreaterThan(0)
})

test.each([
  [ResourceSchema, { uri: 'notes://plan' }, ['read', 'permissions']],
  [ResourceTemplateSchema, { uriTemplate: 'notes://{name}' }, ['read', 'permissions', 'complete']],
] as const)('a field that nobody knows is named with all that there are: %#', (schema, address, ours) => {
  const read = readOffer([
    { ...address, name: 'plan', read: () => '', mime: 'text/plain' } as unknown as OfferedResource,
  ])
  if (read.ok) throw new Error('It was taken')
  const [, said = ''] = /resources\[0\]\.mime is not known; there are (.*)\.$/.exec(read.failure.message) ?? []
  expect(said.split(', ').toSorted()).toStrictEqual([...Object.keys(schema.shape), ...ours].toSorted())
})

test('what a class only answers when it is asked would not be listed, so it is refused', () => {
  class Note {
    get uri(): string {
      return 'notes://plan'
    }
    get name(): string {
      return 'plan'
    }
    read(): string {
      return ''
    }
  }
  expect(readOffer([new Note()])).toMatchObject({ ok: false })
  expect(readOffer([Object.create({ uri: 'notes://plan', name: 'plan', read: () => '' }) as OfferedResource]).ok).toBe(
    false,
  )
})

test('the functions of a class are taken', () => {
  class Note {
    readonly uri = 'notes://plan'
    readonly name = 'plan'
    read(): string {
      return ''
    }
  }
  expect(readOffer([new Note()])).toMatchObject({ ok: true })
})

test('what is no object is refused as that', () => {
  for (const given of [undefined, null, 'notes://plan'])
    expect(readOffer([given as unknown as OfferedResource])).toMatchObject({
      ok: false,
      failure: { message: expect.stringMatching(/^resources\[0\]: /) as unknown },
    })
})

test('a template of a class is read with its own functions, for whoever has its permissions', async () => {
  class Notes {
    readonly uriTemplate = 'notes://{name}'
    readonly name = 'notes'
    readonly #text = 'kept'
    get permissions(): readonly string[] {
      return ['notes']
    }
    read(): string {
      return this.#text
    }
    get(): string {
      return 'is not asked for'
    }
  }
  const offer = readOffer([new Notes()])
  const [template] = offer.ok ? offer.value.templates : []
  expect(template?.permissions).toEqual(['notes'])
  expect(await template?.read({ uri: 'notes://a', variables: {} }, {} as never)).toBe('kept')
})
