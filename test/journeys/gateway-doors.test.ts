// A gateway's doors ask for an intent. Whoever knows the name of a tool behind them must not get past them with it.
import { expect, test } from 'vitest'
import { readGatewayText } from '../server/gateway/read-text.ts'
import { callTool } from '../../server/mcp/protocol.ts'
import { caller, requestOf } from '../kit/calls.ts'
import { composed } from '../kit/composed.ts'

test('a tool behind a gateway cannot be called by its name, past the doors', async () => {
  const file = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'
  const text = JSON.stringify({ mcpServers: { memory: { command: process.execPath, args: [file] } } })
  const config = readGatewayText(text, process.env)
  if (!config.ok) throw new Error(config.failure.message)
  const { parts } = await composed({ file: ':memory:', gateway: { config: config.value, mode: 'gateway' } })
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
