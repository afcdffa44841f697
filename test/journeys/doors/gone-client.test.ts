// A client that goes before its answer: what only it would hear may end, and what has begun to take effect may not.
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, type Countersign, type ToolContext } from '../../../server/index.ts'
import { atEnd, place } from '../at-end.ts'
import { writeTool } from '../../kit/tools.ts'

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A server whose tool hands its contexts over and waits for `signal`, or to be let go on. */
function waiting() {
  const begun = { preview: Promise.withResolvers<AbortSignal>(), run: Promise.withResolvers<AbortSignal[]>() }
  const [ended, goOn, applied] = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const server = createCountersign({
    store: join(place(), 'notes.db'),
    principalOf: () => ({ tenant: 'default', subject: 'ada' }),
    resources: [{ uri: 'notes://all', name: 'all', read: (_, ctx) => untilGone(ctx).then(() => '') }],
    tools: [
      writeTool({
        name: 'notes.write',
        input: z.strictObject({ waits: z.boolean() }),
        output: z.object({}),
        preview: async ({ waits }, ctx) => {
          if (waits) await untilGone(ctx)
          return { title: 'Write', summary: 'Writes.', confirmLabel: 'Write' }
        },
        run: async (_, ctx) => {
          begun.run.resolve([ctx.signal, ctx.cancelled])
          await goOn?.promise
          applied?.resolve()
          return {}
        },
      }),
    ],
  })
  atEnd(() => server.close())
  const untilGone = async ({ signal }: Pick<ToolContext, 'signal'>): Promise<void> => {
    begun.preview.resolve(signal)
    if (!signal.aborted) await once(signal, 'abort')
    ended?.resolve()
  }
  return { server, begun, ended: ended?.promise, goOn, applied: applied?.promise }
}

type Send = (body: object, more?: { readonly session?: string; readonly signal?: AbortSignal }) => Promise<Response>

const doors: Readonly<Record<string, (server: Countersign) => Promise<Send>>> = {
  fetch: (server) =>
    Promise.resolve(sender('http://localhost/mcp', (url, init) => server.fetch(new Request(url, init)))),
  http: async (server) => {
    const web = await server.http({ port: 0 })
    atEnd(() => web.close())
    return sender(web.mcpUrl, fetch)
  },
}

const sender =
  (url: string, ask: (url: string, init: RequestInit) => Promise<Response>): Send =>
  (body, { session, signal } = {}) =>
    ask(url, {
      method: 'POST',
      headers: { ...headers, ...(session === undefined ? {} : { 'mcp-session-id': session }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      ...(signal === undefined ? {} : { signal }),
    })

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}
const write = (args: object) => ({
  method: 'tools/call',
  params: { name: 'notes_write', arguments: { rationale: 'The test asks for it.', ...args } },
})

const begunSession = async (send: Send): Promise<string> =>
  (await send(initialize)).headers.get('mcp-session-id') ?? expect.unreachable()

describe.each(Object.entries(doors))('over %s', (_, open) => {
  const asked = {
    'a preview': write({ waits: true }),
    'a resource': { method: 'resources/read', params: { uri: 'notes://all' } },
  }
  const cases = Object.entries(asked).flatMap(([what, body]) =>
    [true, false].map((inSession) => [what, inSession ? 'in a session' : 'without one', { body, inSession }] as const),
  )

  test.each(cases)('%s %s hears that nobody waits any more', async (_what, _where, { body, inSession }) => {
    const { server, begun, ended } = waiting()
    const send = await open(server)
    const session = inSession ? { session: await begunSession(send) } : {}
    const leaving = new AbortController()
    const answer = send(body, { ...session, signal: leaving.signal }).catch(() => undefined)
    expect((await begun.preview.promise).aborted).toBe(false)
    leaving.abort()
    await ended
    await answer
  })

  test('a run goes on to its end', async () => {
    const { server, begun, goOn, applied } = waiting()
    const send = await open(server)
    const session = await begunSession(send)
    const preview = (await (await send(write({ waits: false }), { session })).json()) as {
      readonly result: { readonly structuredContent: { readonly plan_id: string } }
    }
    const ticket = preview.result.structuredContent.plan_id
    const leaving = new AbortController()
    const confirmed = write({ waits: false, preview: false, ticket })
    const answer = send(confirmed, { session, signal: leaving.signal }).catch(() => undefined)
    const signals = await begun.run.promise
    leaving.abort()
    goOn?.resolve()
    await applied
    await answer
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false, false])
    const again = await (await send(confirmed, { session })).text()
    expect(again).toContain('replayed')
  })
})
