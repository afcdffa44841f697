// Requests that went through a program of somebody else before they came here: parsed by its framework, read by its middleware,
// with lengths that nobody has checked.
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createCountersign, toNodeHandler, type Countersign, type CountersignOptions } from '../../../server/index.ts'
import { atEnd, place } from '../at-end.ts'
import { listeningUntil } from '../../kit/listening.ts'
import { readTool } from '../../kit/tools.ts'

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const made = (options: Partial<CountersignOptions> = {}): Countersign => {
  const server = createCountersign({
    store: join(place(), 'notes.db'),
    principalOf: () => ({ tenant: 'default', subject: 'ada' }),
    tools: [
      readTool({
        name: 'notes.count',
        input: z.strictObject({ n: z.union([z.number(), z.string(), z.null()]) }),
        output: z.object({ n: z.unknown() }),
        run: ({ n }) => ({ n }),
      }),
    ],
    ...options,
  })
  atEnd(() => server.close())
  return server
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const counting = (n: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_count","arguments":{"rationale":"The test asks for it.","n":${n}}}}`
const request = (body: BodyInit = ping, more: RequestInit = {}): Request =>
  new Request('http://localhost/mcp', { method: 'POST', headers, body, ...more })

const served = async (
  { fetch: answer }: Countersign,
  before: (request: IncomingMessage) => void = () => undefined,
): Promise<string> => {
  const app = express()
    .use(express.json())
    .use((incoming, _, next) => {
      before(incoming)
      next()
    })
    .all('/mcp', toNodeHandler(answer))
  return `${await listeningUntil(atEnd, createServer(app))}/mcp`
}
const send = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', headers, body })

describe('behind a parser of Node', () => {
  test.each(['1e400', '-1e400'])('a number that is too large (%s) is refused, as without one', async (n) => {
    const server = made()
    const direct = await (await server.fetch(request(counting(n)))).text()
    const parsed = await (await send(await served(server), counting(n))).text()
    expect(direct).toContain('"isError":true')
    expect(parsed.replace(/[a-z]+_[\da-z]{10,}/g, '')).toBe(direct.replace(/[a-z]+_[\da-z]{10,}/g, ''))
  })

  test('a body without a length is read', async () => {
    const url = await served(made())
    const body = new Blob([counting('1')]).stream()
    const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect(await answer.text()).toContain('"n":1')
  })

  test('the bytes that a platform has kept are what is read', async () => {
    const url = await served(made(), (incoming) =>
      Object.assign(incoming, { rawBody: Buffer.from(counting('"as it was sent"')), body: {} }),
    )
    expect(await (await send(url, counting('1'))).text()).toContain('as it was sent')
  })
})

describe('a body that was read before', () => {
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { readonly error: { readonly data: { readonly code: string } } }).error.data.code,
  ]

  test.each([
    ['without its length', {}],
    ['with its length', { 'content-length': String(ping.length) }],
  ])('is not the client’s mistake, %s', async (_, length) => {
    const more = { headers: { ...headers, ...length } as Record<string, string> }
    const server = made()
    const app = new Hono().all('/mcp', async (c) => {
      await c.req.json()
      return server.fetch(c.req.raw)
    })
    expect(await codeOf(await app.fetch(request(ping, more)))).toStrictEqual([500, 'body-already-read'])
    const held = request(ping, more)
    held.body?.getReader()
    expect(await codeOf(await server.fetch(held))).toStrictEqual([500, 'body-already-read'])
  })

  test('is not the client’s mistake where a framework of Node has kept what it parsed to itself', async () => {
    const answer = toNodeHandler(made().fetch)
    const hasRead = createServer((incoming, response) => {
      incoming.resume().once('end', () => void answer(incoming, response))
    })
    const address = await listeningUntil(atEnd, hasRead)
    expect(await codeOf(await send(address, ping))).toStrictEqual([500, 'body-already-read'])
    // What has no body was not read.
    expect((await fetch(address, { method: 'DELETE', headers })).status).not.toBe(500)
  })

  test('is not that which principalOf was given', async () => {
    const server = made({
      principalOf: async (given) => {
        expect(await given.text()).toBe('')
        return { tenant: 'default', subject: given.headers.get('x-user') ?? given.method }
      },
    })
    expect((await server.fetch(request())).status).toBe(200)
  })
})

test('an upload that breaks off is refused, and nothing is said in the log', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  let sent = 0
  const body = new ReadableStream({
    pull(to) {
      if (sent++ < 2) to.enqueue(new TextEncoder().encode('{"a"'))
      else to.error(new Error('the client is gone'))
    },
  })
  const answer = await made().fetch(request(body, { duplex: 'half' } as RequestInit))
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { data: { code: 'body-broke-off' } } }])
  expect(said.mock.calls.join('')).not.toContain('client is gone')
  said.mockRestore()
})

test('a length that is only declared lets nothing larger in', async () => {
  const large = `${ping}${' '.repeat(2 * 1024 * 1024)}`
  for (const length of ['5', '5, 5', 'five', '']) {
    const answer = await made().fetch(request(large, { headers: { ...headers, 'content-length': length } }))
    expect([length, answer.status]).toStrictEqual([length, 413])
  }
})

describe('principalOf', () => {
  test('may say claims that are not set', async () => {
    const claims = { role: undefined, deep: { team: undefined, at: 1 } }
    const server = made({ principalOf: () => ({ tenant: 'default', subject: 'ada', claims }) })
    expect((await server.fetch(request())).status).toBe(200)
  })

  test('may answer null, as a lookup in a database does, for somebody who is not known', async () => {
    expect((await made({ principalOf: () => null }).fetch(request())).status).toBe(401)
  })
})

test('a server that is closed while it opens answers nothing any more', async () => {
  const server = made()
  const answer = server.fetch(request())
  await server.close()
  expect((await answer).status).toBe(503)
})
