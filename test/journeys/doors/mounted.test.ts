// The handler in the servers that people have: Hono, Express, Fastify, Node's own, and the route module of a framework that
// imports functions by the names of methods. Each is a real one, on a port, with a real client in front of it.
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, toNodeHandler, type Countersign } from '../../../server/index.ts'
import { confirm, connect } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { listeningUntil } from '../../kit/listening.ts'
import { writeTool } from '../../kit/tools.ts'

const noteTool = writeTool({
  name: 'notes.write',
  input: z.strictObject({ name: z.string(), steps: z.number().optional() }),
  output: z.object({ name: z.string(), by: z.string(), at: z.string() }),
  run: ({ name, steps = 0 }, ctx) => {
    for (let step = 1; step <= steps; step += 1) ctx.progress({ progress: step, total: steps })
    return { name, by: ctx.principal.subject, at: new URL(ctx.request?.url ?? 'none:').pathname }
  },
})

const countersign = (): Countersign => {
  const made = createCountersign({
    store: join(place(), 'notes.db'),
    tools: [noteTool],
    principalOf: ({ headers }) => ({ tenant: 'default', subject: headers.get('x-user') ?? 'nobody' }),
  })
  atEnd(() => made.close())
  return made
}

/** Lets it listen, and ends it with the test file. */
const origin = (server: Server): Promise<string> => listeningUntil(atEnd, server)

/** As Next.js calls what a `route.ts` exports: by the request's method, with the request and a context. */
type RouteHandler = (request: Request, context: { readonly params: Promise<object> }) => Promise<Response>
const routed = (route: Readonly<Record<string, RouteHandler>>) => (request: Request) =>
  route[request.method]?.(request, { params: Promise.resolve({}) }) ?? new Response(null, { status: 405 })

const servers: Readonly<Record<string, (countersign: Countersign) => Promise<string>>> = {
  Hono: async ({ fetch }) => {
    const app = new Hono().all('/mcp', (c) => fetch(c.req.raw))
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      ) as Server
      atEnd(() => {
        server.closeAllConnections()
        server.close()
      })
    })
  },
  Express: ({ fetch }) => origin(createServer(express().all('/mcp', toNodeHandler(fetch)))),
  'Express, which has read the body': ({ fetch }) =>
    origin(createServer(express().use(express.json()).all('/mcp', toNodeHandler(fetch)))),
  Fastify: async ({ fetch }) => {
    const app = fastify()
    const answer = toNodeHandler(fetch)
    app.all('/mcp', (request, reply) => {
      reply.hijack()
      return answer(request.raw, reply.raw, request.body)
    })
    atEnd(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
  'node:http': ({ fetch }) => {
    const answer = toNodeHandler(fetch)
    return origin(createServer((request, response) => void answer(request, response)))
  },
  'a Next.js route module': ({ fetch }) => {
    const route = { POST: fetch, GET: fetch, DELETE: fetch }
    const answer = toNodeHandler(async (request) => routed(route)(request))
    return origin(createServer((request, response) => void answer(request, response)))
  },
}

describe.each(Object.entries(servers))('mounted in %s', (_, listen) => {
  const open = async (user = 'ada') => {
    const address = await listen(countersign())
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', address), {
      requestInit: { headers: { 'x-user': user } },
    })
    return { address, transport, agent: await connect(transport) }
  }

  test('previews, applies what was confirmed, and ends its session', async () => {
    const { agent, transport } = await open()
    const preview = await agent.call('notes_write', { name: 'plan ä€😀' })
    expect(preview.status).toBe('previewed')
    expect(await confirm(agent, preview)).toMatchObject({
      status: 'applied',
      data: { result: { name: 'plan ä€😀', by: 'ada', at: '/mcp' } },
    })
    await transport.terminateSession()
  })

  test('streams how far a call has got to whoever asks for that', async () => {
    const { agent } = await open()
    const preview = await agent.call('notes_write', { name: 'long', steps: 3 })
    const seen: number[] = []
    const args = { name: 'long', steps: 3, rationale: 'The test asks.', preview: false, ticket: preview.planId }
    await agent.client.callTool({ name: 'notes_write', arguments: args }, undefined, {
      onprogress: ({ progress }) => void seen.push(progress),
    })
    expect(seen).toStrictEqual([1, 2, 3])
  })

  test('answers what is not JSON, and another method, in the words of the protocol', async () => {
    const { address } = await open()
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const broken = await fetch(`${address}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":' })
    expect(broken.status).toBe(400)
    const listens = await fetch(`${address}/mcp`, { headers: { accept: 'text/event-stream' } })
    expect([listens.status, await listens.json()]).toMatchObject([405, { jsonrpc: '2.0', error: { code: -32000 } }])
  })
})
