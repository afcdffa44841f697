// Remote upstreams over both transports, against the official everything server: an old one by the old way, and one
// that is restarted under our hands.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { stateText } from '../../../server/gateway/upstream.ts'
import { startOne, until } from './servers.ts'

const everything = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

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

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
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
  expect(stateText(upstream.state())).toBe('ready')
  expect(upstream.identity()).toMatchObject({ transport: 'sse' })
  expect(await upstream.callTool('echo', { message: 'hi' })).toEqual(echo)
})

test('a server that was restarted has forgotten the session: the call is sent once more, on a new one', async () => {
  const port = await freePort()
  const first = await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  await end(first)
  await serve('streamableHttp', port)
  await until(() => upstream.state().kind === 'ready')
  expect(await upstream.callTool('echo', { message: 'hi' })).toEqual(echo)
})

test('a server that is gone says so before anything is sent, and is found again when it is back', async () => {
  const port = await freePort()
  const first = await serve('streamableHttp', port)
  const upstream = await startOne({ url: `http://127.0.0.1:${port}/mcp` })
  await end(first)
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

test('a port where nobody listens is named with the reason', async () => {
  const upstream = await startOne({ url: `http://127.0.0.1:${await freePort()}/mcp` })
  expect(stateText(upstream.state())).toContain('ECONNREFUSED')
})
