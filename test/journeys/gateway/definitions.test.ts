// The gateway's own tools as a client reads them: the intent is required in the shape that the operator has set, each
// description says what the specification of intents promises, and what is found comes with its annotations.
import { beforeAll, describe, expect, test } from 'vitest'
import { checkerOf } from '../../../server/gateway/contract/argument-check.ts'
import { rationale, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'

const operations = ['read', 'write', 'destructive'] as const

describe.each(['nested', 'flat'] as const)('with a %s intent', (shape) => {
  let agent: Agent
  beforeAll(async () => {
    const servers = { files: officialServer('filesystem', [realPlace()]), rude: misbehavingServer() }
    const file = gatewayFile(servers, { intent_declaration: { shape } })
    agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
  })
  const door = (operation: string) => agent.tools.find(({ name }) => name === `call_tool_${operation}`)
  const nested = { name: 'rude:echo', intent: { operation_type: 'read', reason: rationale } }
  const flat = { name: 'rude:echo', intent_operation_type: 'read', intent_reason: rationale }

  test.each(operations)(
    'call_tool_%s requires the operation in its schema, and takes the other spelling as well',
    async (operation) => {
      const schema = door(operation)?.inputSchema
      const fits = (args: object): boolean => checkerOf(schema as Record<string, unknown>)(args).errors.length === 0
      expect(fits(shape === 'nested' ? nested : flat)).toBe(true)
      expect(fits(shape === 'nested' ? flat : nested)).toBe(false)
      expect(fits({ name: 'rude:echo' })).toBe(false)
      expect(fits({ name: 'rude:echo', intent: { reason: rationale }, intent_reason: rationale })).toBe(false)
      if (operation !== 'read') return
      for (const args of [nested, flat]) expect((await agent.call('call_tool_read', args)).isError).toBe(false)
    },
  )

  test('each description says when to use the tool, which operation it requires and what it rejects', () => {
    const key = shape === 'nested' ? 'intent.operation_type' : 'intent_operation_type'
    const said = (operation: string): string => door(operation)?.description ?? ''
    expect(said('read')).toBe(
      `Execute a read-only tool discovered via retrieve_tools. Use for operations that query data without modifying state. Requires ${key}='read'. Will be rejected if server marks tool as destructive.`,
    )
    expect(said('write')).toContain(
      `Execute a state-modifying tool discovered via retrieve_tools. Use for operations that create or update resources. Requires ${key}='write'. Will be rejected if server marks tool as destructive.`,
    )
    expect(said('destructive')).toContain(
      `Execute a destructive tool discovered via retrieve_tools. Use for operations that delete or permanently modify resources. Requires ${key}='destructive'. Most permissive - allowed regardless of server annotations.`,
    )
    expect(agent.tools.find(({ name }) => name === 'retrieve_tools')?.description).toContain(
      'Search for tools across all upstream servers. Results include annotations (readOnlyHint, destructiveHint) and recommended call_with variant. Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions. Intent must match tool variant.',
    )
  })

  test('what is found comes with how to call it: which of the three tools, and how they differ', async () => {
    const { data } = await agent.call('retrieve_tools', {
      query: 'read a file',
      filters: { server: 'files' },
      rationale,
    })
    const { tools, usage_instructions: usage } = data as {
      readonly tools: readonly { readonly call_with: string }[]
      readonly usage_instructions: string
    }
    const names = operations.map((operation) => `call_tool_${operation}`)
    expect(tools.length).toBeGreaterThan(0)
    for (const { call_with: door } of tools) expect(names).toContain(door)
    for (const name of names) expect(usage).toContain(name)
  })

  test('what is found is short: a sentence and the arguments by type; the whole of one is given on request', async () => {
    const find = async (more: object) =>
      (await agent.call('retrieve_tools', { query: 'files:edit_file', rationale, ...more })).data as {
        readonly tools: readonly Readonly<Record<string, unknown>>[]
      }
    const [short] = (await find({})).tools
    expect(short).toMatchObject({
      name: 'files:edit_file',
      description: 'Make line-based edits to a text file.',
      arguments: '{path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean = false}',
    })
    expect(short).not.toHaveProperty('inputSchema')
    const full = await find({ detail: 'full' })
    expect(full.tools).toHaveLength(3)
    expect(full.tools[0]).toMatchObject({
      name: 'files:edit_file',
      inputSchema: { required: ['path', 'edits'] },
      description: expect.stringMatching(/git-style diff.*Call it with call_tool_destructive\.$/s),
    })
  })

  test('a query that no tool serves is told so, with the nearest by name and what to do', async () => {
    const { data, text } = await agent.call('retrieve_tools', { query: 'translate a letter into French', rationale })
    expect(data).toMatchObject({ tools: [], hint: expect.stringContaining('No tool fits.') })
    expect(text).toContain('tell the person that no tool here does this')
  })

  test('a search answers with at most 100 tools: more cannot be asked for', async () => {
    const find = (limit: number) => agent.call('retrieve_tools', { query: 'file', limit, rationale })
    expect((await find(100)).isError).toBe(false)
    expect(await find(101)).toMatchObject({ isError: true, text: expect.stringContaining('at most 100') })
  })

  test('every tool that is found has its annotations as an object, empty where its server has none', async () => {
    const found = async (server: string) => {
      const { data } = await agent.call('retrieve_tools', {
        query: 'file echo',
        limit: 50,
        filters: { server },
        rationale,
      })
      return (data as { tools: { annotations: unknown }[] }).tools.map(({ annotations }) => annotations)
    }
    expect((await found('files')).length).toBeGreaterThan(0)
    for (const annotations of await found('files')) expect(annotations).toHaveProperty('readOnlyHint')
    const silent = await found('rude')
    expect(silent.length).toBeGreaterThan(0)
    expect(silent).toEqual(silent.map(() => ({})))
  })
})
