// Resources and prompts that a program offers beside its tools, as clients find them at each door.
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { describe, expect, test, vi } from 'vitest'
import { createCountersign, type Countersign, type CountersignOptions } from '../../../server/index.ts'
import { within } from '../../../server/model/surroundings.ts'
import { connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { environment } from '../processes.ts'
import { Written } from '../program.ts'

const notes = new Map([
  ['plan', 'Launch on 28 November'],
  ['ä b', 'With a blank'],
])

const offer = {
  resources: [
    {
      uri: 'notes://all',
      name: 'all-notes',
      title: 'All notes',
      mimeType: 'text/plain',
      read: () => [...notes.keys()].join('\n'),
    },
    { uri: 'notes://logo', name: 'logo', mimeType: 'image/png', read: () => new Uint8Array([137, 80, 78, 71]) },
    { uri: 'notes://me', name: 'me', read: (_, { principal }) => principal.subject },
    { uri: 'notes://secret', name: 'secret', permissions: ['notes:secrets'], read: () => 'the secret' },
    {
      uri: 'notes://broken',
      name: 'broken',
      read: () => {
        throw new Error('postgres://user:password@db')
      },
    },
    {
      uriTemplate: 'notes://by-name/{name}',
      name: 'note',
      description: 'One note.',
      read: ({ variables }) => notes.get(String(variables['name'])),
      complete: { name: (begun) => [...notes.keys()].filter((name) => name.startsWith(begun)) },
    },
  ],
  prompts: [
    {
      name: 'summarise',
      title: 'Summarise a note',
      arguments: [
        { name: 'note', description: 'Which one', required: true, complete: () => [...notes.keys()] },
        { name: 'tone' },
      ],
      get: ({ note, tone = 'plain' }) => `Summarise ${note} in a ${tone} tone.`,
    },
    {
      name: 'start',
      get: (_, { principal }) => ({
        messages: [{ role: 'assistant', content: { type: 'text', text: `Hello ${principal.subject}.` } }],
      }),
    },
  ],
} satisfies Pick<CountersignOptions, 'resources' | 'prompts'>

const countersign = (options: Partial<CountersignOptions> = {}): Countersign => {
  const made = createCountersign({
    store: join(place(), 'notes.db'),
    principal: { tenant: 'default', subject: 'ada' },
    principalOf: () => ({ tenant: 'default', subject: 'ada' }),
    missingPermissions: (_, asked) => asked,
    ...offer,
    ...options,
  })
  atEnd(() => made.close())
  return made
}

const doors: Readonly<Record<string, (countersign: Countersign) => Promise<Agent>>> = {
  stdio: async (server) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = within({ stdin, stdout, stderr: new Written(), env: environment() }, () => server.stdio())
    atEnd(async () => {
      stdin.end()
      await serving
    })
    return connect(new StdioServerTransport(stdout, stdin))
  },
  http: async (server) => {
    const web = await server.http({ port: 0 })
    atEnd(() => web.close())
    return connect(new StreamableHTTPClientTransport(new URL(web.mcpUrl)))
  },
  fetch: ({ fetch }) =>
    connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: (address, init) => fetch(new Request(address, init)),
      }),
    ),
  attach: async (server) => {
    const mine = new McpServer({ name: 'mine', version: '1.0.0' })
    await server.attach(mine)
    const [near, far] = InMemoryTransport.createLinkedPair()
    await mine.connect(far)
    return connect(near)
  },
}

