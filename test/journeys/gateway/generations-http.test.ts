// Which generation of the protocol a remote server speaks is found out from what it answers to a request of the newer one. These
// are the kinds that are not the SDK's own, by hand, and one that is.
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import { createMcpHandler, McpServer as ModernMcpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { listeningUntil } from '../../kit/listening.ts'
import { atEnd } from '../at-end.ts'
import { agentHere } from '../in-process.ts'
import { officialServer } from './reach.ts'
import { start } from '../processes.ts'
import { eventually, wrapLine } from './modern-notes.ts'

interface Message {
  readonly id?: number | string
  readonly method: string
}

const toolsList = {
  tools: [{ name: 'get_hello', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
}
const older: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'by-hand', version: '1' },
  },
  'tools/list': toolsList,
  'tools/call': { content: [{ type: 'text', text: 'hello in 2025-11-25' }] },
}
const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const modern: Readonly<Record<string, object>> = {
  'server/discover': { ...whole, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { ...whole, ...toolsList },
  'tools/call': { ...whole, content: [{ type: 'text', text: 'hello in 2026-07-28' }] },
}

/** What is said to `server/discover`; nothing where the answer of `results` is. */
type Discover = (response: ServerResponse, message: Message) => void

const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A server by hand, and the methods that it hears. `redirect`: with what it sends everybody to its address with a slash. */
async function byHand(
  results: Readonly<Record<string, object>>,
  discover?: Discover,
  { redirect }: { readonly redirect?: number } = {},
): Promise<{ readonly url: string; readonly heard: readonly string[] }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      if (redirect !== undefined && request.url === '/mcp')
        return void response.writeHead(redirect, { location: '/mcp/' }).end()
      const message = JSON.parse(Buffer.concat(parts).toString()) as Message
      if (message.id === undefined) return void response.writeHead(202).end()
      heard.push(message.method)
      if (message.method === 'server/discover' && discover !== undefined) return discover(response, message)
      const result = results[message.method]
      if (result !== undefined) return json(response, 200, { jsonrpc: '2.0', id: message.id, result })
      const error = { code: -32601, message: 'There is no such method.' }
      json(response, 400, { jsonrpc: '2.0', id: message.id, error })
    })
  })
  const origin = await listeningUntil(atEnd, server)
  return { url: `${origin}/mcp`, heard }
}

const hello = async (url: string): Promise<string> =>
  (await (await agentHere(wrapLine({ url }))).call('get_hello')).text

test('one that answers server/discover is never told initialize', async () => {
  const { url, heard } = await byHand(modern)
  expect(await hello(url)).toContain('hello in 2026-07-28')
  expect(heard.slice(0, 2)).toEqual(['server/discover', 'tools/list'])
  expect(heard).not.toContain('initialize')
})

const unsupported = (supported: readonly string[]): Discover => {
  let asked = 0
  return (response, { id }) =>
    asked++ === 0
      ? json(response, 400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data: { supported } } })
      : json(response, 200, { jsonrpc: '2.0', id, result: modern['server/discover'] })
}

// Starlette, and FastMCP with it, send whoever leaves out the last slash there.
test.each([307, 308])('one that redirects with %i within its origin is found where it leads', async (status) => {
  const { url, heard } = await byHand(modern, undefined, { redirect: status })
  expect(await hello(url)).toContain('hello in 2026-07-28')
  expect(heard).not.toContain('initialize')
})

test('one that is redirected to counts by its own answer, also where that is an error', async () => {
  const { url, heard } = await byHand(modern, unsupported(['2026-07-28']), { redirect: 307 })
  expect(await hello(url)).toContain('hello in 2026-07-28')
  expect(heard).not.toContain('initialize')
})

test('one of older versions that redirects is told initialize where that leads', async () => {
  const { url, heard } = await byHand(older, undefined, { redirect: 308 })
  expect(await hello(url)).toContain('hello in 2025-11-25')
  expect(heard.slice(0, 2)).toEqual(['server/discover', 'initialize'])
})

