// A call whose answer cannot come any more ends at once, and says that it may have happened; one whose answer can is waited for.
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'
import { startOne, until } from '../servers.ts'
import { begin, done, json, notFound, restartable, stream } from './restartable.ts'

/** Longer than a test waits. */
const patient = { timeout_ms: 600_000 }

const lost = { ok: false, failure: { kind: 'lost', effect: 'may-have-happened' } }

/** Resumes a stream, and ends it with an event to go on from. */
const endsAfterEvent = (response: ServerResponse): void => {
  begin(response, 'second')
  response.end()
}

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
    upstream,
    call,
    stream: running as unknown as ServerResponse,
    answer: (response: ServerResponse) => stream(response, { id: asked, result: done }),
    /** Resumes the stream with the answer. */
    answers: (response: ServerResponse) => {
      begin(response)
      stream(response, { id: asked, result: done })
      response.end()
    },
    /** With the number of the call. */
    asks: (response: ServerResponse) => stream(response, { id: asked, method: 'ping' }),
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
  const { call, stream, restart, asked, upstream, otherwise } = await calling()
  restart()
  stream.destroy()
  expect(await call).toMatchObject(lost)
  otherwise(() => false)
  expect(await upstream.callTool('tool_of_s2', {})).toEqual({ ok: true, value: done })
  expect(asked.filter((one) => one.startsWith('tools/call'))).toEqual(['tools/call s1', 'tools/call s2'])
})

test('a call is answered where its stream ends after the answer', async () => {
  const { call, stream, answer } = await calling()
  answer(stream)
  stream.end()
  expect(await call).toEqual({ ok: true, value: done })
})

test('a stream that broke is resumed, more than once, and brings the answer', async () => {
  const { call, stream, answers, resumes } = await calling('first')
  resumes(endsAfterEvent, answers)
  stream.destroy()
  expect(await call).toEqual({ ok: true, value: done })
})

test('a call is answered though the stream that is resumed brings its answer late', async () => {
  const { call, stream, answer, resumes } = await calling('first')
  resumes((response) => {
    begin(response)
    // Longer than what is read of the first stream takes to be handed on.
    setTimeout(() => {
      answer(response)
      response.end()
    }, 400)
  })
  stream.end()
  expect(await call).toEqual({ ok: true, value: done })
})

test('a call is answered where each of two streams is resumed at the second attempt', async () => {
  const { call, stream, answers, resumes } = await calling('first')
  const refuse = (response: ServerResponse): void => void response.writeHead(503).end()
  resumes(refuse, endsAfterEvent, refuse, answers)
  stream.destroy()
  expect(await call).toEqual({ ok: true, value: done })
})

test('of two calls whose streams have one name for an event, the one whose stream is open is answered', async () => {
  const { call, stream: first, answer, upstream, otherwise } = await calling('first')
  let second: ServerResponse | undefined
  otherwise((method, _id, _session, response) => {
    if (method === '') response.writeHead(404).end()
    else if (method === 'tools/call') {
      second = response
      begin(response, 'first')
    } else return false
    return true
  })
  const other = upstream.callTool('tool_of_s1', {})
  await until(() => second !== undefined)
  second?.destroy()
  expect(await other).toMatchObject(lost)
  answer(first)
  expect(await call).toEqual({ ok: true, value: done })
})

test('what a server says to our answer to its question ends no call of that number', async () => {
  const { call, stream: own, answer, asks, otherwise } = await calling()
  let isAnswered = false
  otherwise((method, _id, _session, response) => {
    // An answer has no method.
    if ((method as string | undefined) !== undefined) return false
    isAnswered = true
    begin(response)
    response.end()
    return true
  })
  asks(own)
  await until(() => isAnswered)
  // Longer than what is read of a stream takes to be handed on.
  setTimeout(() => answer(own), 400)
  expect(await call).toEqual({ ok: true, value: done })
})

test.each([
  ['without a stream', 204, {}],
  ['with a redirect that leads elsewhere', 307, { location: 'https://elsewhere.example/' }],
])('a call is lost where its resumption is answered %s', async (_, status, headers) => {
  const { call, stream, resumes } = await calling('first')
  const answer = (response: ServerResponse): void => void response.writeHead(status, headers).end()
  resumes(answer, answer)
  stream.destroy()
  expect(await call).toMatchObject(lost)
})

test.each([
  ['with 404, as a server does that has forgotten the session', 404],
  ['with 405, as a server does that has no streams to resume', 405],
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
