// A remote server that is replaced where it stands: the same address, and another version of the protocol.
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'
import { startOne, until } from '../servers.ts'

type Kind = 'modern' | 'older' | 'older with sessions' | 'older still'

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
const olderStill = { ...older, initialize: { ...older['initialize'], protocolVersion: '2025-06-18' } }
const answersOf = (kind: Kind): Readonly<Record<string, object>> =>
  kind === 'modern' ? modern : kind === 'older still' ? olderStill : older

/** How a server refuses to list its tools. */
interface Refusal {
  readonly status: number
  readonly text: (id: number | string) => string
}
const tooMany: Refusal = { status: 400, text: () => 'Too many lists, slow down' }
const noSession: Refusal = { status: 404, text: () => 'Session not found' }
const poolExhausted: Refusal = {
  status: 200,
  text: (id) =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'database session pool exhausted' } }),
}

const json = (response: ServerResponse, status: number, body: object): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', ...body }))

/** A server by hand that can be exchanged for one of another kind, and which calls it has had. */
async function exchangeable(first: Kind) {
  let kind = first
  const calls: Kind[] = []
  const asked: string[] = []
  const ended: (string | undefined)[] = []
  let sessions = 0
  const refusals: Refusal[] = []
  let isHanging = false
  let answerCall: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    const answer = async (): Promise<void> => {
      if (request.method === 'DELETE') ended.push(request.headers['mcp-session-id'] as string)
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as Message
      if (id === undefined) return void response.writeHead(202).end()
      asked.push(method)
      if (method === 'tools/call') {
        calls.push(kind)
        await answerCall
      }
      const spoken = request.headers['mcp-protocol-version']
      const isOfModern = spoken === '2026-07-28'
      if (method === 'initialize' && isHanging) return
      if (isOfModern !== (kind === 'modern') || (kind === 'older still' && spoken === '2025-11-25')) {
        const error =
          kind === 'modern'
            ? { code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } }
            : { code: -32000, message: 'Bad Request: Unsupported protocol version' }
        return json(response, 400, { id, error })
      }
      const refusal = method === 'tools/list' ? refusals.shift() : undefined
      if (refusal !== undefined)
        return void response
          .writeHead(refusal.status, { 'content-type': refusal.status === 200 ? 'application/json' : 'text/plain' })
          .end(refusal.text(id))
      if (kind === 'older with sessions' && method === 'initialize')
        response.setHeader('mcp-session-id', `s${++sessions}`)
      const result = answersOf(kind)[method]
      json(response, 200, result === undefined ? { id, error: { code: -32601, message: 'no' } } : { id, result })
    }
    request.on('end', () => void answer())
  })
  const origin = await listeningUntil(onTestFinished, server)
  return {
    url: `${origin}/mcp`,
    calls,
    asked,
    /** The sessions that it was told are over. */
    ended,
    exchange: (next: Kind) => void (kind = next),
    refuse: (...next: Refusal[]) => void refusals.push(...next),
    hang: () => void (isHanging = true),
    /** Calls are answered from now on when what this answers is called. */
    hold: (): (() => void) => {
      const held = Promise.withResolvers<void>()
      answerCall = held.promise
      return held.resolve
    },
  }
}

