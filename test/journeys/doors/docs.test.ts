// An agent that met an error reads what the error names, through every door and whatever stands behind it.
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCountersign } from '../../../server/index.ts'
import { connect, overHttp, type Agent } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { markTools } from '../fixtures/marks.ts'
import { openReach, misbehavingServer } from '../gateway/reach.ts'
import { agentHere, demoHere } from '../in-process.ts'

/** Each way of serving, with a tool that can be called wrongly. */
const ways: Readonly<Record<string, () => Promise<readonly [Agent, tool: string]>>> = {
  'the demo over stdio': async () => [await agentHere(['demo', '--stdio', '--db', freshDatabase()]), 'orders_create'],
  'the demo over HTTP': async () => [await overHttp((await demoHere(freshDatabase())).mcp), 'orders_create'],
  'wrap over stdio': async () => [
    (await openReach('wrap over stdio', { rude: misbehavingServer('reserved-names') })).agent('rude'),
    'submit_feedback',
  ],
  'gateway over HTTP': async () => [
    (await openReach('gateway over HTTP', { rude: misbehavingServer('reserved-names') })).agent('rude'),
    'retrieve_tools',
  ],
  'an McpServer of its own': async () => {
    const directory = place()
    const countersign = createCountersign({
      name: 'Attached',
      store: `${directory}/marks.db`,
      tools: markTools({ marks: `${directory}/marks`, hold: `${directory}/hold` }),
    })
    atEnd(() => countersign.close())
    const server = new McpServer({ name: 'mine', version: '1.0.0' }, { instructions: countersign.instructions })
    await countersign.attach(server)
    const [client, other] = InMemoryTransport.createLinkedPair()
    await server.connect(other)
    return [await connect(client), 'marks_add']
  },
}

describe.each(Object.keys(ways))('an agent of %s', (way) => {
  let agent: Agent
  let tool: string
  const read = async (uri: string) => (await agent.client.readResource({ uri })).contents

  beforeAll(async () => {
    ;[agent, tool] = (await ways[way]?.()) ?? [agent, tool]
  })

  test('reads the one section that an error names, and is told its address in the text as well', async () => {
    const { guidance, text } = await agent.call(tool, { nonsense: 1 })
    const uri = 'countersign://docs/errors#wrong-arguments'
    expect(guidance?.related_docs.at(-1)).toBe(uri)
    expect(text).toMatch(new RegExp(`\\nMore: (?:mcp://orders/cheatsheet, )?${uri}`))
    const [section] = await read(uri)
    expect(section).toMatchObject({
      uri,
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^### Wrong arguments/),
    })
    expect(JSON.stringify(section).length).toBeLessThan(1000)
  })

  test('finds the pages by one template, and none of them in the list of resources', async () => {
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    const found = resourceTemplates.filter(({ uriTemplate }) => uriTemplate.startsWith('countersign://docs/'))
    expect(found).toMatchObject([{ uriTemplate: 'countersign://docs/{page}', mimeType: 'text/markdown' }])
    const { resources } = await agent.client.listResources()
    expect(resources.filter(({ uri }) => uri.startsWith('countersign://docs'))).toStrictEqual([])
    const ref = { type: 'ref/resource', uri: 'countersign://docs/{page}' } as const
    const { completion } = await agent.client.complete({ ref, argument: { name: 'page', value: 'err' } })
    expect(completion.values).toStrictEqual(['errors'])
    expect(await read(`countersign://docs/${completion.values[0] ?? ''}`)).toMatchObject([
      { text: expect.stringMatching(/^# Errors/) },
    ])
  })

  test('is told the nearest name where there is no such page or section', async () => {
    await expect(read('countersign://docs/eror')).rejects.toThrow('Did you mean errors?')
    await expect(read('countersign://docs/errors#loginn')).rejects.toThrow('Did you mean login?')
  })
})

test('an agent whose host reads no resources gets the same text from the tool for cheatsheets', async () => {
  const [agent] = (await ways['the demo over stdio']?.()) ?? []
  const name = 'countersign://docs/errors#stronger-proof'
  const { contents } = (await agent?.client.readResource({ uri: name })) ?? {}
  const text = (contents?.[0] as { text: string } | undefined)?.text
  expect(text).toMatch(/^### Stronger proof/)
  expect((await agent?.call('get_cheatsheet', { name }))?.data).toMatchObject({ name, text, ttl_seconds: 3600 })
  expect((await agent?.call('get_cheatsheet', { name: 'mcp://orders/cheatsheet' }))?.data).toMatchObject({
    name: 'orders',
  })
  const missing = await agent?.call('get_cheatsheet', { name: 'countersign://docs/errors#stronger' })
  expect(missing?.guidance).toMatchObject({
    error_type: 'no_such_page',
    message: expect.stringContaining('stronger-proof'),
  })
})
