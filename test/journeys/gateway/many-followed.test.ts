// Whoever follows many resources in one request must not take all turns of their server from everybody else, nor go on
// asking for more once they have left.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { listeningUntil } from '../../kit/listening.ts'
import { atEnd } from '../at-end.ts'
import { stdioHere, webHere } from '../in-process.ts'
import { eventually, wrapLine } from './modern-notes.ts'

/** A server that agrees to tell of everything, once the test lets it. */
async function agreeing() {
  const followed = new Set<string>()
  const waiting = new Set<() => void>()
  const seen = { most: 0, asked: 0, isOpen: false }
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: { subscribe: true } },
      serverInfo: { name: 'agreeing', version: '1' },
    },
    'tools/list': { tools: [] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/subscribe': {},
    'resources/unsubscribe': {},
  }
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { uri: string } }
      if (id === undefined) return response.writeHead(202).end()
      if (method === 'resources/subscribe') {
        seen.asked++
        followed.add(params?.uri ?? '')
        if (!seen.isOpen)
          await new Promise<void>((resolve) => {
            waiting.add(resolve)
            seen.most = Math.max(seen.most, waiting.size)
          })
      }
      if (method === 'resources/unsubscribe') followed.delete(params?.uri ?? '')
      const result = results[method]
      const answer = result === undefined ? { error: { code: -32601, message: 'Unknown.' } } : { result }
      return response
        .writeHead(result === undefined ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })
  const origin = await listeningUntil(atEnd, server)
  return {
    url: `${origin}/mcp`,
    followed,
    seen,
    waiting,
    open(): void {
      seen.isOpen = true
      for (const answer of waiting) answer()
    },
  }
}

type Transport = Parameters<Client['connect']>[0]

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'reader', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  atEnd(() => client.close())
  return client
}

async function clientOf(url: string): Promise<Client> {
  const { mcp } = await webHere([...wrapLine({ url }), '--http', '0'])
  return connected(new StreamableHTTPClientTransport(mcp))
}

const many = Array.from({ length: 150 }, (_, at) => `notes://${at}`)

test('one request follows a hundred resources, is told which, and asks for a few at a time', async () => {
  const server = await agreeing()
  const client = await clientOf(server.url)
  const opening = client.listen({ resourceSubscriptions: many })
  await eventually(() => server.waiting.size === 4)
  server.open()
  const stream = await opening
  expect(stream.honoredFilter.resourceSubscriptions).toEqual(many.slice(0, 100))
  expect(server.seen).toMatchObject({ most: 4, asked: 100 })
  await stream.close()
  await eventually(() => server.followed.size === 0)
})

test('nothing more is asked for when the client has left, and nothing stays followed', async () => {
  const server = await agreeing()
  const client = await clientOf(server.url)
  const leaving = new AbortController()
  const opening = client.listen({ resourceSubscriptions: many }, { signal: leaving.signal }).catch(() => undefined)
  await eventually(() => server.waiting.size === 4)
  leaving.abort()
  await opening
  await eventually(() => server.followed.size === 0)
  expect(server.seen.asked).toBe(4)
})

test('a request to listen that is cancelled takes nothing from another one of its client for the same resource', async () => {
  const server = await agreeing()
  const client = await connected(stdioHere(wrapLine({ url: server.url })).transport as object as Transport)
  const filter = { resourceSubscriptions: ['notes://all'] }
  const leaving = new AbortController()
  const first = client.listen(filter, { signal: leaving.signal }).catch(() => undefined)
  const second = client.listen(filter)
  await eventually(() => server.waiting.size === 2)
  leaving.abort()
  await first
  // The gateway has read by then that it is cancelled.
  await client.listResources()
  server.open()
  const stream = await second
  expect(stream.honoredFilter).toEqual(filter)
  await client.listResources()
  expect([...server.followed]).toEqual(['notes://all'])
  await stream.close()
  await eventually(() => server.followed.size === 0)
})
