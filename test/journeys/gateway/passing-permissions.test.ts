// A server's resources and prompts are reached as its tools are: by who may, with a row for each request. Who may not is
// told no more than that there is nothing.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { atEnd, place } from '../at-end.ts'
import { gatewayFile, officialServer } from './reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const uri = 'demo://resource/dynamic/text/42'
const low = { risk: 'low', operation: 'read' }

/** A running gateway or wrapped server, with its settings. */
interface Place {
  readonly config: string
  readonly mcp: URL
}

let crm: Place

beforeAll(async () => {
  const tools = { echo: { ...low, permissions: ['crm:delete'] }, 'toggle-simulated-logging': low }
  crm = await start('wrap', { crm: officialServer('everything', [], { permissions: ['crm:read'], tools }) })
})

async function start(command: 'wrap' | 'gateway', servers: Parameters<typeof gatewayFile>[0]): Promise<Place> {
  const config = gatewayFile(servers, { db: join(place(), 'passing.db'), access: { mode: 'tokens' } })
  return { config, mcp: (await webHere([command, '--config', config, '--http', '0'])).mcp }
}

async function clientOf(tenant: string, permissions: string, { config, mcp } = crm): Promise<Client> {
  const line = ['token', 'create', '--subject', 'bot', '--tenant', tenant, '--permissions', permissions]
  const made = await runCommand([...line, '--config', config])
  const client = new Client({ name: tenant, version: '1' })
  const headers = { authorization: `Bearer ${made.stdout.trim()}` }
  await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit: { headers } }))
  atEnd(() => client.close())
  await client.listTools()
  return client
}

interface Told {
  readonly code?: number
  readonly message?: string
}

const toldTo = async (ask: Promise<unknown>): Promise<Told> => {
  try {
    return { message: JSON.stringify(await ask) }
  } catch (error) {
    const { code, message } = error as Required<Told>
    return { code, message }
  }
}

const asks = (client: Client, address: string, prompt: string): Readonly<Record<string, () => Promise<unknown>>> => ({
  'resources/read': () => client.readResource({ uri: address }),
  'resources/subscribe': () => client.subscribeResource({ uri: address }),
  'prompts/get': () => client.getPrompt({ name: prompt, arguments: { department: 'x', name: 'y' } }),
  'completion/complete': () =>
    client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'department', value: 'E' } }),
})

test.each(['crm:read', 'crm:delete', 'other'])(
  'a token with %s alone is refused the tool, and is told the same of what is there and what is not',
  async (permissions) => {
    const client = await clientOf('stranger', permissions)
    expect(await client.callTool({ name: 'echo', arguments: { message: 'hi' } })).toMatchObject({ isError: true })
    const [there, nowhere] = [asks(client, uri, 'completable-prompt'), asks(client, 'crm://nothing', 'nothing')]
    for (const [method, ask] of Object.entries(there)) {
      const [is, is_not] = [await toldTo(ask()), await toldTo(nowhere[method]?.() ?? Promise.resolve())]
      const plain = ({ code, message = '' }: Told, name: string): Told => ({
        ...(code === undefined ? {} : { code }),
        message: message.replaceAll(name, '…'),
      })
      const name = method.startsWith('resources') ? uri : 'completable-prompt'
      const other = method.startsWith('resources') ? 'crm://nothing' : 'nothing'
      expect([method, plain(is, name)]).toStrictEqual([method, plain(is_not, other)])
      expect([method, is.code]).toStrictEqual([method, expect.any(Number)])
    }
    const lists = [
      (await client.listResources()).resources.filter((each) => each.uri.startsWith('demo://')),
      (await client.listResourceTemplates()).resourceTemplates.filter((each) => each.uriTemplate.startsWith('demo://')),
      (await client.listPrompts()).prompts,
    ]
    expect(lists).toStrictEqual([[], [], []])
  },
)

test('a token with all that the server and its tools take has everything, and each request is a row', async () => {
  const client = await clientOf('owner', 'crm:read,crm:delete')
  for (const ask of Object.values(asks(client, uri, 'completable-prompt'))) await expect(ask()).resolves.toBeDefined()
  await client.setLoggingLevel('error')
  await client.unsubscribeResource({ uri })
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
  expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(1)
  await client.listResources()
  const rows = await rowsOf('owner')
  expect(rows.map(({ tool, status }) => [tool, status])).toEqual(
    [
      'resources/read',
      'resources/subscribe',
      'prompts/get',
      'completion/complete',
      'logging/setLevel',
      'resources/unsubscribe',
      'prompts/list',
      'resources/templates/list',
      'resources/list',
    ].map((tool) => [tool, 'ok']),
  )
  expect(rows[0]).toMatchObject({ arguments: { uri }, subject: 'bot' })
})

test('what was refused stands in the record with the reason that the caller was not told', async () => {
  const client = await clientOf('outsider', 'crm:read')
  const told = await toldTo(client.readResource({ uri }))
  expect(told.message).not.toContain('crm:delete')
  const [row] = await rowsOf('outsider')
  expect(row).toMatchObject({
    tool: 'resources/read',
    error_code: 'permission_denied',
    error_message: expect.stringContaining('Missing: crm:delete'),
  })
})

test('what failed at a server that the caller may use is no refusal, though they may not use another', async () => {
  const open = officialServer('everything')
  const both = await start('gateway', { open, closed: officialServer('everything', [], { permissions: ['crm:read'] }) })
  const client = await clientOf('guest', 'other', both)
  const prompt = (name: string) => toldTo(client.getPrompt({ name, arguments: { department: 'x' } }))
  for (const name of ['args-prompt', 'closed:args-prompt'])
    expect([name, (await prompt(name)).code]).toEqual([name, -32602])
  expect(await rowsOf('guest', both)).toMatchObject([
    { tool: 'prompts/get', status: 'failed', error_code: 'jsonrpc_-32602' },
    { tool: 'prompts/get', status: 'refused', error_code: 'permission_denied' },
  ])
})

interface Row {
  readonly tool: string
  readonly status: string
  readonly [key: string]: unknown
}

/** A tenant's rows about what passes, the oldest first; the end of one is written after its answer. */
const rowsOf = (tenant: string, { config } = crm): Promise<readonly Row[]> =>
  eventually(async () => {
    const exported = await runCommand([
      'activity',
      'export',
      '--format',
      'json',
      '--tenant',
      tenant,
      '--config',
      config,
    ])
    const rows = (JSON.parse(exported.stdout) as readonly Row[]).filter(({ tool }) => tool.includes('/'))
    expect(rows.map(({ status }) => status)).not.toContain('open')
    return rows
  })
