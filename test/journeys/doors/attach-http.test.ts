// An McpServer that somebody else serves over HTTP, with confirmed tools attached: several people call it, and each of
// them is somebody else to the tools, too.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, CountersignError, type CountersignOptions } from '../../../server/index.ts'
import { confirm, connect, ticketOf, type Agent, type AgentOptions } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { listening } from '../../kit/listening.ts'
import { writeTool } from '../../kit/tools.ts'

const erased: string[] = []

const eraseTool = writeTool({
  name: 'notes.erase',
  title: 'Erase a note',
  noun: 'the erasure',
  operation: 'destructive',
  risk: 'high',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string() }),
  idempotency: 'natural',
  basis: ({ name }) => name,
  preview: ({ name }) => ({ title: `Erase ${name}`, summary: `Erases ${name}.`, confirmLabel: 'Erase' }),
  run: ({ name }, { principal }) => {
    erased.push(`${name} by ${principal.subject}`)
    return { name }
  },
})

const countersign = (options: Partial<CountersignOptions>) => {
  const made = createCountersign({ name: 'Attached', store: join(place(), 'notes.db'), tools: [eraseTool], ...options })
  atEnd(() => made.close())
  return made
}

/** As an author's own middleware checks a credential; its whole record of the user goes with it. */
function authOf(request: IncomingMessage): AuthInfo | undefined {
  const token = /^Bearer (\w+)-key$/.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : { token, clientId: 'host', scopes: [], extra: { user: token } }
}

const byAuthInfo: CountersignOptions['principalOf'] = (_request, { authInfo }) => {
  const user = authInfo?.extra?.['user']
  return typeof user === 'string' ? { tenant: 'default', subject: user } : undefined
}

/** Serves an McpServer for each session, or for each request where there are none. Answers its address. */
async function serve(options: Partial<CountersignOptions>, sessions: boolean): Promise<URL> {
  const tools = countersign(options)
  const open = new Map<string, StreamableHTTPServerTransport>()
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport(
      sessions
        ? { sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => void open.set(id, transport) }
        : {},
    )
    const server = new McpServer({ name: 'mine', version: '1.0.0' })
    await tools.attach(server)
    await server.connect(transport)
    return transport
  }
  const web = createServer((request, response) => {
    const session = open.get(String(request.headers['mcp-session-id']))
    void Promise.resolve(session ?? begin()).then((transport) => {
      const auth = authOf(request)
      return transport.handleRequest(auth === undefined ? request : Object.assign(request, { auth }), response)
    })
  })
  const origin = await listening(web)
  atEnd(async () => {
    for (const transport of open.values()) await transport.close()
    web.closeAllConnections()
    web.close()
  })
  return new URL('/mcp', origin)
}

const as = (url: URL, user: string, options?: AgentOptions): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${user}-key` } } }),
    options,
  )

describe.each([
  ['with sessions', true],
  ['without sessions', false],
])('an attached server over HTTP %s', (_, sessions) => {
  test('refuses another caller’s ticket of high risk as it refuses an unknown one', async () => {
    const url = await serve({ principalOf: byAuthInfo }, sessions)
    const [ada, eve] = [await as(url, 'ada'), await as(url, 'eve')]
    const note = `plan ${String(sessions)}`
    const preview = await ada.call('notes_erase', { name: note })
    const unknown = 'cs1_00000000000000000000000000'
    const [stolen, guessed] = [await confirm(eve, preview), await confirm(eve, preview, { ticket: unknown })]
    expect(stolen).toMatchObject({ status: 'refused', isError: true })
    expect(stolen.guidance).toStrictEqual(guessed.guidance)
    expect(erased).not.toContain(`${note} by ada`)
    expect((await confirm(ada, preview)).status).toBe('applied')
    expect(erased.filter((each) => each.startsWith(note))).toStrictEqual([`${note} by ada`])
  })

  test('takes of a principal what it is, and leaves what the program keeps beside it', async () => {
    const url = await serve({ principalOf: () => ({ tenant: 'default', subject: 'ada', email: 'a@b.c' }) }, sessions)
    const ada = await as(url, 'ada')
    expect((await confirm(ada, await ada.call('notes_erase', { name: 'mail' }))).status).toBe('applied')
  })

  test('tells who is known to nobody so, and runs nothing', async () => {
    const url = await serve({ principalOf: byAuthInfo }, sessions)
    const stranger = await connect(new StreamableHTTPClientTransport(url))
    const reply = await stranger.call('notes_erase', { name: 'plan' })
    expect(reply).toMatchObject({ isError: true, card: undefined })
    expect(reply.text).toContain('does not know who is asking')
  })

  test('says nothing of why a principalOf broke', async () => {
    const url = await serve(
      {
        principalOf: () => {
          throw new Error('postgres://user:secret@db refused')
        },
      },
      sessions,
    )
    const reply = await (await as(url, 'ada')).call('notes_erase', { name: 'plan' })
    expect(reply.isError).toBe(true)
    expect(reply.text).toContain('could not find out who is asking')
    expect(reply.text).not.toContain('secret')
  })
})

describe('an attached server whose program cannot say who calls', () => {
  test('does not connect to a transport that serves HTTP, and says what is missing', async () => {
    const server = new McpServer({ name: 'mine', version: '1.0.0' })
    await countersign({}).attach(server)
    const transport = new StreamableHTTPServerTransport({})
    const error: unknown = await server.connect(transport).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CountersignError)
    expect((error as CountersignError).next).toContain('principalOf')
  })

  test('serves no request that brings a credential or a session, however it arrived', async () => {
    const server = new McpServer({ name: 'mine', version: '1.0.0' })
    await countersign({}).attach(server)
    const [near, far] = InMemoryTransport.createLinkedPair()
    const send = near.send.bind(near)
    near.send = (message) => send(message, { authInfo: { token: 'x', clientId: 'host', scopes: [] } })
    await server.connect(far)
    const reply = await (await connect(near)).call('notes_erase', { name: 'plan' })
    expect(reply.isError).toBe(true)
    expect(reply.text).toContain('principalOf')
  })
})

describe('what an attached server knows of its client', () => {
  test('is nothing where each request has a server of its own: such a client may show cards', async () => {
    const url = await serve({ principalOf: byAuthInfo }, false)
    for (const cards of [true, false]) {
      const ada = await as(url, 'ada', { cards })
      expect(ticketOf(await ada.call('notes_erase', { name: 'plan' }))).toMatch(/^cs1_/)
    }
  })

  test('is what it announced where there is a session: without cards no ticket and no tools for cards', async () => {
    const url = await serve({ principalOf: byAuthInfo }, true)
    const ada = await as(url, 'ada', { cards: false })
    expect(ada.tools.filter(({ name }) => name.startsWith('countersign_'))).toStrictEqual([])
    expect(JSON.stringify((await ada.call('notes_erase', { name: 'plan' })).raw)).not.toContain('cs1_')
    const shows = await as(url, 'ada')
    expect(shows.tools.map(({ name }) => name)).toContain('countersign_plan_status')
  })
})

test('a web door of its own takes the same principalOf, with more in its answer than is asked for', async () => {
  const tools = countersign({ principalOf: () => ({ tenant: 'default', subject: 'ada', roles: ['x'] }) })
  const web = await tools.http({ port: 0 })
  atEnd(() => web.close())
  const ada = await connect(new StreamableHTTPClientTransport(new URL(web.mcpUrl)))
  expect((await confirm(ada, await ada.call('notes_erase', { name: 'mail' }))).status).toBe('applied')
})