test('one that refuses the question and names our version is asked again, and not told initialize', async () => {
  const { url, heard } = await byHand(modern, unsupported(['2026-07-28']))
  expect(await hello(url)).toContain('hello in 2026-07-28')
  expect(heard).not.toContain('initialize')
})

test.each<readonly [string, Discover]>([
  ['with an error of HTTP', (response) => void response.writeHead(400).end('Bad Request: no session')],
  [
    'with an error of JSON-RPC',
    (response, { id }) => json(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }),
  ],
  [
    'with a page of HTML',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
  ],
  ['with a failure of its own', (response) => void response.writeHead(500).end()],
  ['as a notification', (response) => void response.writeHead(202).end()],
  ['with a result of something else', (response, { id }) => json(response, 200, { jsonrpc: '2.0', id, result: {} })],
  ['by closing the connection', (response) => void response.destroy()],
  ['with older versions alone', unsupported(['2025-11-25'])],
])('one that answers server/discover %s is told initialize', async (_, discover) => {
  const { url, heard } = await byHand(older, discover)
  expect(await hello(url)).toContain('hello in 2025-11-25')
  expect(heard.slice(0, 2)).toEqual(['server/discover', 'initialize'])
  expect(heard.filter((method) => method === 'server/discover')).toHaveLength(1)
})

test('one that never answers server/discover is told initialize all the same', async () => {
  const { url, heard } = await byHand(older, () => undefined)
  expect(await hello(url)).toContain('hello in 2025-11-25')
  expect(heard.slice(0, 2)).toEqual(['server/discover', 'initialize'])
})

test('one that needs longer than anybody waits is asked again once it has refused initialize', async () => {
  let asked = 0
  const { url, heard } = await byHand(modern, (response, { id }) => {
    if (asked++ > 0) json(response, 200, { jsonrpc: '2.0', id, result: modern['server/discover'] })
  })
  expect(await hello(url)).toContain('hello in 2026-07-28')
  expect(heard.slice(0, 3)).toEqual(['server/discover', 'initialize', 'server/discover'])
})

test('one that wants more of its client than that has is down, and says so', async () => {
  const { url, heard } = await byHand(modern, (response, { id }) =>
    json(response, 400, { jsonrpc: '2.0', id, error: { code: -32021, message: 'I need sampling.' } }),
  )
  const agent = await agentHere(wrapLine({ url }))
  await eventually(() => agent.stderr().includes('failed') || agent.stderr().includes('restarting'))
  expect(agent.stderr()).toContain('it answered server/discover with an error (code -32021)')
  expect(heard).not.toContain('initialize')
})

test('one of both generations is spoken to in the newer one', async () => {
  const versions = new Set<string | null>()
  const handler = createMcpHandler(() => {
    const server = new ModernMcpServer({ name: 'both', version: '1' })
    server.registerTool('get_hello', { annotations: { readOnlyHint: true } }, () => ({
      content: [{ type: 'text', text: 'hello from both' }],
    }))
    return server
  })
  const port = await freePort()
  const fetchIt = (request: Request): Promise<Response> => {
    versions.add(request.headers.get('mcp-protocol-version'))
    return handler.fetch(request)
  }
  const server = serve({ fetch: fetchIt, port, hostname: '127.0.0.1' })
  atEnd(() => void server.close())
  expect(await hello(`http://127.0.0.1:${port}/${randomUUID()}`)).toContain('hello from both')
  expect([...versions]).toEqual(['2026-07-28'])
})

test('the official server of older versions lists its tools as before', async () => {
  const port = await freePort()
  const { command: _, args } = officialServer('everything')
  const server = start([...(args as string[]), 'streamableHttp'], { env: { PORT: String(port) } })
  await eventually(() => server.stderr().includes('listening'))
  const agent = await agentHere(wrapLine({ url: `http://127.0.0.1:${port}/mcp` }))
  expect(agent.tools.map(({ name }) => name)).toContain('echo')
})
