// The two keys through the wire, in both shapes of the intent: what is refused is refused in the promised words and never
// reaches the server, which counts for itself. The whole matrix is tested where it is decided; here are its corners.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCall, confirm, toReply, type Agent } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { recordsIn } from '../records-in.ts'

type Shape = 'nested' | 'flat'

describe.each<Shape>(['nested', 'flat'])('with a %s intent', (shape) => {
  const ledger = join(place(), 'ledger')
  const db = freshDatabase()
  let agent: Agent

  beforeAll(async () => {
    const servers = { files: officialServer('filesystem', [realPlace()]), rude: misbehavingServer('polite', ledger) }
    const file = gatewayFile(servers, { intent_declaration: { shape } })
    agent = await agentHere(['gateway', '--config', file, '--db', db])
  })

  const spell = (intent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    shape === 'nested'
      ? { intent }
      : Object.fromEntries(Object.entries(intent).map(([field, value]) => [`intent_${field}`, value]))
  const call = (variant: string, name: string, intent: Readonly<Record<string, unknown>>, more = {}) =>
    agent.call(`call_tool_${variant}`, { name, ...spell(intent), ...more })

  const refusals = [
    [
      'read',
      'files:write_file',
      'read',
      "Tool 'files:write_file' is marked destructive by server, use call_tool_destructive",
    ],
    [
      'write',
      'files:write_file',
      'write',
      "Tool 'files:write_file' is marked destructive by server, use call_tool_destructive",
    ],
    ['read', 'rude:fail', 'write', 'Intent mismatch: tool is call_tool_read but intent declares write'],
    ['read', 'rude:fail', 'destructive', 'Intent mismatch: tool is call_tool_read but intent declares destructive'],
    ['write', 'rude:fail', 'read', 'Intent mismatch: tool is call_tool_write but intent declares read'],
    ['destructive', 'rude:fail', 'write', 'Intent mismatch: tool is call_tool_destructive but intent declares write'],
    ['write', 'rude:fail', undefined, 'intent.operation_type is required'],
  ] as const

  test.each(refusals)('call_tool_%s of %s that declares %s is refused in these words: %s', async (...row) => {
    const [variant, name, declared, message] = row
    const refused = await call(variant, name, declared === undefined ? {} : { operation_type: declared })
    expect(refused.isError).toBe(true)
    expect(refused.guidance?.message).toBe(message)
    expect(refused.text).toContain(message)
    expect(refused.data).toMatchObject({ status: 'refused', error: { message, details: expect.any(Object) } })
    expect(refused.guidance?.actionable_guidance.length).toBeGreaterThan(0)
  })

  test('unknown tools, arguments that are no object and arguments that break the schema stop here, too', async () => {
    const read = { operation_type: 'read' }
    const unknown = await call('read', 'files:read_fil', read)
    expect(unknown).toMatchObject({ isError: true, guidance: { error_type: 'unknown_tool' } })
    expect(unknown.text).toContain('files:read_file')
    const list = await call('read', 'files:read_text_file', read, { args_json: '[1]' })
    expect(list.guidance?.field_errors).toMatchObject([{ pointer: '/args_json' }])
    const wrong = await call('read', 'files:read_text_file', read, { args_json: '{"path": 7}' })
    expect(wrong.guidance?.field_errors).toMatchObject([{ pointer: '/path', received: 7 }])
  })

  test('a write through the read door of a tool whose server says nothing is previewed, and not run', async () => {
    const blocked = await call('read', 'rude:rename', { operation_type: 'read' })
    expect(blocked.text).toContain('Call call_tool_write with name "rude:rename"')
  })

  test('a tool whose server says nothing runs through the read door, with the reason as its rationale', async () => {
    const reason = 'The user wants to know what it echoes.'
    const args = {
      name: 'rude:echo',
      args_json: '{"n":1}',
      ...spell({ operation_type: 'read', reason, data_sensitivity: 'internal' }),
    }
    const answer = await agent.client.callTool({ name: 'call_tool_read', arguments: args })
    expect(answer).toStrictEqual({ content: [{ type: 'text', text: '{"n":1}' }] })
    // The newest row; how a read ended is written behind its answer.
    const calls = await recordsIn(db, { filter: {}, limit: 1 })
    expect(calls).toMatchObject([
      {
        tool: 'rude:echo',
        variant: 'call_tool_read',
        operation: 'read',
        operationSource: 'declared',
        rationale: reason,
        intent: { operation_type: 'read', reason, data_sensitivity: 'internal' },
      },
    ])
  })

  test('a rationale beside the reason is the one that is checked and recorded', async () => {
    const reason = 'The user wants to know what it echoes.'
    const intent = { operation_type: 'read', reason }
    const short = await call('read', 'rude:echo', intent, { rationale: 'x' })
    expect(short.guidance?.field_errors).toMatchObject([{ pointer: '/rationale' }])
    const said = 'The person asked for it in so many words.'
    await call('read', 'rude:echo', intent, { rationale: said })
    // The newest row; how a read ended is written behind its answer.
    const calls = await recordsIn(db, { filter: {}, limit: 1 })
    expect(calls).toMatchObject([{ rationale: said, intent: { reason } }])
  })

  test('a rationale has at most 500 characters; a reason may have 1000, stands in for one and is confirmed as it is', async () => {
    const reason = 'The customer asked for it. '.repeat(40).slice(0, 1000)
    const intent = { operation_type: 'write', data_sensitivity: 'internal' }
    const long = await call('write', 'rude:rename', intent, { rationale: reason.slice(0, 501) })
    expect(long.guidance?.field_errors).toMatchObject([
      { pointer: '/rationale', allowed: expect.stringMatching(/10 to 500 characters/) },
    ])
    const written = { name: 'rude:rename', ...spell({ ...intent, reason }) }
    const preview = toReply(
      (await agent.client.callTool({ name: 'call_tool_write', arguments: written })) as CallToolResult,
    )
    expect(preview.status, preview.text).toBe('previewed')
    expect(applyCall(preview).args).toMatchObject({ rationale: reason })
    expect((await confirm(agent, preview)).status).toBe('applied')
  })

  test('neither a rationale nor a reason is called missing, in the field, its cause and its card', async () => {
    for (const operation of ['read', 'write'] as const) {
      const args = { name: 'rude:rename', ...spell({ operation_type: operation }) }
      const raw = await agent.client.callTool({ name: `call_tool_${operation}`, arguments: args })
      const refused = toReply(raw as CallToolResult)
      expect(refused.guidance).toMatchObject({
        error_type: 'validation_error',
        cause: expect.stringMatching(/^\/rationale: missing, /),
      })
      expect(refused.guidance?.field_errors[0]).not.toHaveProperty('received')
      expect(refused.text).not.toContain('null')
      if (refused.card !== undefined) expect(JSON.stringify(refused.card)).not.toMatch(/null|nothing"/)
    }
  })

  test('a write of what only reads runs, and its warning is a text of its own behind what the server answered', async () => {
    const through = async (operation: 'read' | 'write') =>
      (await agent.client.callTool({
        name: `call_tool_${operation}`,
        arguments: {
          name: 'files:list_allowed_directories',
          ...spell({ operation_type: operation, reason: 'The user asks which folders there are.' }),
        },
      })) as CallToolResult
    const [read, write] = [await through('read'), await through('write')]
    expect(write.content.slice(0, -1)).toEqual(read.content)
    expect(write.content.at(-1)).toMatchObject({ type: 'text', text: expect.stringMatching(/^Warning: .*read/) })
    expect(write.structuredContent).toEqual(read.structuredContent)
  })

  test('of all that was refused nothing has reached the server', () => {
    expect(ledgerOf(ledger)).toEqual(['started'])
  })
})

test('a contradiction with the annotations is a warning where the operator wants it so', async () => {
  const file = gatewayFile(
    { files: officialServer('filesystem', [realPlace()]) },
    { intent_declaration: { strict_server_validation: false } },
  )
  const agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
  const preview = await agent.call('call_tool_write', {
    name: 'files:write_file',
    args_json: JSON.stringify({ path: 'x', content: 'y' }),
    intent: { operation_type: 'write' },
  })
  expect(preview).toMatchObject({ status: 'previewed' })
  const warning = "Tool 'files:write_file' is marked destructive by server, use call_tool_destructive"
  expect(preview.text).toContain(`Warning: ${warning}`)
  expect(preview.data['warnings']).toContainEqual({ title: expect.stringContaining(warning) })
})
