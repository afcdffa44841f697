// Servers behind that speak MCP 2026-07-28 alone, which have no `initialize`: the SDK's own second generation without what it has
// for older clients, over stdio and over HTTP, in front of clients of both generations.
import { LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { confirm, type Agent } from '../agent.ts'
import { agentHere } from '../in-process.ts'
import { eventually, notesOverHttp, notesOverStdio, wrapLine, type Notes } from './modern-notes.ts'

const wrapped = ({ entry }: Notes): Promise<Agent> => agentHere(wrapLine(entry))

test('over HTTP an argument that its tool wants in a header is there, too', async () => {
  const agent = await wrapped(await notesOverHttp())
  expect((await agent.call('get_region', { region: 'us-west1' })).text).toContain('us-west1, in the header us-west1')
})

describe.each([
  ['stdio', notesOverStdio],
  ['HTTP', notesOverHttp],
] as const)('over %s', (_, open) => {
  test('a change is previewed without the server, and applied once', async () => {
    const behind = await open()
    const agent = await wrapped(behind)
    expect(agent.tools.map(({ name }) => name)).toContain('create_note')
    const preview = await agent.call('create_note', { text: 'milk' })
    expect(preview).toMatchObject({ status: 'previewed', isError: false })
    expect(preview.text).toContain('modern-notes 3.1.4')
    expect(behind.written()).toEqual([])
    expect(await confirm(agent, preview)).toMatchObject({ status: 'applied' })
    expect(await confirm(agent, preview)).toMatchObject({ status: 'replayed' })
    expect(behind.written()).toEqual(['milk'])
    expect((await agent.call('list_notes')).text).toContain('milk')
  })

  test('each request says which version it speaks and who asks, whatever the client wrote there', async () => {
    const agent = await wrapped(await open())
    const { content } = await agent.client.callTool({
      name: 'get_meta',
      arguments: { rationale: 'To see what is sent there.' },
      _meta: { 'io.modelcontextprotocol/protocolVersion': '1999-01-01', 'example.com/trace': 'kept' },
    })
    const said = JSON.stringify(content)
    expect(said).toContain('\\"io.modelcontextprotocol/protocolVersion\\":\\"2026-07-28\\"')
    expect(said).toContain('countersign')
    expect(said).toContain('example.com/trace')
    expect(said).not.toContain('1999-01-01')
  })

  test('progress of a call arrives, and its end is told to the server', async () => {
    const behind = await open()
    const { client } = await wrapped(behind)
    const heard: unknown[] = []
    const control = new AbortController()
    const call = client.callTool(
      { name: 'read_slowly', arguments: { rationale: 'To see how far it gets.' } },
      undefined,
      {
        onprogress: (progress) => void heard.push(progress),
        signal: control.signal,
      },
    )
    const failed = expect(call).rejects.toThrow()
    await eventually(() => heard.length > 0)
    expect(heard).toEqual([expect.objectContaining({ progress: 1, message: 'begun' })])
    control.abort()
    await failed
    await eventually(() => behind.written().includes('was told to end'))
  })

  test('its log is passed on from the level that the client has set, and not before', async () => {
    const agent = await wrapped(await open())
    const { client } = agent
    const logged: unknown[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params))
    await agent.call('get_logged')
    await client.setLoggingLevel('warning')
    await agent.call('get_logged')
    await eventually(() => logged.length > 0)
    expect(logged).toEqual([{ level: 'warning', data: 'a warning', logger: 'notes' }])
  })

  test('a tool that it gets while it runs is announced and can be called', async () => {
    const agent = await wrapped(await open())
    await agent.call('get_more')
    await eventually(async () => (await agent.client.listTools()).tools.some(({ name }) => name === 'list_more'))
    expect((await agent.call('list_more')).text).toContain('more')
  })

  test('its resources, templates and prompts pass, and a resource that is followed tells of its changes', async () => {
    const behind = await open()
    const agent = await wrapped(behind)
    const { client } = agent
    expect((await client.listResources()).resources).toContainEqual(expect.objectContaining({ uri: 'notes://all' }))
    expect((await client.listResourceTemplates()).resourceTemplates).toContainEqual(
      expect.objectContaining({ uriTemplate: 'notes://one/{number}' }),
    )
    expect((await client.readResource({ uri: 'notes://all' })).contents).toEqual([{ uri: 'notes://all', text: '' }])
    const { messages } = await client.getPrompt({ name: 'summary', arguments: { length: '3' } })
    expect(JSON.stringify(messages)).toContain('Sum the notes up in 3 words.')
    const updated: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
    await client.subscribeResource({ uri: 'notes://all' })
    await agent.call('get_touched')
    await eventually(() => updated.length > 0)
    expect(updated).toEqual(['notes://all'])
    await client.unsubscribeResource({ uri: 'notes://all' })
  })
})
