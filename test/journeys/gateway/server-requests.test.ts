// A server behind Countersign may speak, too: log messages, changed resources, completions; and where it has one client, it
// may ask that client for what it can do. The server is the official one, which tries all of that.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  type CallToolResult,
  type ClientCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rationale } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { gatewayFile, officialServer, misbehavingServer, type Entry } from './reach.ts'
import { until } from './ledger.ts'
import { stdioHere, webHere } from '../in-process.ts'

const low = { risk: 'low', operation: 'read' }
const everything = officialServer('everything', [], {
  tools: {
    'trigger-sampling-request': low,
    'trigger-elicitation-request': low,
    'toggle-simulated-logging': low,
    'toggle-subscriber-updates': low,
  },
})

interface Person {
  readonly client: Client
  /** What the server asked the person's client for, and said to it. */
  readonly asked: string[]
  readonly logged: { readonly level: string; readonly logger?: string | undefined; readonly data: unknown }[]
  readonly updated: string[]
  call(tool: string, args?: object): Promise<CallToolResult>
}

/** For how long the server behind `wrap` may be silent: long enough for its answers on a busy machine. */
const silentMs = 3000

const able: ClientCapabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } }

function person(capabilities: ClientCapabilities, door: 'own-name' | 'gateway'): Person {
  const client = new Client({ name: 'asked', version: '1' }, { capabilities })
  const [asked, logged, updated]: [string[], Person['logged'], string[]] = [[], [], []]
  if (capabilities.sampling !== undefined)
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push(`sampling: ${JSON.stringify(params.messages[0]?.content)}`)
      return { model: 'test', role: 'assistant', content: { type: 'text', text: 'sampled words' } }
    })
  if (capabilities.elicitation !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(`elicitation: ${params.message}`)
      // Longer than this server's own time for silence: whoever asks a person must wait for a person.
      if (door === 'own-name') await new Promise((resolve) => setTimeout(resolve, silentMs + 500))
      return { action: 'accept', content: { name: 'Ada Lovelace' } }
    })
  if (capabilities.roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tmp/ada', name: 'ada' }] }))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
  return {
    client,
    asked,
    logged,
    updated,
    call: async (name, args = {}) =>
      (await client.callTool(
        door === 'own-name'
          ? { name, arguments: { rationale, ...args } }
          : {
              name: 'call_tool_read',
              arguments: {
                name: `everything:${name}`,
                args_json: JSON.stringify(args),
                intent: { operation_type: 'read', reason: rationale },
              },
            },
      )) as CallToolResult,
  }
}

async function overStdio(line: readonly string[], capabilities: ClientCapabilities, door: 'own-name' | 'gateway') {
  const one = person(capabilities, door)
  await one.client.connect(stdioHere(line).transport)
  atEnd(() => one.client.close())
  return one
}

async function overHttp(url: URL, door: 'own-name' | 'gateway') {
  const one = person(able, door)
  await one.client.connect(new StreamableHTTPClientTransport(url))
  atEnd(() => one.client.close())
  return one
}

const wrapLine = (more: Entry = {}, ...options: readonly string[]): readonly string[] => [
  'wrap',
  '--config',
  gatewayFile({ everything: { ...everything, ...more } }),
  '--db',
  freshDatabase(),
  ...options,
]
const gatewayLine = (): readonly string[] => [
  'gateway',
  '--config',
  gatewayFile({ everything, rude: misbehavingServer('polite', join(place(), 'ledger')) }),
  '--db',
  freshDatabase(),
]

const text = (result: CallToolResult): string => JSON.stringify(result.content)

describe.each([
  ['wrap', 'own-name', () => wrapLine({ timeout_ms: silentMs })],
  ['gateway of two', 'gateway', gatewayLine],
] as const)('a server behind a %s over stdio', (kind, door, line) => {
  let one: Person
  beforeAll(async () => {
    one = await overStdio(line(), able, door)
  })

  test('asks the model of its client', async () => {
    const result = await one.call('trigger-sampling-request', { prompt: 'hello' })
    expect(text(result)).toContain('sampled words')
    expect(one.asked.join()).toContain('hello')
  })

  test('asks the person, who may take longer than a call may be silent, and sees who is asking', async () => {
    const result = await one.call('trigger-elicitation-request')
    expect(text(result)).toContain('Ada Lovelace')
    const question = one.asked.find((each) => each.startsWith('elicitation'))
    expect(question).toMatch(/^elicitation: everything asks: /)
  })

  test('is told the roots', async () => {
    expect(text(await one.call('get-roots-list'))).toContain('file:///tmp/ada')
  })

  test('completes arguments', async () => {
    const { completion } = await one.client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    })
    expect(completion.values).toEqual(['Engineering'])
    await expect(
      one.client.complete({ ref: { type: 'ref/prompt', name: 'nowhere' }, argument: { name: 'a', value: '' } }),
    ).rejects.toThrow('There is no prompt "nowhere"')
  })

  test('says what changed to whoever subscribed, and nothing any more afterwards', async () => {
    const uri = 'demo://resource/dynamic/text/1'
    await one.client.subscribeResource({ uri })
    await one.call('toggle-subscriber-updates')
    await until(() => one.updated.includes(uri))
    await one.client.unsubscribeResource({ uri })
    await one.call('toggle-subscriber-updates')
  })

  test('writes log messages from the level that its client wants', async () => {
    await one.client.setLoggingLevel('debug')
    await one.call('toggle-simulated-logging')
    await until(() => one.logged.some(({ data }) => /level|Level/.test(JSON.stringify(data))))
    if (kind !== 'wrap') expect(one.logged[0]?.logger).toMatch(/^everything(\/|$)/)
    const loud = { method: 'logging/setLevel', params: { level: 'loud' } }
    await expect(one.client.request(loud as never, z.unknown())).rejects.toThrow(
      'needs params.level, one of debug, info',
    )
  })
})

test('what the client cannot do is not announced to the server', async () => {
  const one = await overStdio(wrapLine(), {}, 'own-name')
  const names = (await one.client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('echo')
  expect(names.filter((name) => /sampling|elicitation|roots/.test(name))).toEqual([])
})

test('over HTTP a server is told that nobody can be asked; levels, completions and subscriptions work', async () => {
  const { mcp } = await webHere(wrapLine({}, '--http', '0'))
  const one = await overHttp(mcp, 'own-name')
  const names = (await one.client.listTools()).tools.map(({ name }) => name)
  expect(names.filter((name) => /sampling|elicitation|roots/.test(name))).toEqual([])
  await one.client.setLoggingLevel('debug')
  const uri = 'demo://resource/dynamic/text/1'
  await one.client.subscribeResource({ uri })
  // Its server says by a log message that it has heard of the subscription.
  await until(() => one.logged.some(({ data }) => JSON.stringify(data).includes(uri)))
  await one.call('toggle-subscriber-updates')
  await until(() => one.updated.includes(uri))
  const { completion } = await one.client.complete({
    ref: { type: 'ref/prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'S' },
  })
  expect(completion.values.length).toBeGreaterThan(0)
})
