// A server of MCP 2026-07-28 is listened to for single resources: it may agree late, refuse, and end a stream at any time.
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listening } from '../../../kit/listening.ts'
import { createListening } from '../../../../server/gateway/upstream/connection/listening.ts'
import { startOne, until } from '../servers.ts'

const uri = 'notes://all'
const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const results: Readonly<Record<string, object>> = {
  'server/discover': {
    ...whole,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: { subscribe: true } },
  },
  'tools/list': { ...whole, tools: [] },
  'resources/list': { ...whole, resources: [] },
}

/** One request to listen, which is answered when the test says so. */
interface Asked {
  /** Agrees to tell of these resources. */
  readonly agree: (uris?: readonly string[]) => void
  readonly refuse: () => void
  readonly end: () => void
  /** Whether it is neither refused nor over, and its client is there. */
  readonly isOpen: () => boolean
}

/** A server by hand, and each request to listen that it has had. */
async function serve() {
  const asked: Asked[] = []
  const json = (response: ServerResponse, body: object): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', ...body }))
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method } = JSON.parse(body) as { readonly id?: number | string; readonly method: string }
      if (id === undefined) return response.writeHead(202).end()
      const result = results[method]
      if (result !== undefined) return json(response, { id, result })
      if (method !== 'subscriptions/listen') return json(response, { id, error: { code: -32601, message: 'no' } })
      return asked.push({
        agree: (uris = [uri]) => {
          const params = {
            _meta: { 'io.modelcontextprotocol/subscriptionId': id },
            notifications: { resourceSubscriptions: uris },
          }
          const said = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(`event: message\ndata: ${JSON.stringify(said)}\n\n`)
        },
        refuse: () => json(response, { id, error: { code: -32603, message: 'restarting' } }),
        end: () => response.end(),
        isOpen: () => !response.writableEnded && !response.destroyed,
      })
    })
  })
  const origin = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `${origin}/mcp`,
    asked,
    /** The request to listen that comes as this one, from 0. */
    nth: async (at: number): Promise<Asked> => {
      await until(() => asked.length > at)
      return asked[at] as Asked
    },
  }
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

test('who asks for a resource that is being asked for waits for the answer of the server', async () => {
  const { url, asked, nth } = await serve()
  const upstream = await startOne({ url })
  let answers = 0
  const ask = async () => {
    const answer = await upstream.request('resources/subscribe', { uri })
    answers++
    return answer
  }
  const both = [ask(), ask()]
  const first = await nth(0)
  await moment()
  expect(answers).toBe(0)
  first.refuse()
  for (const answer of await Promise.all(both)) expect(answer).toMatchObject({ ok: false })
  expect(asked).toHaveLength(1)

  const later = [ask(), ask()]
  const second = await nth(1)
  second.agree()
  for (const answer of await Promise.all(later)) expect(answer).toMatchObject({ ok: true })
  expect(asked).toHaveLength(2)
})

test('a stream that ends is opened again, also where the server refuses that at first, and what may have changed is told', async () => {
  const { url, nth } = await serve()
  const upstream = await startOne({ url })
  const told: unknown[] = []
  upstream.listen((event) => void (event.kind === 'notification' && told.push(event.params['uri'])))
  const asking = upstream.request('resources/subscribe', { uri })
  const first = await nth(0)
  first.agree()
  expect(await asking).toMatchObject({ ok: true })
  first.end()
  const second = await nth(1)
  second.refuse()
  // It does not tell of the resource at the moment.
  const third = await nth(2)
  third.agree([])
  const fourth = await nth(3)
  expect(told).toEqual([])
  fourth.agree()
  await until(() => told.length > 0)
  expect(told).toEqual([uri])
  expect(third.isOpen()).toBe(false)
})

test('who leaves while a resource is asked for is answered at once, and gives its turn to the next one', async () => {
  const { url, nth } = await serve()
  const upstream = await startOne({ url, concurrency: 1 })
  const leaving = new AbortController()
  const asking = upstream.request('resources/subscribe', { uri }, { signal: leaving.signal })
  const asked = await nth(0)
  leaving.abort()
  expect(await asking).toMatchObject({ ok: false, failure: { kind: 'cancelled' } })
  expect(await upstream.request('resources/list', {})).toMatchObject({ ok: true })
  await until(() => !asked.isOpen())
})

test('who leaves while a resource is asked for takes nothing from another one who asks for it', async () => {
  const { url, asked, nth } = await serve()
  const upstream = await startOne({ url })
  const leaving = new AbortController()
  const one = upstream.request('resources/subscribe', { uri }, { signal: leaving.signal })
  const two = upstream.request('resources/subscribe', { uri })
  const first = await nth(0)
  leaving.abort()
  expect(await one).toMatchObject({ ok: false })
  first.agree()
  expect(await two).toMatchObject({ ok: true })
  expect(first.isOpen()).toBe(true)
  expect(asked).toHaveLength(1)
})

test('a server that never answers who asks for a resource is waited for as for any other answer', async () => {
  const { url } = await serve()
  const upstream = await startOne({ url, timeout_ms: 200 })
  expect(await upstream.request('resources/subscribe', { uri })).toMatchObject({
    ok: false,
    failure: { kind: 'timed-out' },
  })
})

test('a stream that comes while its client leaves is closed', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const stream = { honoredFilter: { toolsListChanged: true }, closed, close: async () => close() }
  const listens = createListening(
    {
      listen: async () => {
        listens.end()
        return stream as never
      },
    },
    { tools: { listChanged: true } },
    1000,
    () => undefined,
  )
  listens.listenToLists()
  await closed
})
