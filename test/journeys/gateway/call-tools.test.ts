// A gateway's call tools ask for an intent. Whoever knows the name of a tool behind them must not get past them with it.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGatewayText } from '../../server/gateway/read-text.ts'
import { parseMessage } from '../../../server/confirm/message.ts'
import { callTool } from '../../../server/mcp/protocol.ts'
import type { ComposeOptions } from '../../../server/compose/compose.ts'
import type { Card } from '../../../server/model/card.ts'
import { realPlace } from './reach.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { composed } from '../../kit/composed.ts'
import { longest } from '../../longest.ts'

/** A gateway in front of the memory server. */
async function gatewayOfMemory(
  more: object = {},
  tools: object = {},
  settings: ComposeOptions['settings'] = {},
  env: object = {},
) {
  const file = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js'
  const text = JSON.stringify({
    mcpServers: { memory: { command: process.execPath, args: [file], env, tools } },
    ...more,
  })
  const config = await readGatewayText(text, process.env)
  if (!config.ok) throw new Error(config.failure.message)
  return composed({
    file: ':memory:',
    settings,
    gateway: { config: config.value, mode: 'gateway', patienceMs: longest },
  })
}

test('a tool behind a gateway cannot be called by its name, past the doors', async () => {
  const { parts } = await gatewayOfMemory()
  const rationale = 'Trying to get past the doors.'
  const ask = (tool: string, args: object) =>
    callTool(parts, requestOf(tool, { rationale, ...args }, caller({ trusted: true })))
  for (const [tool, door] of [
    ['memory:read_graph', 'call_tool_read'],
    ['memory:delete_entities', 'call_tool_destructive'],
  ] as const) {
    expect(parts.engine.catalog.find(tool), tool).toBeDefined()
    const answer = await ask(tool, { entityNames: ['a'] })
    expect(answer.isError, tool).toBe(true)
    const said = JSON.stringify(answer)
    expect(said).toContain('unknown_tool')
    expect(said).toContain(`Did you mean ${door}?`)
  }
  const listed = await ask('retrieve_tools', { query: 'read the graph' })
  expect(listed.isError).toBeUndefined()
})

test('whatever becomes of a call through a door for which hosts draw our card, there is a card', async () => {
  const { parts } = await gatewayOfMemory(
    {},
    { delete_relations: { risk: 'forbidden' } },
    {
      riskOf: (_, tool, declared) => (tool === 'memory:open_nodes' ? 'forbidden' : declared),
    },
  )
  const raw = (door: string, name: string, operation: string, as: object = {}, inner: object = {}) => {
    const intent = { operation_type: operation }
    const args = { name, args_json: JSON.stringify(inner), rationale: 'A look at the whole graph.', intent }
    return callTool(parts, requestOf(door, args, caller({ cards: 'yes', ...as })))
  }
  const ask = async (...call: Parameters<typeof raw>) => (await raw(...call))._meta?.['countersign/card']
  expect(await ask('call_tool_write', 'memory:read_graph', 'write')).toMatchObject({ kind: 'info', state: 'info' })
  expect(await ask('call_tool_write', 'memory:no_such', 'write')).toMatchObject({ kind: 'error', code: 'unknown_tool' })
  expect(await ask('call_tool_write', 'memory:read_graph', 'read')).toMatchObject({ kind: 'error' })
  expect(await ask('call_tool_read', 'memory:read_graph', 'read')).toBeUndefined()
  expect(await ask('call_tool_read', 'memory:no_such', 'read')).toBeUndefined()
  expect(await ask('call_tool_write', 'memory:read_graph', 'write', { cards: 'no' })).toBeUndefined()
  // To this tenant alone it is forbidden.
  expect(await ask('call_tool_write', 'memory:open_nodes', 'write', {}, { names: ['a'] })).toMatchObject({
    code: 'unknown_tool',
  })
  // What is forbidden to all is told from what is not there by nothing.
  const bare = async (name: string, inner: object): Promise<string> =>
    JSON.stringify(await raw('call_tool_write', name, 'write', {}, inner))
      .replaceAll(name, 'NAME')
      .replace(/"at":"[^"]*"/, '"at":"NOW"')
  const absent = await bare('memory:delete_relationz', {})
  expect(await bare('memory:delete_relations', { relations: [] })).toBe(absent)
  expect(absent).toContain('countersign/card')
})

