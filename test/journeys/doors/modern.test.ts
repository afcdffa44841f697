// The rail for clients of MCP 2026-07-28, which say with each request who they are and never say `initialize`: the SDK's second
// generation over HTTP and over stdio, on the same address and command line as all others.
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createCountersign } from '../../../server/index.ts'
import { appsCapability } from '../../../server/testing/session.ts'
import { applyCall, overHttp, rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd, freshDatabase } from '../at-end.ts'
import { modernMeta, postModern } from '../../kit/modern-request.ts'
import { longest } from '../../longest.ts'
import { demoHere, startWithStdio } from '../in-process.ts'
import { binary, environment } from '../processes.ts'

type Transport = Parameters<Client['connect']>[0]

interface ModernAgent {
  readonly client: Client
  call(tool: string, args?: Arguments): Promise<Reply>
}

async function connect(transport: Transport, options: ClientOptions = {}): Promise<ModernAgent> {
  const client = new Client(
    { name: 'modern-journey', version: '1.0.0' },
    { capabilities: appsCapability, versionNegotiation: { mode: 'auto' }, ...options },
  )
  await client.connect(transport)
  atEnd(() => client.close())
  return {
    client,
    call: async (name, args = {}) =>
      toReply((await client.callTool({ name, arguments: { rationale, ...args } })) as unknown as CallToolResult),
  }
}

const confirm = (agent: ModernAgent, preview: Reply): Promise<Reply> => {
  const { tool, args } = applyCall(preview)
  return agent.call(tool, args)
}

/** Waits for the answer with this id among the lines that arrive. */
function answersOn(lines: Readable): (id: number) => Promise<unknown> {
  const arrived: { readonly id?: unknown }[] = []
  createInterface({ input: lines }).on('line', (line) => arrived.push(JSON.parse(line) as { readonly id?: unknown }))
  return (id) => vi.waitUntil(() => arrived.find((each) => each.id === id), { timeout: longest })
}

const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

const ordersOf = async (agent: ModernAgent): Promise<number> =>
  ((await agent.call('orders_list')).data['orders'] as readonly unknown[]).length

/** What every agent of this generation can do. */
async function previewsAndApplies(agent: ModernAgent): Promise<void> {
  expect(agent.client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toContain('orders_create')
  const before = await ordersOf(agent)
  const preview = await agent.call('orders_create', twoDesks)
  expect(preview).toMatchObject({ status: 'previewed', isError: false })
  expect(preview.card).toMatchObject({ kind: 'preview', state: 'ready' })
  expect(await ordersOf(agent)).toBe(before)
  const applied = await confirm(agent, preview)
  expect(applied).toMatchObject({ status: 'applied', planId: preview.planId })
  expect(await confirm(agent, preview)).toMatchObject({ status: 'replayed' })
  expect(await ordersOf(agent)).toBe(before + 1)
}

test('over stdio an order is previewed, confirmed and applied', async () => {
  const args = [...binary, 'demo', '--stdio', '--db', freshDatabase()]
  const env = environment()
  await previewsAndApplies(
    await connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' })),
  )
})

test('over stdio a client that asks what is served and then says initialize is served as one that only says that', async () => {
  const { stdin, stdout } = startWithStdio(['demo', '--stdio', '--db', freshDatabase()])
  const answers = answersOn(stdout)
  const say = (message: object): boolean => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  say({ id: 1, method: 'server/discover', params: { _meta: modernMeta } })
  expect(await answers(1)).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } })
  const clientInfo = { name: 'changes-its-mind', version: '1' }
  say({ id: 2, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  expect(await answers(2)).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  say({ method: 'notifications/initialized' })
  say({ id: 3, method: 'tools/list' })
  expect(JSON.stringify(await answers(3))).not.toContain('countersign_plan_confirm')
  say({ id: 4, method: 'tools/call', params: { name: 'orders_create', arguments: { rationale, ...twoDesks } } })
  const preview = JSON.stringify(await answers(4))
  expect(preview).toContain('"status":"previewed"')
  expect(preview).not.toContain('countersign/card')
})

