// What a tool learns of its call beside the arguments, door by door: the request, who calls and what is said of them, the log,
// and the reader's languages.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  createCountersign,
  type Countersign,
  type CountersignOptions,
  type ToolContext,
} from '../../../server/index.ts'
import { confirm, connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { readTool, writeTool } from '../../kit/tools.ts'
import { agentClient, startAuthorizationServer } from '../login/authorization-server.ts'

type Seen = Pick<ToolContext, 'principal' | 'request' | 'locales'> & { readonly stage: string }

/** A tool that notes what each of its functions is given. */
function noting(note: (seen: Seen, ctx: ToolContext) => void) {
  const noted = (stage: string, ctx: ToolContext): void =>
    note({ stage, principal: ctx.principal, request: ctx.request, locales: ctx.locales }, ctx)
  return writeTool({
    name: 'notes.write',
    input: z.strictObject({ password: z.string().optional() }),
    output: z.object({}),
    secrets: { arguments: ['/password'] },
    preview: (_, ctx) => {
      noted('preview', ctx)
      return { title: 'Write', summary: 'Writes.', confirmLabel: 'Write' }
    },
    run: (_, ctx) => {
      noted('run', ctx)
      return {}
    },
  })
}

const made = (options: CountersignOptions): Countersign => {
  const server = createCountersign({ store: join(place(), 'notes.db'), ...options })
  atEnd(() => server.close())
  return server
}

const client = ({ fetch }: Countersign, headers: Readonly<Record<string, string>>): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (address, init) => fetch(new Request(address, init)),
      requestInit: { headers },
    }),
  )

const byRole: CountersignOptions['principalOf'] = ({ headers }) => ({
  tenant: 'acme',
  subject: 'ada',
  claims: { role: headers.get('x-role') ?? 'none', teams: ['a', 'b'] },
})

describe('a tool', () => {
  test('is given the request, the claims of this very call and the whole languages of its reader', async () => {
    const seen: Seen[] = []
    const server = made({ tools: [noting((one) => seen.push(one))], principalOf: byRole })
    const ada = await client(server, { 'x-role': 'owner', 'accept-language': 'pt-BR, de-CH;q=0.8' })
    expect((await confirm(ada, await ada.call('notes_write'))).status).toBe('applied')
    expect(seen.map(({ stage }) => stage)).toStrictEqual(['preview', 'run'])
    for (const { principal, request, locales } of seen) {
      expect(principal).toStrictEqual({ tenant: 'acme', subject: 'ada', claims: { role: 'owner', teams: ['a', 'b'] } })
      expect(request).toMatchObject({ method: 'POST', url: 'http://localhost/mcp', client: 'journey' })
      expect(request?.headers.get('x-role')).toBe('owner')
      expect(locales.slice(0, 2)).toStrictEqual(['pt-BR', 'de-CH'])
    }
  })

  test('is given nothing of a request where there is none', async () => {
    const seen: Seen[] = []
    const server = made({ tools: [noting((one) => seen.push(one))] })
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
    const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
    const mine = new McpServer({ name: 'mine', version: '1.0.0' })
    await server.attach(mine)
    const [near, far] = InMemoryTransport.createLinkedPair()
    await mine.connect(far)
    await (await connect(near)).call('notes_write')
    expect(seen).toMatchObject([{ request: undefined, principal: { tenant: 'default' } }])
    expect(seen[0]?.principal).not.toHaveProperty('claims')
  })
})

