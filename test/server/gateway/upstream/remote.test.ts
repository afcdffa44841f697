// Remote upstreams over both transports, against the official everything server: an old one by the old way, and one
// that is restarted under our hands.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { statusText } from '../../../../server/gateway/upstream/status.ts'
import { freePort } from '../../../free-port.ts'
import { startOne, until } from '../servers.ts'
import { listeningUntil } from '../../../kit/listening.ts'

const everything = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

/** Starts the server and waits until its port answers. */
async function serve(transport: 'sse' | 'streamableHttp', port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let answers = false
  while (!answers) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    answers = await fetch(`http://127.0.0.1:${port}/nothing`).then(
      () => true,
      () => false,
    )
  }
  return child
}

/** Ends the server, until this process has read of its open connections that they are closed. */
async function end(child: ChildProcess, port: number): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect(fetch(`http://127.0.0.1:${port}/nothing`)).rejects.toThrow('fetch failed')
}

const echo = { ok: true, value: { content: [{ type: 'text', text: 'Echo: hi' }] } }

test('speaks Streamable HTTP, with progress', async () => {
  const port = await freePort()
  await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  expect(upstream.identity()).toMatchObject({ name: 'mcp-servers/everything', transport: 'http' })
  expect(await upstream.callTool('echo', { message: 'hi' })).toEqual(echo)
  const steps: number[] = []
  await upstream.callTool(
    'trigger-long-running-operation',
    { duration: 0.2, steps: 2 },
    { onProgress: (step) => steps.push(step.progress) },
  )
  expect(steps).toEqual([1, 2])
})

test('falls back to SSE for an old server', async () => {
  const port = await freePort()
  await serve('sse', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/sse` })
  expect(statusText(upstream.state(), Date.now())).toBe('up')
  expect(upstream.identity()).toMatchObject({ transport: 'sse' })
  expect(await upstream.callTool('echo', { message: 'hi' })).toEqual(echo)
})

test('a server that was restarted has forgotten the session: a read is sent once more, on a new one', async () => {
  const port = await freePort()
  const first = await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  await end(first, port)
  await serve('streamableHttp', port)
  await until(() => upstream.state().kind === 'ready')
  expect(await upstream.callTool('echo', { message: 'hi' }, { repeatable: true })).toEqual(echo)
})

test('a server that is gone says so before anything is sent, and is found again when it is back', async () => {
  const port = await freePort()
  const first = await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  await end(first, port)
  expect(await upstream.callTool('echo', { message: 'hi' })).toMatchObject({
    ok: false,
    failure: { kind: 'unavailable', effect: 'not-sent' },
  })
  await serve('streamableHttp', port)
  await until(() => upstream.state().kind === 'ready')
  expect(await upstream.callTool('echo', { message: 'hi' })).toEqual(echo)
})

test('a server that dies during a call leaves it open what became of it', async () => {
  const port = await freePort()
  const child = await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  const call = upstream.callTool(
    'trigger-long-running-operation',
    { duration: 60, steps: 600 },
    { onProgress: () => void child.kill('SIGKILL') },
  )
  expect(await call).toMatchObject({ ok: false, failure: { kind: 'lost', effect: 'may-have-happened' } })
})

/** A server by hand, for answers that no library gives. `answer` gets every tools/call. */
async function serveByHand(answer: (response: ServerResponse, count: number) => void): Promise<string> {
  let calls = 0
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(parts).toString() || '{}') as { id?: number; method?: string }
      const result =
        message.method === 'initialize'
          ? {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'by hand', version: '1' },
            }
          : message.method === 'tools/list'
            ? { tools: [] }
            : undefined
      if (result !== undefined) reply(response, 200, { jsonrpc: '2.0', id: message.id, result })
      else if (message.method === 'tools/call') answer(response, ++calls)
      else response.writeHead(message.id === undefined && request.method === 'POST' ? 202 : 405).end()
    })
  })
  return `${await listeningUntil(onTestFinished, server)}/mcp`
}

const reply = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

test.each([
  ['HTTP 503', (response: ServerResponse) => response.writeHead(503).end('busy'), 'lost', 'may-have-happened'],
  ['HTTP 401', (response: ServerResponse) => response.writeHead(401).end('who?'), 'refused', 'not-sent'],
  ['HTTP 400', (response: ServerResponse) => response.writeHead(400).end('bad'), 'lost', 'may-have-happened'],
  ['HTTP 408', (response: ServerResponse) => response.writeHead(408).end('late'), 'lost', 'may-have-happened'],
  ['HTTP 409', (response: ServerResponse) => response.writeHead(409).end('twice'), 'lost', 'may-have-happened'],
  ['HTTP 425', (response: ServerResponse) => response.writeHead(425).end('early'), 'lost', 'may-have-happened'],
  ['a torn connection', (response: ServerResponse) => response.destroy(), 'lost', 'may-have-happened'],
  [
    'a page of HTML',
    (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    'lost',
    'may-have-happened',
  ],
  [
    'half an answer',
    (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc'),
    'lost',
    'may-have-happened',
  ],
] as const)('%s in answer to a call says whether it may have taken effect', async (_, answer, kind, effect) => {
  const upstream = await startOne({ url: await serveByHand(answer) })
  expect(await upstream.callTool('any', {})).toMatchObject({ ok: false, failure: { kind, effect } })
})

test.each([404, 400])(
  'a session that is forgotten with HTTP %i is opened anew, and what only reads is sent once more',
  async (status) => {
    const upstream = await startOne({
      url: await serveByHand((response, count) => {
        if (count === 1) reply(response, status, { error: 'No valid session id' })
        else reply(response, 200, { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { count } } })
      }),
    })
    const answer = await upstream.callTool('any', {}, { repeatable: true })
    expect(answer).toMatchObject({ ok: true, value: { structuredContent: { count: 2 } } })
  },
)

test('a port where nobody listens is named with the reason', async () => {
  const upstream = await startOne({ url: `http://127.0.0.1:${await freePort()}/mcp` })
  expect(statusText(upstream.state(), Date.now())).toContain('ECONNREFUSED')
})