test('the risk of a tool that is found is "up to" it where the arguments decide', async () => {
  const { parts } = await gatewayOfMemory(
    {},
    { add_observations: { when: [{ if: { observations: { greater_than: 3 } }, risk: 'low' }] } },
  )
  const args = { query: 'add observations to entities', rationale: 'A look for a tool.' }
  const { structuredContent } = await callTool(parts, requestOf('retrieve_tools', args, caller({})))
  const { tools } = structuredContent as { tools: readonly { name: string; risk: string }[] }
  const riskOf = (name: string) => tools.find((tool) => tool.name === `memory:${name}`)?.risk
  expect(riskOf('add_observations')).toMatch(/^up to (?:medium|high)$/)
  expect(riskOf('create_entities')).toMatch(/^(?:medium|high)$/)
})

test('what a tenant alone is forbidden is not named to it, neither to whoever calls it nor to whoever is one letter off', async () => {
  const { parts } = await gatewayOfMemory(
    {},
    {},
    {
      riskOf: (tenant, tool, declared) =>
        tenant === 'acme' && tool === 'memory:delete_relations' ? 'forbidden' : declared,
    },
  )
  const refusal = async (name: string, tenant: string) => {
    const intent = { operation_type: 'destructive' }
    const args = { name, args_json: '{"relations":[]}', rationale: 'A relation is wrong.', intent }
    const { principal } = caller()
    const answer = await callTool(
      parts,
      requestOf('call_tool_destructive', args, caller({ cards: 'no', principal: { ...principal, tenant } })),
    )
    return JSON.stringify(answer)
  }
  for (const name of ['memory:delete_relations', 'memory:delete_relationz', 'delete_relations']) {
    const said = await refusal(name, 'acme')
    expect(said).toContain('unknown_tool')
    expect(said.replaceAll(`named \\"${name}\\"`, '')).not.toContain('delete_relations')
  }
  expect(await refusal('memory:delete_relationz', 'other')).toContain('memory:delete_relations')
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
    expect(JSON.stringify(refused)).toContain('unknown_tool')
    const meant = exampleIn(refused)
    expect(meant).toMatchObject({ tool: door, args: { name: name.replace(/z$/, 's') } })
    const answer = await ask(meant.tool, meant.args)
    expect(answer.isError, JSON.stringify(answer)).toBeFalsy()
  }
})

const secret = 'Password: hunter2-hunter2'
const entity = { name: 'Ada', entityType: 'person', observations: ['Likes tea.'] }

test.each<[string, string, object, string, string, object, string, object]>([
  [
    'a call that declares a write at the read door',
    'nested',
    { operation_type: 'write', data_sensitivity: 'private' },
    'create_entities',
    'intent_mismatch',
    { entities: [entity] },
    'call_tool_write',
    { intent: { operation_type: 'write', data_sensitivity: 'private' } },
  ],
  [
    'a read that declares a destruction',
    'flat',
    { operation_type: 'destructive' },
    'search_nodes',
    'intent_mismatch',
    { query: 'Ada' },
    'call_tool_read',
    { intent_operation_type: 'read' },
  ],
  [
    'a read of what destroys',
    'nested',
    { operation_type: 'read', reason: secret },
    'delete_entities',
    'annotation_mismatch',
    { entityNames: ['Ada'] },
    'call_tool_destructive',
    { intent: { operation_type: 'destructive' } },
  ],
  [
    'a call with an intent of no form',
    'nested',
    { operation_type: 'delete' },
    'delete_entities',
    'intent_invalid',
    { entityNames: ['Ada'] },
    'call_tool_destructive',
    { intent: { operation_type: 'destructive' } },
  ],
])('what an error shows for %s is the same call through the right door, with a %s intent', async (...row) => {
  const [, shape, declared, tool, code, own, door, intent] = row
  const alone = { create_entities: { risk: 'medium', autonomous: true } }
  const { parts } = await gatewayOfMemory({ intent_declaration: { shape } }, alone)
  const ask = (called: string, args: object) => callTool(parts, requestOf(called, args, caller({ trusted: true })))
  const rationale = 'Looking after the graph.'
  const call = { name: `memory:${tool}`, args_json: JSON.stringify(own), intent: declared, rationale }
  const refused = await ask('call_tool_read', call)
  expect(JSON.stringify(refused)).toContain(code)
  const meant = exampleIn(refused)
  expect(meant).toMatchObject({ tool: door, args: { name: `memory:${tool}`, ...intent } })
  expect(JSON.parse(String(meant.args['args_json']))).toEqual(own)
  expect(textOf(refused)).not.toContain(secret)
  const answer = await ask(meant.tool, meant.args)
  expect(answer.isError, JSON.stringify(answer)).toBeFalsy()
  // A write is never made by whoever only tries the example.
  if (door !== 'call_tool_read') expect(textOf(answer)).toMatch(/nothing has (?:happened|changed)|Preview/i)
})