describe('claims', () => {
  test('are no part of who a plan is for, and are not stored', async () => {
    const seen: Seen[] = []
    const store = join(place(), 'notes.db')
    const server = made({ store, tools: [noting((one) => seen.push(one))], principalOf: byRole })
    const before = await client(server, { 'x-role': 'a-role-of-before' })
    const after = await client(server, { 'x-role': 'a-role-of-later' })
    expect((await confirm(after, await before.call('notes_write'))).status).toBe('applied')
    expect(seen.map(({ principal }) => principal.claims?.['role'])).toStrictEqual([
      'a-role-of-before',
      'a-role-of-later',
    ])
    await server.close()
    for (const part of [store, `${store}-wal`])
      expect(readFileSync(part, { encoding: 'latin1', flag: 'a+' })).not.toContain('a-role-of')
  })

  test('that are no JSON keep everybody out, and the log says which', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const server = made({
      tools: [],
      principalOf: () => ({ tenant: 'acme', subject: 'ada', claims: { now: new Date() as unknown as string } }),
    })
    const answer = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', body: '{}' }))
    expect(answer.status).toBe(503)
    expect(said.mock.calls.join('')).toContain('claims')
    said.mockRestore()
  })

  test('of a verified token reach the tool, and missingPermissions', async () => {
    const issuer = await startAuthorizationServer(['notes:write'])
    const config = join(place(), 'countersign.json')
    writeFileSync(
      config,
      JSON.stringify({
        access: { mode: 'jwt', jwt: { issuer, tenant_claim: 'org' } },
        http: { public_url: 'http://localhost' },
      }),
    )
    const [seen, asked]: [Seen[], unknown[]] = [[], []]
    const server = made({
      config,
      tools: [noting((one) => seen.push(one))],
      missingPermissions: (principal) => {
        asked.push(principal.claims?.['org'])
        return []
      },
    })
    const basic = Buffer.from(`${agentClient.id}:${encodeURIComponent(agentClient.secret)}`).toString('base64')
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'notes:write',
        resource: 'http://localhost/mcp',
      }).toString(),
    })
    const { access_token: token } = (await response.json()) as { readonly access_token: string }
    const agent = await client(server, { authorization: `Bearer ${token}` })
    await agent.call('notes_write')
    expect(seen).toMatchObject([{ principal: { tenant: 'acme', claims: { org: 'acme', iss: issuer } } }])
    expect(new Set(asked)).toStrictEqual(new Set(['acme']))
    const refused = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', body: '{}' }))
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
    expect(await (await server.fetch(new Request(metadata))).json()).toMatchObject({ resource: 'http://localhost/mcp' })
  })
})

test('what a tool writes into the log says of which call it is, and no secret', async () => {
  const lines: string[] = []
  const said = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  const tool = noting(({ stage }, { log }) => {
    log.warn(`In ${stage} with hunter2-and-more`, {
      token: 'abc',
      size: 3,
      about: { password: 'x', of: 'hunter2-and-more' },
    })
  })
  const server = made({ tools: [tool], principalOf: byRole })
  const ada = await client(server, {})
  const preview = await ada.call('notes_write', { password: 'hunter2-and-more' })
  expect((await confirm(ada, preview)).status).toBe('applied')
  said.mockRestore()
  const logged = lines.filter((line) => line.includes('"msg":"In ')).map((line) => JSON.parse(line) as object)
  expect(logged).toMatchObject([
    { level: 'warn', msg: 'In preview with [redacted]', tool: 'notes_write', call: expect.any(String), size: 3 },
    { msg: 'In run with [redacted]', tool: 'notes_write', plan: preview.planId, token: '[redacted]' },
  ])
  expect(JSON.stringify(logged)).not.toContain('hunter2')
})

test('a read over REST is given its request, and the name that its caller gives itself', async () => {
  const seen: unknown[] = []
  const look = readTool({
    name: 'notes.read',
    input: z.strictObject({}),
    output: z.object({}),
    run: (_, { request, principal }) => {
      seen.push([request?.client, request?.headers.get('x-role'), principal.claims?.['role']])
      return {}
    },
  })
  const web = await made({ tools: [look], principalOf: byRole }).http({ port: 0 })
  atEnd(() => web.close())
  await fetch(`${web.url}/api/v1/tools/notes_read`, {
    method: 'POST',
    headers: { 'x-role': 'owner', 'x-countersign-client': 'cron' },
    body: JSON.stringify({ rationale: 'The test asks for it.' }),
  })
  expect(seen).toStrictEqual([['cron', 'owner', 'owner']])
})
