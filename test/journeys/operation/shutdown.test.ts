// A server is told to end in the middle of somebody's call. What it has begun it finishes, and whoever waits for the
// answer gets it; what it has not begun it does not begin; and it goes when it said that it would.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { casesOf } from '../../full.ts'
import { confirm, connect, overHttp, type Agent, type Reply } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { binary, environment, fixture, startWeb, type Running } from '../processes.ts'

interface Shop {
  readonly command: (...more: readonly string[]) => readonly string[]
  hold(): void
  release(): void
  /** What the tool behind really did. */
  did(): readonly string[]
}

/** `countersign wrap` in front of a server whose tool takes as long as the test wants. */
function openShop(): Shop {
  const directory = place()
  const [marks, held, db] = ['marks', 'held', 'shop.db'].map((name) => join(directory, name))
  if (marks === undefined || held === undefined || db === undefined) throw new Error('unreachable')
  const upstream = [process.execPath, ...fixture('held-upstream'), marks, held]
  return {
    command: (...more) => [...binary, 'wrap', '--db', db, ...more, '--', ...upstream],
    hold: () => writeFileSync(held, ''),
    release: () => rmSync(held, { force: true }),
    did: () => (existsSync(marks) ? readFileSync(marks, 'utf8').split('\n').filter(Boolean) : []),
  }
}

const serve = (shop: Shop, ...more: readonly string[]): ReturnType<typeof startWeb> =>
  startWeb(shop.command('--http', '0', ...more))

/** A call that has begun to run, and does not end before the shop lets it. */
async function begun(shop: Shop, agent: Agent): Promise<{ readonly preview: Reply; readonly applied: Promise<Reply> }> {
  shop.hold()
  const preview = await agent.call('add_line', { text: 'one' })
  const applied = confirm(agent, preview)
  // Looked at where it is awaited.
  applied.catch(() => undefined)
  await eventually(() => expect(shop.did()).toStrictEqual(['one']))
  return { preview, applied }
}

const refusesConnections = (url: URL): Promise<void> =>
  eventually(() => expect(fetch(new URL('/healthz', url))).rejects.toThrow())

/**
 * A connection on which only part of a request has been said, so that it stays when the listener closes. A whole request
 * goes before it in the same packet: once that is answered, the server has read the part as well.
 */
async function halfRequest(url: URL, path: string): Promise<{ rest(): Promise<string> }> {
  const socket: Socket = connectSocket(Number(url.port), url.hostname)
  atEnd(() => void socket.destroy())
  let said = ''
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  socket.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  const begin = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: ${url.host}\r\n`
  socket.write(`${begin('/healthz')}\r\n${begin(path)}`)
  await eventually(() => expect(said).toMatch(/^HTTP\/1\.1 200 [^]*"status":"ok"/))
  return {
    rest: async () => {
      said = ''
      socket.write('\r\n')
      await closed
      return said
    },
  }
}

const exitCode = async (running: Running): Promise<number | null> => (await running.ended).code

describe('a web server that is told to end', () => {
  test.for(casesOf(['SIGTERM', 'SIGINT'] as const, String, ['SIGTERM']))(
    'answers the call that it has begun, and exits 0; with nothing to do it ends at once (%s)',
    async (signal) => {
      const shop = openShop()
      const web = await serve(shop)
      const { preview, applied } = await begun(shop, await overHttp(web.mcp))
      web.child.kill(signal)
      await refusesConnections(web.mcp)
      shop.release()
      expect(await applied).toMatchObject({ status: 'applied', isError: false })
      expect(await exitCode(web)).toBe(0)

      // And it is on record: another process knows the outcome, and nothing runs again.
      const next = await serve(shop)
      expect(await confirm(await overHttp(next.mcp), preview)).toMatchObject({ status: 'replayed' })
      expect(shop.did()).toStrictEqual(['one'])

      // Whoever is connected.
      next.child.kill(signal)
      expect(await exitCode(next)).toBe(0)
    },
  )

  test('ends streams that only listen at once, and says that it is closing to who is still connected', async () => {
    const shop = openShop()
    const web = await serve(shop)
    const agent = await overHttp(web.mcp)
    const { applied } = await begun(shop, agent)
    const stream = await fetch(web.mcp, { headers: { accept: 'text/event-stream' } })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const late = await halfRequest(web.mcp, '/readyz')
    web.child.kill('SIGTERM')
    // It would go on for as long as anybody listens.
    await stream.text()
    const answer = await late.rest()
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toContain('"status":"closing"')
    expect(answer.toLowerCase()).toContain('connection: close')
    shop.release()
    expect((await applied).status).toBe('applied')
    expect(await exitCode(web)).toBe(0)
  })

  test('waits no longer than it is configured to, and says later that it does not know', async () => {
    const shop = openShop()
    const settings = join(place(), 'countersign.json')
    writeFileSync(settings, JSON.stringify({ http: { port: 0, shutdown_seconds: 1 } }))
    const web = await startWeb(shop.command('--http', '0'), { env: { COUNTERSIGN_CONFIG: settings } })
    const { preview, applied } = await begun(shop, await overHttp(web.mcp))
    web.child.kill('SIGTERM')
    await expect(applied).rejects.toThrow()
    expect(await exitCode(web)).toBe(0)
    shop.release()

    const next = await overHttp((await serve(shop)).mcp)
    await eventually(async () => expect((await confirm(next, preview)).status).toBe('outcome_unknown'), {
      interval: 500,
    })
    expect(shop.did()).toStrictEqual(['one'])
  })

  test('ends at once when it is told a second time', async () => {
    const shop = openShop()
    const web = await serve(shop)
    const { applied } = await begun(shop, await overHttp(web.mcp))
    web.child.kill('SIGTERM')
    await refusesConnections(web.mcp)
    web.child.kill('SIGTERM')
    expect(await exitCode(web)).toBe(143)
    await expect(applied).rejects.toThrow()
    shop.release()
  })
})

test('a server on stdio that is told to end answers the call that it has begun, and goes', async () => {
  const shop = openShop()
  const [command, ...args] = [process.execPath, ...shop.command()]
  const transport = new StdioClientTransport({ command, args, env: environment(), stderr: 'ignore' })
  const { applied } = await begun(shop, await connect(transport))
  const { pid } = transport
  if (pid === null) throw new Error('The server is not there.')
  const gone = new Promise<void>((resolve) => (transport.onclose = resolve))
  process.kill(pid, 'SIGTERM')
  shop.release()
  expect(await applied).toMatchObject({ status: 'applied', isError: false })
  await gone
})