describe.each(Object.entries(doors))('over %s', (door, open) => {
  test('resources are listed and read: a text, bytes, one of a template, one of the caller’s own', async () => {
    const { client } = await open(countersign())
    const { resources } = await client.listResources()
    expect(resources).toContainEqual({
      uri: 'notes://all',
      name: 'all-notes',
      title: 'All notes',
      mimeType: 'text/plain',
    })
    const read = async (uri: string) => (await client.readResource({ uri })).contents
    expect(await read('notes://all')).toStrictEqual([{ uri: 'notes://all', mimeType: 'text/plain', text: 'plan\nä b' }])
    expect(await read('notes://logo')).toStrictEqual([{ uri: 'notes://logo', mimeType: 'image/png', blob: 'iVBORw==' }])
    expect(await read('notes://me')).toMatchObject([{ text: 'ada' }])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toContainEqual({
      uriTemplate: 'notes://by-name/{name}',
      name: 'note',
      description: 'One note.',
    })
    expect(await read('notes://by-name/plan')).toMatchObject([{ text: 'Launch on 28 November' }])
    expect(await read('notes://by-name/%C3%A4%20b')).toMatchObject([{ text: 'With a blank' }])
  })

  test('prompts are listed with their arguments and answered with messages', async () => {
    const { client } = await open(countersign())
    expect(client.getServerCapabilities()?.prompts).toBeDefined()
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([
      {
        name: 'summarise',
        title: 'Summarise a note',
        arguments: [{ name: 'note', description: 'Which one', required: true }, { name: 'tone' }],
      },
      { name: 'start' },
    ])
    const asked = await client.getPrompt({ name: 'summarise', arguments: { note: 'plan' } })
    expect(asked.messages).toStrictEqual([
      { role: 'user', content: { type: 'text', text: 'Summarise plan in a plain tone.' } },
    ])
    expect((await client.getPrompt({ name: 'start' })).messages).toMatchObject([{ content: { text: 'Hello ada.' } }])
    await expect(client.getPrompt({ name: 'summarise' })).rejects.toThrow(/note/)
  })

  test('what does not exist, what may not be read and what broke say no more than they should', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { client } = await open(countersign())
    const refusal = (uri: string) =>
      client.readResource({ uri }).then(
        () => 'read',
        (error: unknown) => String(error),
      )
    expect(await refusal('notes://by-name/none')).toContain('There is no resource')
    expect(await refusal('notes://secret')).toContain('There is no resource')
    const broken = await refusal('notes://broken')
    expect(broken).toMatch(/incident in_\w+/)
    expect(broken).not.toContain('postgres')
    if (door !== 'attach')
      expect((await client.listResources()).resources.map(({ name }) => name)).not.toContain('secret')
    said.mockRestore()
  })
})

test('a template that needs a permission keeps it, however its addresses are written', async () => {
  const read = ({ variables }: { readonly variables: unknown }): string => JSON.stringify(variables)
  const open = (missing: readonly string[]) =>
    (doors['fetch'] ?? expect.unreachable())(
      countersign({
        missingPermissions: () => missing,
        resources: [
          { uriTemplate: 'n://secret/{id}', name: 'secret', permissions: ['secrets'], read },
          { uriTemplate: 'n://a:b/{id}', name: 'reserved', permissions: ['secrets'], read },
          { uriTemplate: 'n://für/{id}', name: 'umlaut', permissions: ['secrets'], read },
          { uriTemplate: 'n://{kind}/{id}', name: 'wide', read },
          { uriTemplate: 'n://{kind}/{+rest}', name: 'wider', read },
        ],
      }),
    )
  const same = ['n://secret/1', 'n://%73ecret/1', 'n://s%65cre%74/%31', 'n://für/1', 'n://f%C3%BCr/1', 'n://f%c3%bcr/1']
  const hidden = ['n://a%3Ab/1', 'n://a%3ab/1', 'n://secret/a%2Fb', 'n://%73ecret/a%2fb']
  const { client: without } = await open(['secrets'])
  for (const uri of [...same, ...hidden])
    await expect(without.readResource({ uri }), uri).rejects.toThrow(/There is no resource/)
  const { client: may } = await open([])
  for (const uri of same)
    expect((await may.readResource({ uri })).contents, uri).toMatchObject([{ text: '{"id":"1"}' }])
  for (const { client } of [await open(['secrets']), await open([])])
    expect((await client.readResource({ uri: 'n://o%74her/a%3Ab' })).contents).toMatchObject([
      { text: '{"kind":"other","id":"a:b"}' },
    ])
})

