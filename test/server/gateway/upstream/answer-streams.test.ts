// A call whose answer cannot come any more ends at once, and says that it may have happened; one whose answer can is waited for.
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'
import { startOne, until } from '../servers.ts'
import { begin, done, json, notFound, restartable, stream } from './restartable.ts'

/** Longer than a test waits. */
const patient = { timeout_ms: 600_000 }

const lost = { ok: false, failure: { kind: 'lost', effect: 'may-have-happened' } }

/** A server whose call has begun; its answer is a stream. */
async function calling(event?: string) {
  const server = await restartable(notFound)
  let running: ServerResponse | undefined
  const resumed: ((response: ServerResponse) => void)[] = []
  let asked: number | string = ''
  server.otherwise((method, id, _, response) => {
    if (method === '') {
      const next = resumed.shift()
      if (next === undefined) return false
      next(response)
      return true
    }
    if (method !== 'tools/call') return false
    asked = id
    running = response
    begin(response, event)
    return true
  })
  const upstream = await startOne({ url: server.url, ...patient })
  const call = upstream.callTool('tool_of_s1', {})
  await until(() => running !== undefined)
  return {
    ...server,
    call,
    stream: running as unknown as ServerResponse,
    answer: (response: ServerResponse) => stream(response, { id: asked, result: done }),
    resumes: (...how: ((response: ServerResponse) => void)[]) => void resumed.push(...how),
  }
}

test.each([
  ['breaks', (response: ServerResponse) => response.destroy()],
  ['ends', (response: ServerResponse) => response.end()],
])('a call is lost where the stream of its answer %s', async (_, over) => {
  const { call, stream } = await calling()
  over(stream)
  expect(await call).toMatchObject(lost)
})

test('a call is lost where the server was started anew meanwhile, and the next one goes over a new session', async () => {
  const { call, stream, restart, asked } = await calling()
  restart()
  stream.destroy()
  expect(await call).toMatchObject(lost)
  await until(() => asked.includes('initialize'))
})

test('a call is answered where its stream ends after the answer', async () => {
  const { call, stream, answer } = await calling()
  answer(stream)
  stream.end()
  expect(await call).toEqual({ ok: true, value: done })
})

test('a stream that broke is resumed, more than once, and brings the answer', async () => {
  const { call, stream, answer, resumes } = await calling('first')
  resumes(
    (response) => {
      begin(response, 'second')
      response.end()
    },
    (response) => {
      begin(response)
      answer(response)
      response.end()
    },
  )
  stream.destroy()
  expect(await call).toEqual({ ok: true, value: done })
})

test.each([
  ['with 404, as a server does that has forgotten the session', 404],
  ['as often as it is asked', 500],
])('a call is lost where the stream of its answer is refused %s', async (_, status) => {
  const { call, stream, resumes } = await calling('first')
  const refuse = (response: ServerResponse): void => void response.writeHead(status).end()
  resumes(refuse, refuse)
  stream.destroy()
  expect(await call).toMatchObject(lost)
})

test('a call is lost where a resumed stream ends with nothing to go on from', async () => {
  const { call, stream, resumes } = await calling('first')
  resumes((response) => {
    begin(response)
    response.end()
  })
  stream.destroy()
  expect(await call).toMatchObject(lost)
})

test('a call of a server of MCP 2026-07-28 is lost where the stream of its answer breaks', async () => {
  let running: ServerResponse | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as { id: number; method: string }
      if (method === 'tools/call') {
        running = response
        begin(response)
      } else {
        const result =
          method === 'server/discover'
            ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
            : { tools: [{ name: 'keep', inputSchema: { type: 'object' } }] }
        json(response, { id, result: { ...result, resultType: 'complete', ttlMs: 0, cacheScope: 'private' } })
      }
    })
  })
  const upstream = await startOne({ url: `${await listeningUntil(onTestFinished, server)}/mcp`, ...patient })
  const call = upstream.callTool('keep', {})
  await until(() => running !== undefined)
  running?.destroy()
  expect(await call).toMatchObject(lost)
})

test('a call over the transport of 2024 is lost where its one stream breaks, though the server only forgot the session', async () => {
  const streams = new Map<string, ServerResponse>()
  let sessions = 0
  let isRunning = false
  const answer = (session: string, body: string, response: ServerResponse): void => {
    const answers = streams.get(session)
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    response.writeHead(answers === undefined ? 404 : 202).end()
    if (method === 'tools/call') isRunning = true
    else if (id !== undefined && answers !== undefined)
      stream(answers, {
        id,
        result:
          method === 'initialize'
            ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'it', version: '1' } }
            : { tools: [{ name: 'keep', inputSchema: { type: 'object' } }] },
      })
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://it')
      if (pathname === '/sse') {
        const name = `s${++sessions}`
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`event: endpoint\ndata: /messages?session=${name}\n\n`)
        streams.set(name, response)
      } else answer(searchParams.get('session') ?? '', Buffer.concat(parts).toString(), response)
    })
  })
  const url = `${await listeningUntil(onTestFinished, server)}/sse`
  const upstream = await startOne({ url, type: 'sse', ...patient })
  const call = upstream.callTool('keep', {})
  await until(() => isRunning)
  const [first] = streams.values()
  streams.clear()
  first?.destroy()
  expect(await call).toMatchObject(lost)
})
