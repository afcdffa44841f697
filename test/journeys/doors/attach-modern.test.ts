// Confirmed tools at an `McpServer` of the SDK's second generation, for clients of both generations.
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type ClientOptions,
} from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, type Countersign, type CountersignOptions } from '../../../server/index.ts'
import { appsCapability } from '../../../server/testing/session.ts'
import { readTool } from '../../kit/tools.ts'
import { applyCall, rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { markTools } from '../fixtures/marks.ts'

const whoTool = readTool({
  name: 'marks.who',
  input: z.strictObject({}),
  output: z.strictObject({ subject: z.string(), header: z.nullable(z.string()) }),
  run: (_input, ctx) => ({
    subject: ctx.principal.subject,
    header: ctx.request?.headers.get('x-team') ?? null,
  }),
})

const made = (options: Partial<CountersignOptions> = {}): Countersign => {
  const directory = place()
  const countersign = createCountersign({
    name: 'Attached',
    store: join(directory, 'marks.db'),
    tools: [...markTools({ marks: join(directory, 'marks'), hold: join(directory, 'hold') }), whoTool],
    resources: [{ uri: 'notes://all', name: 'all-notes', read: () => 'One note.' }],
    prompts: [{ name: 'start', description: 'Begins.', get: () => 'Begin.' }],
    ...options,
  })
  atEnd(() => countersign.close())
  return countersign
}

async function mine(countersign: Countersign): Promise<McpServer> {
  const server = new McpServer({ name: 'mine', version: '1.0.0' }, { instructions: countersign.instructions })
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  await countersign.attach(server)
  return server
}

async function clientOf(
  transport: Parameters<Client['connect']>[0],
  mode: 'auto' | 'legacy',
  capabilities: ClientOptions['capabilities'] = appsCapability,
): Promise<Client> {
  const client = new Client(
    { name: 'attached-journey', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  )
  await client.connect(transport)
  atEnd(() => client.close())
  return client
}

const call = async (client: Client, name: string, args: Arguments = {}): Promise<Reply> =>
  toReply((await client.callTool({ name, arguments: { rationale, ...args } })) as unknown as CallToolResult)

describe.each([
  ['2026-07-28', 'auto'],
  ['2025-11-25', 'legacy'],
] as const)('one client that speaks %s', (version, mode) => {
  let client: Client

  beforeEach(async () => {
    const countersign = made()
    const [near, far] = InMemoryTransport.createLinkedPair()
    const serving = serveStdio(() => mine(countersign), { transport: far })
    atEnd(() => serving.close())
    client = await clientOf(near, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
  })

  test('has its own tools, and a confirmed write', async () => {
    expect((await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).content).toEqual([
      { type: 'text', text: '3' },
    ])
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'marks_add')?.inputSchema).toMatchObject({
      properties: { rationale: { minLength: 10 } },
    })
    const preview = await call(client, 'marks_add', { text: 'one' })
    expect(preview).toMatchObject({ status: 'previewed', card: { kind: 'preview', state: 'ready' } })
    const applying = applyCall(preview)
    expect(await call(client, applying.tool, applying.args)).toMatchObject({ status: 'applied' })
  })

  test('hears from the rail what is wrong with arguments', async () => {
    const refused = await call(client, 'marks_add', { text: 7 })
    expect(refused.isError).toBe(true)
    expect(refused.guidance).toMatchObject({ error_type: 'validation_error' })
  })

  test('reads resources and prompts, and what a tool’s contract says', async () => {
    expect((await client.readResource({ uri: 'notes://all' })).contents).toMatchObject([{ text: 'One note.' }])
    expect((await client.readResource({ uri: 'countersign://contracts/marks_add' })).contents).toHaveLength(1)
    expect((await client.getPrompt({ name: 'start' })).messages).toHaveLength(1)
  })

  test('that draws no cards gets none', async () => {
    const countersign = made()
    const [near, far] = InMemoryTransport.createLinkedPair()
    const serving = serveStdio(() => mine(countersign), { transport: far })
    atEnd(() => serving.close())
    const plain = await clientOf(near, mode, {})
    expect(await call(plain, 'marks_add', { text: 'one' })).toMatchObject({ status: 'previewed', card: undefined })
  })
})

describe('over HTTP', () => {
  const over = async (countersign: Countersign, mode: 'auto' | 'legacy'): Promise<Client> => {
    const handler = createMcpHandler(() => mine(countersign))
    atEnd(() => handler.close())
    const address = new URL('http://localhost/mcp')
    return clientOf(
      new StreamableHTTPClientTransport(address, {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
        requestInit: { headers: { 'x-team': 'blue' } },
      }),
      mode,
    )
  }

  test.each(['auto', 'legacy'] as const)('each request is asked who sends it (%s)', async (mode) => {
    const countersign = made({
      principalOf: (request) => ({ tenant: 'default', subject: request.headers.get('x-team') ?? 'nobody' }),
    })
    const client = await over(countersign, mode)
    expect(await call(client, 'marks_who')).toMatchObject({ data: { subject: 'blue', header: 'blue' } })
  })

  test.each(['auto', 'legacy'] as const)('without principalOf nothing is served (%s)', async (mode) => {
    await expect(over(made(), mode)).rejects.toThrow()
  })
})