test('a query of an address may hold what separates a path', async () => {
  const read = ({ variables }: { readonly variables: unknown }): string => JSON.stringify(variables)
  const { client } = await (doors['fetch'] ?? expect.unreachable())(
    countersign({ resources: [{ uriTemplate: 'n://search{?q,of}', name: 'search', read }] }),
  )
  for (const uri of ['n://search?q=TCP%2FIP&of=a/b', 'n://search?q=TCP/IP&of=a%2Fb'])
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: '{"q":"TCP/IP","of":"a/b"}' }])
})

test.each(['toString', 'constructor', '__proto__'])(
  'a variable %s that no template has is not completed',
  async (name) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { client } = await (doors['fetch'] ?? expect.unreachable())(countersign())
    const ref = { type: 'ref/resource' as const, uri: 'notes://by-name/{name}' }
    const { completion } = await client.complete({ ref, argument: { name, value: 'p' } })
    expect(completion.values).toStrictEqual([])
    expect(said.mock.calls.join('')).not.toContain('completion of')
    said.mockRestore()
  },
)

test('values of templates and prompts are completed', async () => {
  const { client } = await (doors['fetch'] ?? expect.unreachable())(countersign())
  const ofTemplate = await client.complete({
    ref: { type: 'ref/resource', uri: 'notes://by-name/{name}' },
    argument: { name: 'name', value: 'p' },
  })
  expect(ofTemplate.completion.values).toStrictEqual(['plan'])
  const ofPrompt = await client.complete({
    ref: { type: 'ref/prompt', name: 'summarise' },
    argument: { name: 'note', value: '' },
  })
  expect(ofPrompt.completion.values).toStrictEqual(['plan', 'ä b'])
})

test('an address that is written otherwise leads to nothing else', async () => {
  const asked: unknown[] = []
  const read = (_: unknown, at: { readonly variables: unknown }): string => (asked.push(at.variables), 'read')
  const { client } = await (doors['fetch'] ?? expect.unreachable())(
    countersign({
      resources: [
        { uri: 'n://all', name: 'all', permissions: ['all'], read: () => 'all' },
        { uriTemplate: 'n://{name}', name: 'one', read: (at, ctx) => read(ctx, at) },
        { uriTemplate: 'files://{+path}', name: 'file', read: (at, ctx) => read(ctx, at) },
      ],
    }),
  )
  const refused = ['n://..%2f..%2fetc', 'n://..%5C..', 'n://a%00', 'n://%61ll', 'n://all']
  for (const uri of refused) await expect(client.readResource({ uri })).rejects.toThrow(/There is no resource/)
  await client.readResource({ uri: 'n://a%20b' })
  await client.readResource({ uri: 'files://a/b%2fc' })
  expect(asked).toStrictEqual([{ name: 'a b' }, { path: 'a/b/c' }])
})

describe('a program that offers something wrong', () => {
  const wrong = (options: unknown) => () => createCountersign(options as CountersignOptions)

  const mistakes: readonly (readonly [options: unknown, message: RegExp])[] = [
    [
      { resources: [{ uri: 'plan', name: 'plan', read: () => '' }] },
      /resources\[0\]\.uri: must be a URI with a scheme/,
    ],
    [{ resources: [{ uri: 'countersign://x', name: 'x', read: () => '' }] }, /must not be an address of this library/],
    [{ resources: [{ uri: 'notes://x', name: 'x' }] }, /resources\[0\]\.read: must be a function/],
    [
      { resources: [{ uri: 'notes://x', name: 'x', read: () => '', mime: 'a/b' }] },
      /resources\[0\]\.mime is not known/,
    ],
    [{ resources: [{ uriTemplate: 'notes://x', name: 'x', read: () => '' }] }, /must be a template of RFC 6570/],
    [{ prompts: [{ name: 'x', get: () => '', arguments: [{ title: 'x' }] }] }, /prompts\[0\]\.arguments\.0\.name/],
    [
      {
        prompts: [
          { name: 'x', get: () => '' },
          { name: 'x', get: () => '' },
        ],
      },
      /Two prompts are called x/,
    ],
    [{ middleware: [{}] }, /middleware\[0\] is not a function/],
  ]

  test.each(mistakes)('is told where and what, before anything is opened: %#', (options, message) => {
    expect(wrong(options)).toThrow(message)
  })
})
