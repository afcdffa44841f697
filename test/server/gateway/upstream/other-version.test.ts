// A remote server that is replaced where it stands: the same address, and another version of the protocol.
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'
import { startOne } from '../servers.ts'

type Kind = 'modern' | 'older' | 'older with sessions'

interface Message {
  readonly id?: number | string
  readonly method: string
}

const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const tools = [{ name: 'get_hello', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
const modern: Readonly<Record<string, object>> = {
  'server/discover': { ...whole, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { ...whole, tools },
  'tools/call': { ...whole, content: [{ type: 'text', text: 'modern' }] },
}
const older: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'by-hand', version: '1' },
  },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'older' }] },
}

const json = (response: ServerResponse, status: number, body: object): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', ...body }))

/** A server by hand that can be exchanged for one of another kind, and which calls it has had. */
async function exchangeable(first: Kind) {
  let kind = first
  const calls: Kind[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as Message
      if (id === undefined) return void response.writeHead(202).end()
      if (method === 'tools/call') calls.push(kind)
      const isOfModern = request.headers['mcp-protocol-version'] === '2026-07-28'
      if (isOfModern !== (kind === 'modern')) {
        const error =
          kind === 'modern'
            ? { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } }
            : { code: -32000, message: 'Bad Request: Unsupported protocol version' }
        return json(response, 400, { id, error })
      }
      if (kind === 'older with sessions') response.setHeader('mcp-session-id', 'one')
      const result = (kind === 'modern' ? modern : older)[method]
      json(response, 200, result === undefined ? { id, error: { code: -32601, message: 'no' } } : { id, result })
    })
  })
  const origin = await listeningUntil(onTestFinished, server)
  return { url: `${origin}/mcp`, calls, exchange: (next: Kind) => void (kind = next) }
}

test.each<readonly [Kind, Kind]>([
  ['modern', 'older'],
  ['modern', 'older with sessions'],
  ['older', 'modern'],
  ['older with sessions', 'modern'],
])('a server that was %s and is %s is found out where it is asked for its tools', async (before, after) => {
  const { url, calls, exchange } = await exchangeable(before)
  const upstream = await startOne({ url })
  exchange(after)
  expect(await upstream.relist()).toEqual({ ok: true, value: undefined })
  const text = after === 'modern' ? 'modern' : 'older'
  expect(await upstream.callTool('get_hello', {})).toMatchObject({ ok: true, value: { content: [{ text }] } })
  expect(calls).toEqual([after])
})

test('a call that such a server refuses is not sent a second time', async () => {
  const { url, calls, exchange } = await exchangeable('older')
  const upstream = await startOne({ url })
  exchange('modern')
  expect(await upstream.callTool('get_hello', {})).toMatchObject({ ok: false })
  expect(calls).toEqual(['modern'])
})
