// A gateway's doors ask for an intent. Whoever knows the name of a tool behind them must not get past them with it.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { readGatewayText } from '../server/gateway/read-text.ts'
import { parseMessage } from '../../server/confirm/message.ts'
import { callTool } from '../../server/mcp/protocol.ts'
import { caller, requestOf } from '../kit/calls.ts'
import { composed } from '../kit/composed.ts'

/** A gateway in front of the memory server. */
async function gatewayOfMemory(more: object = {}) {
  const file = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'
  const text = JSON.stringify({ mcpServers: { memory: { command: process.execPath, args: [file] } }, ...more })
  const config = readGatewayText(text, process.env)
  if (!config.ok) throw new Error(config.failure.message)
  return composed({ file: ':memory:', gateway: { config: config.value, mode: 'gateway' } })
}

test('a tool behind a gateway cannot be called by its name, past the doors', async () => {
  const { parts } = await gatewayOfMemory()
  const rationale = 'Trying to get past the doors.'
  const ask = (tool: string, args: object) =>
    callTool(parts, requestOf(tool, { rationale, ...args }, caller({ trusted: true })))
  for (const tool of ['memory:read_graph', 'memory:delete_entities']) {
    expect(parts.engine.catalog.find(tool), tool).toBeDefined()
    const answer = await ask(tool, { entityNames: ['a'] })
    expect(answer.isError, tool).toBe(true)
    const said = JSON.stringify(answer)
    expect(said).toContain('unknown_tool')
    expect(said).toContain('call_tool_read')
  }
  const listed = await ask('retrieve_tools', { query: 'read the graph' })
  expect(listed.isError).toBeUndefined()
})

test.each([
  ['nested', { intent: { operation_type: 'read' } }],
  ['flat', { intent_operation_type: 'read' }],
])('what an error shows for a misspelt name is a call that the doors take, with a %s intent', async (shape, intent) => {
  const { parts } = await gatewayOfMemory({ intent_declaration: { shape } })
  const ask = (tool: string, args: object) => callTool(parts, requestOf(tool, args, caller({ trusted: true })))
  for (const [name, door] of [
    ['memory:search_nodez', 'call_tool_read'],
    ['memory:delete_entitiez', 'call_tool_destructive'],
  ] as const) {
    const refused = await ask('call_tool_read', { name, args_json: '{}', rationale: 'A name misspelt.', ...intent })
    const said = JSON.stringify(refused)
    expect(said).toContain('unknown_tool')
    const [, example = ''] = /For example: (.*)$/m.exec(textOf(refused)) ?? []
    const parsed = parseMessage(`Preview: call ${example}`)
    if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(`Not a call: ${said}`)
    expect(parsed.value).toMatchObject({ tool: door, args: { name: name.replace(/z$/, 's') } })
    const answer = await ask(parsed.value.tool, parsed.value.args)
    expect(answer.isError, JSON.stringify(answer)).toBeFalsy()
  }
})

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
