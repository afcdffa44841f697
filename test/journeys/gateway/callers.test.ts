// Several callers on one server behind: what one of them asks for there is counted as theirs, whatever it is, and nobody
// ends what another one has asked for.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { rationale } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { until } from './ledger.ts'
import { gatewayFile, officialServer } from './reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const low = { risk: 'low', operation: 'read' }
const uri = 'demo://resource/dynamic/text/1'

let config: string
let mcp: URL

beforeAll(async () => {
  config = gatewayFile(
    { everything: officialServer('everything', [], { tools: { echo: low, 'toggle-subscriber-updates': low } }) },
    { db: join(place(), 'callers.db'), access: { mode: 'tokens' }, limits: { calls_per_minute: 4 } },
  )
  mcp = (await webHere(['wrap', '--config', config, '--http', '0'])).mcp
})

interface Person {
  readonly client: Client
  readonly authorization: string
  readonly session: string
  readonly updated: string[]
}

async function person(subject: string): Promise<Person> {
  const made = await runCommand(['token', 'create', '--subject', subject, '--permissions', '*', '--config', config])
  const authorization = `Bearer ${made.stdout.trim()}`
  const client = new Client({ name: subject, version: '1' })
  const updated: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => undefined)
  const transport = new StreamableHTTPClientTransport(mcp, { requestInit: { headers: { authorization } } })
  await client.connect(transport)
  atEnd(() => client.close())
  // Waits for the server behind; what is listed here is ours, and is not counted.
  await client.listTools()
  return { client, authorization, session: transport.sessionId ?? '', updated }
}

describe('what passes to a server behind', () => {
  test('is counted with the calls of its caller, and is refused with the time to wait where there were too many', async () => {
    const [carol, dave] = [await person('carol'), await person('dave')]
    const department = { ref: { type: 'ref/prompt', name: 'completable-prompt' } as const }
    const requests = {
      'resources/read': () => carol.client.readResource({ uri }),
      'prompts/get': () => carol.client.getPrompt({ name: 'simple-prompt' }),
      'completion/complete': () =>
        carol.client.complete({ ...department, argument: { name: 'department', value: 'E' } }),
      'logging/setLevel': () => carol.client.setLoggingLevel('error'),
      'resources/subscribe': () => carol.client.subscribeResource({ uri }),
      'resources/list': () => carol.client.listResources(),
      'resources/templates/list': () => carol.client.listResourceTemplates(),
      'prompts/list': () => carol.client.listPrompts(),
    }
    for (const ask of Object.values(requests).slice(0, 4)) await ask()
    for (const [method, ask] of Object.entries(requests))
      await expect(ask()).rejects.toMatchObject({
        code: -32005,
        message: expect.stringMatching(
          new RegExp(`${method} was not called: you have made more than 4 calls in a minute\\. Wait \\d+ seconds`),
        ),
        data: { code: 'too_many_calls', retry_after_seconds: expect.any(Number) },
      })
    expect(await carol.client.callTool({ name: 'echo', arguments: { message: 'x' } })).toMatchObject({
      isError: true,
      _meta: { 'countersign/guidance': { error_type: 'too_many_calls' } },
    })
    // What is ours to tell is still told, and nobody else is concerned.
    expect((await carol.client.listTools()).tools.length).toBeGreaterThan(0)
    await expect(carol.client.readResource({ uri: 'countersign://contracts/echo' })).resolves.toBeDefined()
    await expect(dave.client.readResource({ uri })).resolves.toBeDefined()
  })
})

describe('a session', () => {
  const end = async ({ authorization }: Person, session: string): Promise<number> =>
    (await fetch(mcp, { method: 'DELETE', headers: { authorization, 'mcp-session-id': session } })).status

  test('is ended by who began it, and by nobody else who knows its name', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')]
    const hears = async ({ updated }: Person) => {
      const heard = updated.length
      await until(() => updated.length > heard)
    }
    for (const { client } of [ada, bob]) await client.subscribeResource({ uri })
    await ada.client.callTool({ name: 'toggle-subscriber-updates', arguments: { rationale } })
    expect(await end(bob, ada.session)).toBe(404)
    expect(await end(bob, 'nobody')).toBe(404)
    await hears(ada)
    expect(await end(ada, ada.session)).toBe(200)
    // What was on its way to her by then may still arrive.
    await hears(bob)
    const heard = ada.updated.length
    await hears(bob)
    expect(ada.updated.length).toBe(heard)
  })
})
