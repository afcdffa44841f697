// The handler that a program mounts wherever it likes: asked as a platform asks it, with web requests and nothing listening.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import {
  createCountersign,
  CountersignError,
  type Countersign,
  type CountersignOptions,
} from '../../../server/index.ts'
import { confirm, connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { runCommand } from '../terminal.ts'
import { writeTool } from '../../kit/tools.ts'

const written: string[] = []
const noteTool = writeTool({
  name: 'notes.write',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string() }),
  run: ({ name }, { principal }) => {
    written.push(`${name} by ${principal.subject}`)
    return { name }
  },
})

const byKey: CountersignOptions['principalOf'] = ({ headers }) => {
  const user = /^Bearer (\w+)-key$/.exec(headers.get('authorization') ?? '')?.[1]
  return user === undefined ? undefined : { tenant: 'default', subject: user }
}

const countersign = (options: Partial<CountersignOptions> = {}): Countersign => {
  const made = createCountersign({
    store: join(place(), 'notes.db'),
    tools: [noteTool],
    principalOf: byKey,
    ...options,
  })
  atEnd(() => made.close())
  return made
}

/** A client whose requests go to the handler and over no network. */
const as = (user: string, { fetch }: Countersign, url = 'http://localhost/mcp'): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL(url), {
      fetch: (address, init) => fetch(new Request(address, init)),
      requestInit: { headers: { authorization: `Bearer ${user}-key` } },
    }),
  )

const post = ({ fetch }: Countersign, { body = ping, url = 'http://localhost/mcp', ...more }: Partial<Post> = {}) =>
  fetch(
    new Request(url, {
      method: 'POST',
      body,
      ...(more.signal === undefined ? {} : { signal: more.signal }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer ada-key',
        ...more.headers,
      },
    }),
  )

interface Post {
  readonly body: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as {
    readonly error: { readonly message: string; readonly data: { readonly code: string } }
  }
  return { status: response.status, code: error.data.code, message: error.message }
}

describe('a mounted handler', () => {
  test('previews and applies, at whatever path it is mounted, without the object that it is of', async () => {
    const server = countersign()
    for (const path of ['/', '/mcp', '/api/agents/mcp']) {
      const ada = await as('ada', server, `http://localhost${path}`)
      const preview = await ada.call('notes_write', { name: path })
      expect(preview.status).toBe('previewed')
      expect((await confirm(ada, preview)).status).toBe('applied')
      expect(written.filter((each) => each === `${path} by ada`)).toHaveLength(1)
    }
  })

  test('refuses another caller’s ticket, and who is not known', async () => {
    const server = countersign()
    const [ada, eve] = [await as('ada', server), await as('eve', server)]
    const preview = await ada.call('notes_write', { name: 'mine' })
    expect((await confirm(eve, preview)).status).toBe('refused')
    expect(await errorOf(await post(server, { headers: { authorization: 'none' } }))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    })
  })

  test('says to whoever mounts it without saying who calls what is missing, and lets nobody in', async () => {
    const server = createCountersign({ tools: [noteTool], store: join(place(), 'notes.db') })
    atEnd(() => server.close())
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const refused = await errorOf(await post(server))
    expect(refused).toMatchObject({ status: 500, code: 'access-not-configured' })
    expect(refused.message).toContain('Give createCountersign a principalOf')
    expect(said.mock.calls.join('')).toContain('principalOf')
    said.mockRestore()
  })

  test('takes the secret of COUNTERSIGN_ACCESS_SECRET where no program says who calls', async () => {
    vi.stubEnv('COUNTERSIGN_ACCESS_SECRET', 'a-secret-that-is-long-enough')
    onTestFinished(() => void vi.unstubAllEnvs())
    const server = createCountersign({ tools: [noteTool], store: join(place(), 'notes.db') })
    atEnd(() => server.close())
    expect((await post(server)).status).toBe(401)
    const headers = { authorization: 'Bearer a-secret-that-is-long-enough' }
    expect((await post(server, { headers })).status).toBe(200)
  })
})

