// A client of MCP 2026-07-28 follows single resources of servers behind a gateway (`subscriptions/listen`), whichever version of the
// protocol those speak.
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { rationale } from '../agent.ts'
import { atEnd, freshDatabase } from '../at-end.ts'
import { startWithStdio, stdioHere, webHere } from '../in-process.ts'
import { eventually, notesOverHttp, notesOverStdio, wrapLine } from './modern-notes.ts'
import { gatewayFile, officialServer } from './reach.ts'

type Transport = Parameters<Client['connect']>[0]

interface Reader {
  readonly client: Client
  /** What it was told has changed. */
  readonly updated: string[]
  readonly call: (tool: string) => Promise<string>
}

async function reader(transport: Transport): Promise<Reader> {
  const client = new Client({ name: 'reader', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const updated: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
  await client.connect(transport)
  atEnd(() => client.close())
  return {
    client,
    updated,
    call: async (name) => JSON.stringify(await client.callTool({ name, arguments: { rationale } })),
  }
}

type Line = readonly string[]

const overStdio = (line: Line): Promise<Reader> => reader(stdioHere(line).transport as object as Transport)

const addressOf = async (line: Line): Promise<URL> => (await webHere([...line, '--http', '0'])).mcp

const overHttp = async (line: Line): Promise<Reader> => reader(new StreamableHTTPClientTransport(await addressOf(line)))

const low = { risk: 'low', operation: 'read' }
const everything = officialServer('everything', [], { tools: { 'toggle-subscriber-updates': low } })

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
] as const)('a client over %s', (_, connect) => {
  test.each([
    ['over stdio', notesOverStdio],
    ['over HTTP', notesOverHttp],
  ] as const)(
    'is told of the resources that it follows at a server of its version %s, and of no others',
    async (__, open) => {
      const { entry } = await open()
      const one = await connect(wrapLine(entry))
      expect(one.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true })
      await one.call('get_touched')
      const stream = await one.client.listen({ resourceSubscriptions: ['notes://all'] })
      expect(stream.honoredFilter).toEqual({ resourceSubscriptions: ['notes://all'] })
      await one.call('get_touched')
      await eventually(() => one.updated.length > 0)
      expect(one.updated).toEqual(['notes://all'])
      await stream.close()
    },
  )

  test('is told of the resources that it follows at a server of an older version', async () => {
    const one = await connect(wrapLine(everything))
    const uri = 'demo://resource/dynamic/text/1'
    await one.client.listen({ resourceSubscriptions: [uri] })
    await one.call('toggle-subscriber-updates')
    await eventually(() => one.updated.includes(uri))
  })

  test.each([
    ['is there', {}],
    ['has not been started', { start: 'lazy' }],
  ])(
    'is told for which of the resources it has asked nobody tells of changes, where another server %s',
    async (__, how) => {
      const two = gatewayFile({ everything, memory: officialServer('memory', [], how) })
      const one = await connect(['gateway', '--db', freshDatabase(), '--config', two])
      const uri = 'demo://resource/dynamic/text/1'
      const stream = await one.client.listen({ resourceSubscriptions: [uri, 'nowhere://at-all'] })
      expect(stream.honoredFilter).toEqual({ resourceSubscriptions: [uri] })
      await stream.close()
    },
  )

  test('is followed for as long as one of its streams is open, and no longer', async () => {
    const { entry } = await notesOverHttp()
    const one = await connect(wrapLine(entry))
    const count = async (wanted: string): Promise<boolean> => (await one.call('get_listeners')).includes(wanted)
    await eventually(() => count('1 listen'))
    const first = await one.client.listen({ resourceSubscriptions: ['notes://all'] })
    const second = await one.client.listen({ resourceSubscriptions: ['notes://all'] })
    await eventually(() => count('2 listen'))
    await first.close()
    await one.call('get_touched')
    await eventually(() => one.updated.length > 0)
    await second.close()
    await eventually(() => count('1 listen'))
  })
})

test('of two clients over HTTP who follow the same resource each is told once, and the one that does not follow it never', async () => {
  const { entry } = await notesOverHttp()
  const url = await addressOf(wrapLine(entry))
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => reader(new StreamableHTTPClientTransport(url))))
  if (one === undefined || two === undefined || three === undefined) throw new Error('unreachable')
  await one.client.listen({ resourceSubscriptions: ['notes://all'] })
  await two.client.listen({ resourceSubscriptions: ['notes://all'] })
  await three.client.listen({ toolsListChanged: true })
  await one.call('get_touched')
  await eventually(() => one.updated.length > 0 && two.updated.length > 0)
  // What would come twice, or to the third, has come by the end of another change.
  await one.call('get_touched')
  await eventually(() => one.updated.length > 1 && two.updated.length > 1)
  expect([one.updated, two.updated, three.updated].map(({ length }) => length)).toEqual([2, 2, 0])
})

test('a request to listen over stdio that is refused for what it says of its client follows nothing', async () => {
  const { entry } = await notesOverHttp()
  const { stdin, stdout } = startWithStdio(wrapLine(entry))
  const answers = new Map<unknown, string>()
  createInterface({ input: stdout }).on('line', (line) =>
    answers.set((JSON.parse(line) as { readonly id?: unknown }).id, line),
  )
  const version = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  }
  const meta = { ...version, 'io.modelcontextprotocol/clientCapabilities': {} }
  let id = 0
  const ask = async (method: string, params: object): Promise<string> => {
    id++
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    await eventually(() => answers.has(id))
    return answers.get(id) ?? ''
  }
  const count = async (wanted: string): Promise<boolean> =>
    (await ask('tools/call', { _meta: meta, name: 'get_listeners', arguments: { rationale } })).includes(wanted)
  await eventually(() => count('1 listen'))
  const notifications = { resourceSubscriptions: ['notes://all'] }
  expect(await ask('subscriptions/listen', { _meta: version, notifications })).toContain('error')
  await eventually(() => count('1 listen'))
})
