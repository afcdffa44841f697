// Many hosts ask by a tool's annotations alone: what reads runs, what writes is asked for, what destroys is warned of. The
// three call tools are annotated so that such a host does the right thing without knowing anything of Countersign.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { rationale, toReply, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace } from './reach.ts'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { agentHere } from '../in-process.ts'

/** A host that knows annotations and nothing else. It writes down what it asked its person. */
function annotationHost(agent: Agent) {
  const log: string[] = []
  return {
    log,
    async call(name: string, args: Readonly<Record<string, unknown>>) {
      const hints = agent.tools.find((tool) => tool.name === name)?.annotations ?? {}
      log.push(`${hints.readOnlyHint === true ? 'run' : hints.destructiveHint === false ? 'ask' : 'warn'} ${name}`)
      return toReply((await agent.client.callTool({ name, arguments: { ...args } })) as CallToolResult)
    },
  }
}

const folder = realPlace()
const open = (confirmation: 'rail' | 'host'): Promise<Agent> => {
  const servers = {
    files: officialServer('filesystem', [folder]),
    memory: officialServer('memory', [], { env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } }),
  }
  const file = gatewayFile(servers, { confirmation })
  return agentHere(['gateway', '--config', file, '--db', freshDatabase()], { cards: false })
}

let agents: Readonly<Record<'rail' | 'host', Agent>>
beforeAll(async () => {
  agents = { rail: await open('rail'), host: await open('host') }
})

interface Found {
  readonly tools: readonly { readonly name: string; readonly call_with: string }[]
}

const callToolFor = async (host: ReturnType<typeof annotationHost>, query: string, name: string): Promise<string> => {
  const found = (await host.call('retrieve_tools', { query, rationale })).data as unknown as Found
  const hit = found.tools.find((tool) => tool.name === name)
  if (hit === undefined)
    throw new Error(`${name} was not found: ${JSON.stringify(found.tools.map((tool) => tool.name))}`)
  return hit.call_with
}

const keys = { call_tool_read: 'read', call_tool_write: 'write', call_tool_destructive: 'destructive' } as Record<
  string,
  string
>
const asked = (door: string, name: string, args: object) => ({
  name,
  args_json: JSON.stringify(args),
  intent: { operation_type: keys[door], reason: rationale },
})

test('a host that approves by annotations runs reads, asks for writes and warns of the rest', async () => {
  const host = annotationHost(agents.host)
  const path = join(folder, 'from-the-host.txt')

  const writer = await callToolFor(host, 'write a file', 'files:write_file')
  expect(await host.call(writer, asked(writer, 'files:write_file', { path, content: 'hello' }))).toMatchObject({
    status: 'applied',
  })
  expect(readFileSync(path, 'utf8')).toBe('hello')

  const reader = await callToolFor(host, 'read a text file', 'files:read_text_file')
  expect((await host.call(reader, asked(reader, 'files:read_text_file', { path }))).text).toContain('hello')

  const maker = await callToolFor(host, 'create a folder', 'files:create_directory')
  await host.call(maker, asked(maker, 'files:create_directory', { path: join(folder, 'made') }))
  expect(existsSync(join(folder, 'made'))).toBe(true)

  expect(host.log).toEqual([
    'run retrieve_tools',
    'warn call_tool_destructive',
    'run retrieve_tools',
    'run call_tool_read',
    'run retrieve_tools',
    'ask call_tool_write',
  ])
})

test('even where the host asks, what is critical waits for an approval outside the chat', async () => {
  const host = annotationHost(agents.host)
  const callTool = await callToolFor(host, 'delete entities', 'memory:delete_entities')
  const waiting = await host.call(callTool, asked(callTool, 'memory:delete_entities', { entityNames: ['Ada'] }))
  expect(waiting.data).toMatchObject({ requires_human_approval: true, approval_id: expect.stringMatching(/^ap_/) })
})

test('with the rail, the same host gets previews, and a plan id is enough for what only creates', async () => {
  const host = annotationHost(agents.rail)
  const path = join(folder, 'made-by-plan')
  const call = asked('call_tool_write', 'files:create_directory', { path })
  const preview = await host.call('call_tool_write', call)
  expect(preview).toMatchObject({ status: 'previewed' })
  expect(existsSync(path)).toBe(false)
  const applied = await host.call('call_tool_write', { ...call, ticket: preview.planId, preview: false })
  expect(applied).toMatchObject({ status: 'applied' })
  expect(existsSync(path)).toBe(true)
})

test('nothing that is found is ever null: no hit is an empty list with a hint', async () => {
  const none = await agents.rail.call('retrieve_tools', { query: 'zzqx vvkw' })
  expect(none.data).toMatchObject({ tools: [], hint: expect.stringContaining('No tool fits') })
})