describe('access as the settings say it', () => {
  const settings = (access: object): string => {
    const file = join(place(), 'countersign.json')
    writeFileSync(file, JSON.stringify({ db: 'notes.db', access }))
    return file
  }
  const configured = (config: string): Countersign => {
    const server = createCountersign({ tools: [noteTool], config })
    atEnd(() => server.close())
    return server
  }

  test('lets in who has a token that an operator made, and nobody else', async () => {
    const config = settings({ mode: 'tokens' })
    const made = await runCommand(['token', 'create', '--config', config, '--subject', 'shop', '--expires', '1d'])
    const server = configured(config)
    expect((await post(server, { headers: { authorization: `Bearer ${made.stdout.trim()}` } })).status).toBe(200)
    expect(await errorOf(await post(server))).toMatchObject({ status: 401, code: 'invalid-token' })
  })

  test('lets everybody in where an operator has said so', async () => {
    const server = configured(settings({ mode: 'open', insecure_open: true }))
    expect((await post(server, { headers: { authorization: '' } })).status).toBe(200)
  })

  test('does not start with tokens of an authorization server that no client could be told of', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const jwt = { issuer: 'https://login.example', tenant: 'acme' }
    const refused = await errorOf(await post(configured(settings({ mode: 'jwt', jwt }))))
    expect(refused).toMatchObject({ status: 500, code: 'access-not-configured' })
    expect(refused.message).toContain('COUNTERSIGN_PUBLIC_URL')
    said.mockRestore()
  })
})

describe('what a page could do to a mounted handler', () => {
  test('is not done under a host name that points here by chance', async () => {
    const server = countersign()
    const refused = await errorOf(await post(server, { url: 'http://evil.example/mcp' }))
    expect(refused).toMatchObject({ status: 403, code: 'host-not-allowed' })
    expect(refused.message).toContain('http.allowed_hosts')
  })

  test('is not done from another origin, and is from the own and from one that is named', async () => {
    const server = countersign({
      fetch: { publicUrl: 'https://app.example', allowedOrigins: ['https://chat.example'] },
    })
    const from = (origin: string) => post(server, { url: 'https://app.example/mcp', headers: { origin } })
    expect(await errorOf(await from('https://evil.example'))).toMatchObject({ status: 403, code: 'origin-not-allowed' })
    expect((await from('https://app.example')).status).toBe(200)
    const named = await from('https://chat.example')
    expect(named.status).toBe(200)
    expect(named.headers.get('access-control-allow-origin')).toBe('https://chat.example')
  })

  test('refuses a setting that is none where it is made', () => {
    expect(() => countersign({ fetch: { publicUrl: 'app.example' } })).toThrow(CountersignError)
  })
})

describe('a request that is not as the protocol has it', () => {
  test('is refused where its body is too large, with or without its length', async () => {
    const server = countersign()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(2_100_000) } })
    expect(await errorOf(await post(server, { body }))).toMatchObject({ status: 413, code: 'body-too-large' })
    const length = String(Buffer.byteLength(body))
    expect((await post(server, { body, headers: { 'content-length': length } })).status).toBe(413)
  })

  test('gets no stream that says nothing', async () => {
    const server = countersign()
    const { status, headers } = await server.fetch(
      new Request('http://localhost/mcp', {
        headers: { accept: 'text/event-stream', authorization: 'Bearer ada-key' },
      }),
    )
    expect([status, headers.get('allow')]).toStrictEqual([405, 'POST, DELETE'])
  })
})

test('a client that goes away does not stop what has begun, and hears on its return how that ended', async () => {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = writeTool({
    name: 'notes.slow',
    input: z.strictObject({}),
    output: z.object({ done: z.boolean() }),
    run: async () => {
      begun.resolve()
      await goOn.promise
      return { done: true }
    },
  })
  const server = countersign({ tools: [slow] })
  const ada = await as('ada', server)
  const preview = await ada.call('notes_slow', {})
  const leaves = new AbortController()
  const args = { rationale: 'The test asks for it.', ticket: preview.data['plan_id'], preview: false }
  const gone = post(server, {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'notes_slow', arguments: args },
    }),
    signal: leaves.signal,
  })
  await begun.promise
  leaves.abort()
  goOn.resolve()
  await gone.catch(() => undefined)
  expect(await confirm(ada, preview)).toMatchObject({ status: 'replayed', data: { result: { done: true } } })
})

test('a database that is away at the first request is asked for again at the next', async () => {
  const folder = join(place(), 'later')
  const server = countersign({ store: join(folder, 'notes.db') })
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const refused = await errorOf(await post(server))
  expect(refused).toMatchObject({ status: 503, code: 'not-started' })
  expect(refused.message).not.toContain(folder)
  expect(said.mock.calls.join('')).toContain(folder)
  said.mockRestore()
  mkdirSync(folder)
  expect((await post(server)).status).toBe(200)
})

test('a server that was closed answers that it is, and opens nothing', async () => {
  const server = countersign()
  expect((await post(server)).status).toBe(200)
  await server.close()
  expect(await errorOf(await post(server))).toMatchObject({ status: 503, code: 'closing' })
})