test.each<readonly [Kind, Kind]>([
  ['modern', 'older'],
  ['modern', 'older with sessions'],
  ['older', 'modern'],
  ['older with sessions', 'modern'],
  ['older', 'older still'],
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

test.each<readonly [Kind, Refusal]>([
  ['modern', tooMany],
  ['older', tooMany],
  ['modern', poolExhausted],
  ['older', poolExhausted],
  ['older with sessions', poolExhausted],
])('a call that runs is answered though a server that is %s refuses a list meanwhile', async (kind, refusal) => {
  const { url, calls, refuse, hold } = await exchangeable(kind)
  const upstream = await startOne({ url })
  const answer = hold()
  const call = upstream.callTool('get_hello', {})
  await until(() => calls.length === 1)
  refuse(refusal, refusal)
  await upstream.relist()
  expect(upstream.state().kind).toBe('ready')
  answer()
  expect(await call).toMatchObject({ ok: true, value: { content: [{ text: kind === 'modern' ? kind : 'older' }] } })
})

test('a call that runs is answered though the server has forgotten the session of its connection', async () => {
  const { url, calls, refuse, hold } = await exchangeable('older with sessions')
  const upstream = await startOne({ url })
  const answer = hold()
  const call = upstream.callTool('get_hello', {})
  await until(() => calls.length === 1)
  refuse(noSession)
  expect(await upstream.relist()).toMatchObject({ ok: true })
  answer()
  expect(await call).toMatchObject({ ok: true })
})

test.each<readonly [Kind, Kind]>([
  ['modern', 'older'],
  ['older', 'modern'],
])('a call that runs while a server that was %s becomes %s is answered', async (before, after) => {
  const { url, calls, exchange, hold } = await exchangeable(before)
  const upstream = await startOne({ url })
  const answer = hold()
  const call = upstream.callTool('get_hello', {})
  await until(() => calls.length === 1)
  exchange(after)
  expect(await upstream.relist()).toEqual({ ok: true, value: undefined })
  exchange(before)
  answer()
  expect(await call).toMatchObject({ ok: true, value: { content: [{ text: before }] } })
})

test('a server that refuses every list is called over the connection that it has', async () => {
  const { url, refuse } = await exchangeable('older')
  const upstream = await startOne({ url })
  refuse(...Array.from({ length: 5 }, () => tooMany))
  expect(await upstream.relist()).toMatchObject({ ok: false })
  expect(await upstream.relist()).toMatchObject({ ok: false })
  expect(upstream.state().kind).toBe('ready')
  expect(await upstream.callTool('get_hello', {})).toMatchObject({ ok: true })
})

test('a server that refuses every list is asked over another connection once in a while, whose session is ended', async () => {
  const { url, asked, ended, refuse } = await exchangeable('older with sessions')
  let now = 0
  const upstream = await startOne({ url }, { now: () => now })
  const connections = (): number => asked.filter((method) => method === 'initialize').length
  refuse(...Array.from({ length: 10 }, () => tooMany))
  for (let count = 0; count < 3; count++) expect(await upstream.relist()).toMatchObject({ ok: false })
  expect(connections()).toBe(2)
  await until(() => ended.length === 1)
  now += 10_000
  expect(await upstream.relist()).toMatchObject({ ok: false })
  expect(connections()).toBe(3)
  await until(() => ended.length === 2)
  expect(ended).toEqual(['s2', 's3'])
})

test('the session of a connection that is replaced is ended once nothing runs over it', async () => {
  const { url, calls, ended, refuse, hold } = await exchangeable('older with sessions')
  const upstream = await startOne({ url })
  const answer = hold()
  const call = upstream.callTool('get_hello', {})
  await until(() => calls.length === 1)
  refuse(tooMany, tooMany)
  expect(await upstream.relist()).toMatchObject({ ok: true })
  expect(ended).toEqual([])
  answer()
  expect(await call).toMatchObject({ ok: true })
  await until(() => ended.length === 1)
  expect(ended).toEqual(['s1'])
})

test('an older server that says why it refuses a list is not connected to anew', async () => {
  const { url, asked, refuse } = await exchangeable('older')
  const upstream = await startOne({ url })
  refuse(poolExhausted)
  await upstream.relist()
  expect(asked.filter((method) => method === 'initialize')).toHaveLength(1)
})

test('nobody waits for a list for longer than the server may take, though it does not answer a new connection', async () => {
  const { url, refuse, hang } = await exchangeable('older')
  const upstream = await startOne({ url, timeout_ms: 500, start_timeout_ms: 60_000 })
  refuse(tooMany, tooMany)
  hang()
  const since = performance.now()
  expect(await upstream.relist()).toMatchObject({ ok: false })
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(await upstream.callTool('get_hello', {})).toMatchObject({ ok: true })
})
