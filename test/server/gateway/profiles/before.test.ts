// What the server itself says before a person is asked: a real filesystem server behind the engine.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { profileFor } from '../../../../server/compose/profiles/profiles.ts'
import type { KnownServer } from '../../../../server/gateway/profiles/tool-profile.ts'
import { createBefore, readAnswer } from '../../../../server/gateway/profiles/before.ts'
import type { Upstream } from '../../../../server/gateway/upstream/upstream.ts'
import type { ToolContext } from '../../../../server/tools/contract.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'
import { contractsOf, newFolder, officialServer, startOne } from '../servers.ts'

async function files(change: (known: KnownServer) => KnownServer = (known) => known) {
  const folder = newFolder()
  const upstream = await startOne(officialServer('filesystem', [folder]))
  const known = await profileFor(upstream.config, folder)
  if (!known.ok) throw new Error(known.failure.message)
  const pins = { get: async () => [], put: async () => undefined, accept: async () => false }
  const pinned = await pinTools(upstream.name, upstream.tools().tools, pins)
  const stage = await createStage(
    contractsOf(upstream, pinned, { wireName: (tool) => tool, known: known.value && change(known.value) }),
  )
  return { stage, upstream, path: (name: string) => join(folder, name) }
}

test('a file that is overwritten is read first: the card shows the lines that change, and the confirmed call writes them', async () => {
  const { stage, path } = await files()
  const file = path('a.txt')
  writeFileSync(file, 'one\ntwo\nthree\n')
  const preview = await stage.ask('write_file', { path: file, content: 'one\n2\nthree\n' })
  expect(preview.card).toMatchObject({
    title: 'Write a.txt',
    blocks: expect.arrayContaining([
      {
        kind: 'code',
        label: 'What changes in the file',
        language: 'diff',
        text: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
      },
    ]),
  })
  expect(preview.card?.actions.map(({ label }) => label)).toContain('Write file')
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n')
  const applied = await stage.repeat(confirmed(preview))
  expect(applied).toMatchObject({ outcome: 'applied', card: { title: 'a.txt is written' } })
  expect(readFileSync(file, 'utf8')).toBe('one\n2\nthree\n')
})

test('a file that somebody else wrote since the preview makes the confirmed call stale', async () => {
  const { stage, path } = await files()
  const file = path('a.txt')
  writeFileSync(file, 'one\n')
  const preview = await stage.ask('write_file', { path: file, content: 'two\n' })
  writeFileSync(file, 'somebody else\n')
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('stale')
  expect(readFileSync(file, 'utf8')).toBe('somebody else\n')
})

test('a file that is not there yet is said to be created', async () => {
  const { stage, path } = await files()
  const preview = await stage.ask('write_file', { path: path('new.txt'), content: 'hello' })
  expect(preview.card?.blocks).toContainEqual({
    kind: 'alert',
    severity: 'info',
    title: 'There is no such file yet: it is created.',
  })
})

test('what cannot be read is said to be unchecked, with the words of the server, and can be confirmed all the same', async () => {
  const { stage, path } = await files()
  const preview = await stage.ask('write_file', { path: '/etc/elsewhere', content: 'x' })
  expect(preview.outcome).toBe('previewed')
  expect(preview.card?.blocks).toContainEqual(
    expect.objectContaining({ kind: 'alert', severity: 'warning', title: 'Not checked: What changes in the file' }),
  )
  expect(path('x')).not.toBe('/etc/elsewhere')
})

test.each([
  [true, 0],
  [false, 1],
])(
  'a read that the server does not have is left out where the profile calls it optional: %s',
  async (optional, said) => {
    const { stage, path } = await files((known) => {
      const { write_file: write, ...tools } = known.profile.tools
      if (write === undefined) throw new Error('The profile has lost write_file.')
      const step = {
        call: 'list_contexts',
        with: {},
        label: 'Where',
        show: { as: 'text', of: '' },
        basis: true,
        optional,
      } as const
      return { ...known, profile: { ...known.profile, tools: { ...tools, write_file: { ...write, before: [step] } } } }
    })
    const preview = await stage.ask('write_file', { path: path('a.txt'), content: 'x' })
    const alerts = preview.card?.blocks.filter(
      (block) => block.kind === 'alert' && block.title === 'Not checked: Where',
    )
    expect(alerts).toHaveLength(said)
  },
)

test('its reads run without asking, whatever the server marks', async () => {
  const { stage, path } = await files()
  writeFileSync(path('a.txt'), 'one\n')
  expect((await stage.ask('read_text_file', { path: path('a.txt') })).outcome).toBe('ok')
})

test('a file that comes as an embedded resource is the answer, and the sentence beside it is not', () => {
  const content = [
    { type: 'text', text: 'successfully downloaded text file' },
    { type: 'resource', resource: { uri: 'repo://owner/name/a.txt', mimeType: 'text/plain', text: 'one\n' } },
  ]
  expect(readAnswer({ content })).toEqual({ text: 'one\n', value: 'one\n' })
})

test('a text that FastMCP answers twice is read as what it holds', () => {
  const text = '{"currency":"EUR"}'
  const content = [{ type: 'text', text }]
  expect(readAnswer({ content, structuredContent: { result: text } })).toEqual({ text, value: { currency: 'EUR' } })
})

test.each([['Path'], ['file_path'], ['filePath'], ['filename']])(
  'where a call has %s beside the path, nobody knows which file is written, so none is shown as the one that changes',
  async (name) => {
    const { stage, path } = await files()
    writeFileSync(path('a.txt'), 'one\n')
    const preview = await stage.ask('write_file', { path: path('a.txt'), [name]: path('b.txt'), content: 'two\n' })
    expect(preview.card?.blocks).toContainEqual(
      expect.objectContaining({
        title: 'Not checked: What changes in the file',
        text: `The call has “${name}” beside “path”, and only its server knows which of them counts.`,
      }),
    )
    expect(JSON.stringify(preview.card)).not.toContain('-one')
  },
)

test.each([
  [
    'condition on a read',
    { with: {}, if: { mode: { matches: 'fast' } }, show: { as: 'text' } },
    { mode: 'a', Mode: 'fast' },
  ],
  [
    'field that is compared',
    { with: {}, show: { as: 'changes', fields: { title: '/title' } } },
    { title: 'a', Title: 'b' },
  ],
])('where the %s has two names in the call, nothing is read, and that is said', async (_, step, input) => {
  const read: unknown[] = []
  const upstream = { name: 'shop', callTool: async (...call: unknown[]) => read.push(call) } as unknown as Upstream
  const steps = [{ call: 'get', label: 'It', ...step }] as unknown as Parameters<typeof createBefore>[1]
  const context = { signal: new AbortController().signal } as unknown as ToolContext
  const found = await createBefore(upstream, steps, async () => undefined, {})(input, context)
  expect(found).toMatchObject([{ kind: 'unchecked', why: expect.stringContaining('only its server knows') }])
  expect(read).toEqual([])
})
