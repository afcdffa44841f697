// What a server promises of its structured content, and of how its tools are executed, is still promised through
// Countersign, and kept: the official client checks every result of these calls, and throws where one does not fit.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ListToolsResultSchema, type CallToolResult, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCall, toReply, type Agent, type Reply } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { officialServer, openReach, realPlace, type Entry } from './reach.ts'
import { fixture } from '../processes.ts'

const promisingServer = (): Entry => ({ command: process.execPath, args: fixture('promising-server') })

/** The tools as the server itself lists them. */
async function directTools({ command, args }: Entry): Promise<readonly Tool[]> {
  const client = new Client({ name: 'direct', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: command as string, args: args as string[], stderr: 'ignore' }),
  )
  atEnd(() => client.close())
  return (await client.request({ method: 'tools/list' }, ListToolsResultSchema)).tools
}

/** Previews a call and applies it with the plan's id, as an agent does without cards. */
async function applied(agent: Agent, tool: string, args: object = {}): Promise<Reply> {
  const preview = await agent.call(tool, { ...args })
  expect(preview.status, preview.text).toBe('previewed')
  const { args: confirmed } = applyCall(preview)
  const raw = await agent.client.callTool({ name: tool, arguments: { ...confirmed } })
  return toReply(raw as CallToolResult)
}

const tool = (agent: Agent, name: string): Tool | undefined => agent.tools.find((each) => each.name === name)

describe('official servers', () => {
  const servers = {
    files: officialServer('filesystem', [realPlace()]),
    memory: officialServer('memory', [], { env: { MEMORY_FILE_PATH: join(realPlace(), 'memory.json') } }),
    everything: officialServer('everything'),
  }

  test.each(Object.keys(servers) as (keyof typeof servers)[])(
    '%s: every output schema and execution is kept',
    async (name) => {
      const direct = await directTools(servers[name])
      const agent = (await openReach('wrap over stdio', { [name]: servers[name] })).agent(name)
      const lost = direct.filter(({ name: each, outputSchema }) => {
        if (outputSchema === undefined) return false
        const { properties } = outputSchema
        const listed = tool(agent, each)?.outputSchema
        // What may ask answers in the shape of either.
        const [own = listed] = (listed?.['anyOf'] ?? []) as readonly (typeof listed)[]
        const result = own?.properties?.['status'] === undefined ? own : own.properties['result']
        return JSON.stringify((result as typeof outputSchema | undefined)?.properties) !== JSON.stringify(properties)
      })
      expect(lost.map((each) => each.name)).toEqual([])
      const tasks = (list: readonly Tool[]) =>
        list.flatMap(({ name: each, execution }) => (execution?.taskSupport === undefined ? [] : [each]))
      expect(tasks(agent.tools)).toEqual(expect.arrayContaining(tasks(direct)))
      expect(agent.tools.every(({ execution }) => (execution?.taskSupport ?? 'forbidden') === 'forbidden')).toBe(true)
    },
  )

  test('a write answers with the server’s structured content under `result`, typed, and with how long it takes after five', async () => {
    const agent = (await openReach('wrap over stdio', { memory: servers.memory })).agent('memory')
    expect(tool(agent, 'create_entities')?.outputSchema).toMatchObject({
      properties: {
        status: { type: 'string' },
        result: { type: 'object', properties: { entities: { type: 'array' } } },
      },
    })
    const create = (name: string) => ({ entities: [{ name, entityType: 'person', observations: ['x'] }] })
    const first = await agent.call('create_entities', create('A'))
    expect(first.data).toMatchObject({ missing_permissions: [] })
    expect(first.data).not.toHaveProperty('estimated_duration_ms')
    for (const name of ['B', 'C', 'D', 'E', 'F'])
      expect((await applied(agent, 'create_entities', create(name))).data).toMatchObject({
        status: 'applied',
        result: { entities: [{ name }] },
      })
    const { data } = await agent.call('create_entities', create('G'))
    expect(data['estimated_duration_ms']).toEqual(expect.any(Number))
  })
})

describe('schemas that have broken clients', () => {
  let agent: Agent
  beforeAll(async () => {
    agent = (await openReach('wrap over stdio', { promising: promisingServer() })).agent('promising')
  })

  test.each(['set_plain', 'set_plain_too', 'set_old', 'set_tree', 'set_untyped_root'])(
    '%s is typed and its result fits',
    async (name) => {
      expect(tool(agent, name)?.outputSchema?.properties?.['result']).toMatchObject({ properties: { count: {} } })
      const { data } = await applied(agent, name)
      expect(data).toMatchObject({ status: 'applied', result: { count: expect.anything() } })
    },
  )

  test('one that no client can compile is left out, and the list stands', async () => {
    expect(tool(agent, 'set_odd')?.outputSchema?.properties?.['result']).toEqual({})
    expect((await applied(agent, 'set_odd')).data).toMatchObject({ status: 'applied', result: { count: 1 } })
  })

  test('a promise that its server breaks does not hide that the call took effect', async () => {
    const broken = await applied(agent, 'set_broken')
    expect(broken.data).toMatchObject({ status: 'applied', result_unlike_schema: { count: 'many' } })
    expect(broken.data).not.toHaveProperty('result')
    const silent = await applied(agent, 'set_silent')
    expect(silent.data).toMatchObject({ status: 'applied' })
    expect(silent.data).not.toHaveProperty('result')
  })

  test('a read keeps its own, in words that clients know', async () => {
    expect(tool(agent, 'list_old')?.outputSchema).toMatchObject({ properties: { count: { exclusiveMinimum: 0 } } })
    expect((await agent.call('list_old')).data).toEqual({ count: 1 })
  })

  test('a tool that reads or writes by its arguments promises the one or the other', async () => {
    expect(tool(agent, 'do_by_action')?.outputSchema).toMatchObject({ anyOf: [{ required: ['count'] }, {}] })
    expect((await agent.call('do_by_action', { action: 'get' })).data).toEqual({ count: 1 })
    expect((await applied(agent, 'do_by_action', { action: 'update' })).data).toMatchObject({ result: { count: 1 } })
  })

  test('no client is told to call as a task, which is not passed on', () => {
    expect(tool(agent, 'set_plain')?.execution).toEqual({ taskSupport: 'forbidden' })
    expect(tool(agent, 'set_old')?.execution).toEqual({ taskSupport: 'forbidden' })
    expect(tool(agent, 'set_tree')?.execution).toBeUndefined()
  })
})
