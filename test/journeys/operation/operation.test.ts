// What those who run a server see of it from outside: whether it is up, whether it is ready, what it says on stderr.
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { overHttp } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { demoHere, webHere } from '../in-process.ts'
import { binary, fixture, start } from '../processes.ts'

const ask = async (base: URL, path: string) => {
  const response = await fetch(new URL(path, base))
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

/** A cable between a server and its database that a test can cut and mend. */
async function openCable(to: URL): Promise<{ readonly url: string; cut(): void; mend(): void }> {
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one))
      one.pipe(other)
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  atEnd(() => {
    cut()
    server.close()
  })
  const url = new URL(to)
  const address = server.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    cut,
    mend: () => {
      whole = true
    },
  }
}

describe('a server', () => {
  test('says that it is alive and ready, to whoever asks by whatever name', async () => {
    const web = await demoHere(freshDatabase())
    expect(await ask(web.mcp, '/healthz')).toStrictEqual({ status: 200, body: { status: 'ok' } })
    expect(await ask(web.mcp, '/readyz')).toStrictEqual({
      status: 200,
      body: { status: 'ready', store: 'ok', migrations: 'done' },
    })
  })

  test('whose database goes away is alive and not ready, and is ready when it is back', async () => {
    const database = await testDatabase()
    atEnd(() => database.drop())
    const cable = await openCable(new URL(database.url))
    const web = await webHere(['demo', '--port', '0', '--db', cable.url], {
      env: { COUNTERSIGN_SECRET: testSecret },
    })
    expect(await ask(web.mcp, '/readyz')).toMatchObject({ status: 200 })
    cable.cut()
    await eventually(async () =>
      expect(await ask(web.mcp, '/readyz')).toMatchObject({
        status: 503,
        body: { status: 'not-ready', store: expect.stringMatching(/^(gone|late)$/) },
      }),
    )
    expect(await ask(web.mcp, '/healthz')).toMatchObject({ status: 200 })
    cable.mend()
    await eventually(async () => expect(await ask(web.mcp, '/readyz')).toMatchObject({ status: 200 }))
  })

  test('tells in which state the servers behind it are, and stays ready when one of them is down', async () => {
    const file = join(place(), 'gateway.json')
    const up = [...fixture('held-upstream'), join(place(), 'marks'), 'nothing']
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: {
          up: { command: process.execPath, args: up },
          down: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
        },
      }),
    )
    const web = await webHere(['gateway', '--config', file, '--http', '0', '--db', freshDatabase()])
    const ready = await ask(web.mcp, '/readyz')
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready', upstreams: { ready: 1 } } })
    expect(Object.keys(ready.body['upstreams'] as object)).toHaveLength(2)
    // Names stay inside.
    expect(JSON.stringify(ready.body)).not.toContain('"up"')
    const metrics = await (await fetch(new URL('/metrics', web.mcp))).text()
    expect(metrics).toContain('countersign_upstream_state{server="up",state="ready"} 1')
  })
})

describe('the log', () => {
  test('is JSON where nobody looks, with what was asked for, and a call at the level debug', async () => {
    const file = join(place(), 'countersign.json')
    writeFileSync(file, JSON.stringify({ http: { port: 0 }, log: { level: 'debug' } }))
    const web = await webHere(['demo', '--config', file, '--db', freshDatabase()])
    const agent = await overHttp(web.mcp)
    await agent.call('orders_list')
    const lines = (): readonly Readonly<Record<string, unknown>>[] =>
      web
        .stderr()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
    await eventually(() =>
      expect(lines()).toContainEqual(
        expect.objectContaining({ level: 'debug', msg: 'orders_list: ok', request: expect.stringMatching(/^rq_/) }),
      ),
    )
  })

  test('over stdio never stands on stdout, and says what of the input was not understood', async () => {
    const running = start([...binary, 'demo', '--stdio', '--db', freshDatabase()])
    running.child.stdin?.write('this is no message\n')
    await eventually(() => expect(running.stderr()).toContain('is not a JSON-RPC message'))
    running.child.stdin?.end()
    const { code, stdout, stderr } = await running.ended
    expect([code, stdout]).toStrictEqual([0, ''])
    expect(JSON.parse(stderr.trim())).toMatchObject({ level: 'warn', msg: expect.stringContaining('was skipped') })
  })
})
