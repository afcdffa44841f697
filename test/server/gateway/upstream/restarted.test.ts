// A remote server that is started anew at the same address, in the same version of the protocol: it has forgotten the session.
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'
import { startOne, until } from '../servers.ts'

interface Message {
  readonly id?: number | string
  readonly method: string
}

/** What such a server says to a session that it does not know. */
interface Refusal {
  readonly status: number
  readonly body: string
}
const ofSdk: Refusal = {
  status: 400,
  body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
}
const inPlainText: Refusal = { status: 400, body: 'Bad Request' }
const notFound: Refusal = { status: 404, body: 'Session not found' }

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'by-hand', version: '1' },
}
const done = { content: [{ type: 'text', text: 'done' }] }

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...body }))

/** Answers a request in another way; `false` leaves it to the server. */
type Otherwise = (method: string, id: number | string, session: string, response: ServerResponse) => boolean

const listOf = (session: string) => ({ tools: [{ name: `tool_of_${session}`, inputSchema: { type: 'object' } }] })

const stream = (response: ServerResponse, message: object): void =>
  void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)

/** A server by hand that gives one session after the other and knows the last one; its tool is named for the session. */
async function restartable(refusal: Refusal) {
  let sessions = 0
  let known = ''
  const asked: string[] = []
  let answerOtherwise: Otherwise = () => false
  /** Requests for a stream are answered with one that stays open, the first alone. */
  let broken: (() => void) | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const session = String(request.headers['mcp-session-id'] ?? '')
      if (request.method === 'GET' && broken === undefined) {
        broken = () => void response.end()
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      }
      if (request.method === 'GET' && session !== known)
        return void response.writeHead(refusal.status).end(refusal.body)
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as Message
      if (id === undefined) return void response.writeHead(202).end()
      asked.push(`${method} ${session}`.trim())
      if (method === 'initialize') {
        known = `s${++sessions}`
        response.setHeader('mcp-session-id', known)
        return json(response, { id, result: initialize })
      }
      if (method === 'server/discover') return json(response, { id, error: { code: -32601, message: 'no' } })
      if (answerOtherwise(method, id, session, response)) return
      if (session !== known) return void response.writeHead(refusal.status).end(refusal.body)
      json(response, { id, result: method === 'tools/list' ? listOf(session) : method === 'tools/call' ? done : {} })
    })
  })
  const origin = await listeningUntil(onTestFinished, server)
  return {
    url: `${origin}/mcp`,
    asked,
    restart: () => void (known = ''),
    hasStream: () => broken !== undefined,
    breakStream: () => broken?.(),
    otherwise: (how: Otherwise) => void (answerOtherwise = how),
  }
}

test.each([
  ['in the words of the SDK', ofSdk],
  ['in plain text', inPlainText],
  ['with 404', notFound],
])('a server that refuses %s what its forgotten session asks is connected to anew', async (_, refusal) => {
  const { url, asked, restart } = await restartable(refusal)
  const upstream = await startOne({ url })
  restart()
  expect(await upstream.relist()).toEqual({ ok: true, value: undefined })
  expect(upstream.tools().tools.map(({ name }) => name)).toEqual(['tool_of_s2'])
  expect(await upstream.callTool('tool_of_s2', {})).toMatchObject({ ok: true })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s2'])
})

test('a call that comes first after the start is sent over the new session', async () => {
  const { url, asked, restart } = await restartable(ofSdk)
  const upstream = await startOne({ url })
  restart()
  expect(await upstream.callTool('tool_of_s2', {})).toMatchObject({ ok: true })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s2'])
})

test('a list that was asked of the old session and comes late does not replace that of the new one', async () => {
  const { url, restart, otherwise } = await restartable(notFound)
  const upstream = await startOne({ url })
  let answerLate: (() => void) | undefined
  otherwise((method, id, session, response) => {
    if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream(response, { method: 'notifications/tools/list_changed' })
      stream(response, { id, result: done })
      response.end()
      return true
    }
    if (method !== 'tools/list' || session !== 's1' || answerLate !== undefined) return false
    answerLate = () => json(response, { id, result: listOf('s1_late') })
    return true
  })
  await upstream.callTool('tool_of_s1', {})
  await until(() => answerLate !== undefined)
  restart()
  expect(await upstream.relist()).toMatchObject({ ok: true })
  answerLate?.()
  // Nothing tells that it has been read and left.
  await setTimeout(200)
  expect(upstream.tools().tools.map(({ name }) => name)).toEqual(['tool_of_s2'])
})

test.each([
  ['has not been found out', false],
  ['has been found out', true],
])(
  'a call that runs is answered though a stream breaks where the session is forgotten, which %s',
  async (_, isFound) => {
    const { url, asked, restart, otherwise, hasStream, breakStream } = await restartable(notFound)
    const upstream = await startOne({ url })
    await until(hasStream)
    let answer: (() => void) | undefined
    otherwise((method, id, _session, response) => {
      if (method !== 'tools/call') return false
      answer = () => json(response, { id, result: done })
      return true
    })
    const call = upstream.callTool('tool_of_s1', {})
    await until(() => answer !== undefined)
    const pings = asked.filter((one) => one.startsWith('ping')).length
    restart()
    if (isFound) expect(await upstream.relist()).toMatchObject({ ok: true })
    breakStream()
    await until(() => asked.filter((one) => one.startsWith('ping')).length > pings)
    await until(() => upstream.tools().tools[0]?.name === 'tool_of_s2')
    // Nothing tells that the answer to the ping has been read.
    await setTimeout(200)
    answer?.()
    expect(await call).toMatchObject({ ok: true })
  },
)