test('what a server behind or a program adds to an answer asks nothing of the client, and lets nobody keep it', async () => {
  const server = createCountersign({
    store: ':memory:',
    principalOf: () => ({ tenant: 'default', subject: 'ada' }),
    tools: [],
    prompts: [
      {
        name: 'asks',
        get: () => ({
          messages: [],
          resultType: 'input_required',
          inputRequests: { password: { method: 'elicitation/create', params: { message: 'Your password?' } } },
        }),
      },
      {
        name: 'keeps',
        get: () => ({
          messages: [],
          ttlMs: 3_600_000,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'somebody else', version: '1' } },
        }),
      },
    ],
  })
  atEnd(() => server.close())
  const seen: unknown[] = []
  const { client } = await connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: async (url, init) => {
        const response = await server.fetch(new Request(url, init))
        seen.push(await response.clone().json())
        return response
      },
    }),
  )
  await expect(client.getPrompt({ name: 'asks' })).rejects.toThrow('asks something back')
  await client.getPrompt({ name: 'keeps' })
  expect(JSON.stringify(seen)).not.toMatch(/Your password|public|3600000|somebody else/)
})

describe('over HTTP', () => {
  let web: Awaited<ReturnType<typeof demoHere>>
  let mcp: URL
  let agent: ModernAgent

  beforeAll(async () => {
    web = await demoHere(freshDatabase())
    mcp = web.mcp
    agent = await connect(new StreamableHTTPClientTransport(mcp))
  })

  test('an order is previewed, confirmed and applied', () => previewsAndApplies(agent))

  test('what a modern client has previewed, an older one applies, and the other way round', async () => {
    const older = await overHttp(mcp)
    const first = applyCall(await agent.call('orders_create', twoDesks))
    expect(await older.call(first.tool, first.args)).toMatchObject({ status: 'applied' })
    const second = applyCall(await older.call('orders_create', twoDesks))
    expect(await agent.call(second.tool, second.args)).toMatchObject({ status: 'applied' })
  })

  test('a client that draws no cards gets none', async () => {
    const plain = await connect(new StreamableHTTPClientTransport(mcp), { capabilities: {} })
    const preview = await plain.call('orders_create', twoDesks)
    expect(preview).toMatchObject({ status: 'previewed', card: undefined })
  })

  test('resources, templates and completions are served', async () => {
    const { resources } = await agent.client.listResources()
    const card = resources.find(({ uri }) => uri.startsWith('ui://'))
    expect((await agent.client.readResource({ uri: card?.uri ?? '' })).contents[0]).toMatchObject({
      mimeType: 'text/html;profile=mcp-app',
    })
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.length).toBeGreaterThan(0)
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/resource', uri: resourceTemplates[0]?.uriTemplate ?? '' },
      argument: { name: 'tool', value: 'orders_c' },
    })
    expect(completion.values).toContain('orders_create')
  })

  test('a server says in server/discover what it is and how its tools are confirmed, and keeps no session', async () => {
    const { status, headers, body } = await postModern(mcp, 'server/discover')
    expect(status).toBe(200)
    expect(headers.has('mcp-session-id')).toBe(false)
    expect(body).toMatchObject({
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: {} },
        instructions: expect.stringContaining('preview'),
      },
    })
  })

  test('arguments arrive as the client sent them, and wrong ones are told by field', async () => {
    const params = {
      name: 'orders_create',
      arguments: JSON.parse('{"rationale":"By phone.","customer":"ACME","lines":[],"__proto__":{"a":1}}') as object,
    }
    const { body } = await postModern(mcp, 'tools/call', params, { 'mcp-name': 'orders_create' })
    expect(JSON.stringify(body)).toContain('__proto__')
    expect(body).toMatchObject({ result: { isError: true } })
  })

  test('a version of the protocol that is not known here is refused with those that are', async () => {
    const claimed = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, body } = await postModern(
      mcp,
      'tools/list',
      { _meta: claimed },
      { 'mcp-protocol-version': '2099-01-01' },
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { data: { supported: ['2026-07-28'], requested: '2099-01-01' } } })
    await postModern(mcp, 'tools/list', {}, { 'mcp-method': 'tools/call' })
    // Whoever sends such a request has heard what is wrong; operators need not.
    expect(web.stderr()).not.toContain('modern door')
  })

  test('a batch is refused, because its messages would be answered as those of an older client', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta } }
    const response = await fetch(mcp, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify([message]),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('one by one') } })
  })

  test('a method that does not exist is told as that, with status 404', async () => {
    const { status, body } = await postModern(mcp, 'orders/list')
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: { code: -32601 } })
  })

  test('who is not let in hears so in this version, too', async () => {
    expect((await postModern(new URL('/mcp', mcp), 'tools/list')).status).toBe(401)
  })
})
