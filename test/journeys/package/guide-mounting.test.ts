// The programs of the guide and of the recipes, taken from their pages, written into files as they name them, and started by Node: each serves a real
// client, and its functions are called as the platforms that they are for call them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { freePort } from '../../free-port.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { confirm, connect, overStdio, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { start } from '../processes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const pages = [
  'guides/mounting',
  ...['hono', 'express', 'fastify', 'nextjs', 'serverless', 'attach'].map((name) => `recipes/${name}`),
]
const files = new Map(
  pages.flatMap((page) =>
    [
      ...readFileSync(join(root, 'docs', `${page}.md`), 'utf8').matchAll(
        /<!-- file: (\S+) -->\s*```ts\n([\s\S]*?)```/g,
      ),
    ].map(([, name = '', text = '']) => [name, text] as const),
  ),
)
// Inside the package, so that `countersign` means this one, as npm built it.
const folder = join(root, 'dist', 'mounting')

/** Serves a module as a platform does: a default export with `fetch`, or a function for each method. */
const platform = `
import { createServer } from 'node:http'
import { toNodeHandler } from 'countersign'
const module = await import(process.argv[2])
const call = (request) => (module.default?.fetch ?? module[request.method])(request, { params: Promise.resolve({}) })
const answer = toNodeHandler(call)
createServer((request, response) => void answer(request, response)).listen(Number(process.env.PORT), '127.0.0.1')
`

beforeAll(() => {
  for (const [name, text] of [...files, ['platform.mjs', platform] as const]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})

/** Starts a program of the guide and waits until it listens. Answers where. */
async function listening(args: readonly string[], store: string): Promise<URL> {
  const port = await freePort()
  const env = { PORT: String(port), DATABASE_URL: store, COUNTERSIGN_SECRET: testSecret }
  const running = start(['--no-warnings', ...args], { env })
  atEnd(() => {
    running.child.kill('SIGKILL')
  })
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const ended = running.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))
  await Promise.race([eventually(() => fetch(url)), ended])
  return url
}

const agentAt = (url: URL, key = 'ada-key'): Promise<Agent> =>
  connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }))

const note = { name: 'plan', text: 'Launch on 5 December' }

describe.each([
  ['hono.ts', [join(folder, 'hono.ts')]],
  ['express.ts', [join(folder, 'express.ts')]],
  ['fastify.ts', [join(folder, 'fastify.ts')]],
  ['app/mcp/route.ts', [join(folder, 'platform.mjs'), join(folder, 'app/mcp/route.ts')]],
])('%s', (_, args) => {
  test('previews and applies for who is known, and lets nobody else in', async () => {
    const url = await listening(args, join(place(), 'notes.db'))
    const ada = await agentAt(url)
    const applied = await confirm(ada, await ada.call('notes_write', note))
    expect(applied.data).toMatchObject({ status: 'applied', result: { name: 'plan', by: 'ada' } })
    await expect(agentAt(url, 'no-key')).rejects.toThrow(/does not know who is asking/)
  })
})

test('function.ts previews in one instance and applies in another, on one PostgreSQL', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const args = [join(folder, 'platform.mjs'), join(folder, 'function.ts')]
  const first = await agentAt(await listening(args, database.url))
  const second = await agentAt(await listening(args, database.url))
  const preview = await first.call('notes_write', note)
  expect((await confirm(second, preview)).status).toBe('applied')
  expect((await confirm(first, preview)).status).toBe('replayed')
})

test('more.ts offers resources and a prompt over stdio', async () => {
  const { client } = await overStdio(['--no-warnings', join(folder, 'more.ts')], {
    env: { COUNTERSIGN_DB: ':memory:' },
  })
  const read = await client.readResource({ uri: 'notes://by-name/plan' })
  expect(read.contents).toMatchObject([{ text: 'Launch on 28 November' }])
  const asked = await client.getPrompt({ name: 'summarise', arguments: { note: 'plan' } })
  expect(asked.messages).toMatchObject([{ content: { text: 'Summarise this note: Launch on 28 November' } }])
})

test('attached.ts adds a tool that asks to a server that has one already', async () => {
  const agent = await overStdio(['--no-warnings', join(folder, 'attached.ts')], { env: { COUNTERSIGN_DB: ':memory:' } })
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['notes_count', 'notes_write']))
  const applied = await confirm(agent, await agent.call('notes_write', { name: 'shop', text: 'Bread' }))
  expect(applied.status).toBe('applied')
  expect(await agent.client.callTool({ name: 'notes_count' })).toMatchObject({ content: [{ text: '2' }] })
})