test('an example repeats no argument that may be a secret, and there is none for a tool that nobody knows', async () => {
  const { parts } = await gatewayOfMemory()
  const ask = (name: string, args: object) =>
    callTool(parts, requestOf('call_tool_read', { name, args_json: JSON.stringify(args) }, caller({ trusted: true })))
  const entities = [{ ...entity, observations: [secret] }]
  const meant = exampleIn(await ask('memory:create_entities', { entities }))
  expect(JSON.parse(String(meant.args['args_json']))).toEqual({
    entities: [{ name: '<name>', entityType: '<entityType>', observations: ['<observations>'] }],
  })
  expect(textOf(await ask('memory:nothing', {}))).not.toContain('For example')
})

function exampleIn(refused: CallToolResult) {
  const [, example = ''] = /For example: `(.*)`$/m.exec(textOf(refused)) ?? []
  const parsed = parseMessage(`Preview: call ${example}`)
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(`Not a call: ${textOf(refused)}`)
  return parsed.value
}

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

test('previews of calls through a door are bundled by their ids, and no call by its name, from the first moment on', async () => {
  const graph = join(realPlace(), 'memory.json')
  const { parts } = await gatewayOfMemory({}, {}, {}, { MEMORY_FILE_PATH: graph })
  const ask = (tool: string, args: object) =>
    callTool(parts, requestOf(tool, { rationale: 'Two customers are new.', ...args }, caller({ trusted: true })))
  const entity = (name: string) => ({ entities: [{ name, entityType: 'customer', observations: ['likes oak'] }] })
  const byName = ['a', 'b'].map((name) => ({ tool: 'memory:create_entities', arguments: entity(name) }))
  const refused = await ask('plan_bundle', { plans: byName, title: 'New customers' })
  expect(JSON.stringify(refused)).toContain('Step 1 (memory:create_entities) cannot be named as a call here')
  const through = async (name: string): Promise<unknown> => {
    const preview = await ask('call_tool_write', {
      name: 'memory:create_entities',
      args_json: JSON.stringify(entity(name)),
      intent: { operation_type: 'write' },
    })
    return preview.structuredContent?.['plan_id']
  }
  const plans = [await through('a'), await through('b')]
  const shown = await ask('plan_bundle', { plans, title: 'New customers' })
  const card = shown._meta?.['countersign/card'] as Card | undefined
  expect(card).toMatchObject({ kind: 'preview', state: 'ready', title: '2 changes: “New customers”' })
  expect(existsSync(graph)).toBe(false)
  const confirm = card?.actions.find(({ role }) => role === 'confirm')?.steps.find((step) => step.do === 'SendMessage')
  const message = parseMessage(confirm?.do === 'SendMessage' ? confirm.text : '')
  if (!message.ok || message.value.kind !== 'apply') throw new Error(JSON.stringify(shown))
  const applied = await ask(message.value.tool, message.value.args)
  expect(applied.structuredContent).toMatchObject({
    status: 'applied',
    result: { applied: 2, steps: [{ state: 'applied' }, { state: 'applied' }] },
  })
  expect(readFileSync(graph, 'utf8').trim().split('\n')).toHaveLength(2)
})
