// Somebody who already has an McpServer adds confirmed tools to it and keeps the rest as it was.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, CountersignError } from '../../../server/index.ts'
import { readTool } from '../../kit/tools.ts'
import { applyCall, buttonText, confirm, connect, rationale, ticketOf, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { markTools } from '../fixtures/marks.ts'

let agent: Agent

/** Reports how far it is, and what was said beside the call. */
const slowTool = readTool({
  name: 'marks.count',
  input: z.strictObject({}),
  output: z.strictObject({ meta: z.record(z.string(), z.unknown()) }),
  run: (_input, ctx) => {
    ctx.progress({ progress: 1, total: 2, message: 'half way' })
    return { meta: { ...ctx.meta } }
  },
})

beforeEach(async () => {
  const directory = place()
  const countersign = createCountersign({
    name: 'Attached',
    store: join(directory, 'marks.db'),
    tools: [...markTools({ marks: join(directory, 'marks'), hold: join(directory, 'hold') }), slowTool],
    cheatsheets: { marks: 'Marks are lines.' },
  })
  atEnd(() => countersign.close())
  const server = new McpServer({ name: 'mine', version: '1.0.0' }, { instructions: countersign.instructions })
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  await countersign.attach(server)
  const [client, other] = InMemoryTransport.createLinkedPair()
  await server.connect(other)
  agent = await connect(client)
})

describe('an McpServer with confirmed tools attached', () => {
  test('still serves its own tools', async () => {
    expect(agent.tools.map(({ name }) => name)).toContain('add')
    const sum = await agent.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(sum.content).toStrictEqual([{ type: 'text', text: '3' }])
  })

  test('lists the true JSON Schema, annotations and contract of the attached ones', () => {
    const tool = agent.tools.find(({ name }) => name === 'marks_add')
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 200_000 },
        rationale: { type: 'string', minLength: 10, maxLength: 500 },
        preview: { type: 'boolean', default: true },
        ticket: { type: 'string' },
      },
      required: ['text', 'rationale'],
      additionalProperties: false,
    })
    expect(tool?.outputSchema).toMatchObject({ properties: { status: { type: 'string' } } })
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(tool?._meta).toMatchObject({
      'countersign/contract': { name: 'marks.add', risk: 'medium' },
      ui: { resourceUri: 'ui://countersign/card.html', visibility: ['model'] },
    })
    const listed = agent.tools.map(({ name }) => name)
    expect(listed).toEqual(expect.arrayContaining(['apply_plan', 'countersign_plan_status', 'get_cheatsheet']))
  })

  test('walks the rail: preview, apply once, replay, mismatch, cancel', async () => {
    const preview = await agent.call('marks_add', { text: 'one' })
    expect(preview).toMatchObject({ status: 'previewed', card: { kind: 'preview', source: 'Attached' } })
    expect((await confirm(agent, preview, { text: 'two' })).status).toBe('mismatch')
    expect((await confirm(agent, preview)).status).toBe('applied')
    expect((await confirm(agent, preview)).status).toBe('replayed')
    const other = await agent.call('marks_add', { text: 'three' })
    await agent.client.callTool({ name: 'countersign_plan_cancel', arguments: { ticket: ticketOf(other) } })
    expect((await confirm(agent, other)).status).toBe('refused')
  })

  test('knows of the client whether it shows cards', async () => {
    expect((await agent.call('marks_add', { text: 'one' })).text).toContain('The person sees this as a card')
  })

  test.each<readonly [string, Record<string, unknown>, string]>([
    ['no text', {}, '/text'],
    ['a wrong type', { text: 7 }, '/text'],
    ['an unknown argument', { text: 'x', color: 'red' }, '/color'],
    ['a short rationale', { text: 'x', rationale: 'so' }, '/rationale'],
    ['preview as a text', { text: 'x', preview: 'no' }, '/preview'],
    ['a ticket that is a number', { text: 'x', ticket: 1 }, '/ticket'],
    ['a key named __proto__ inside', { text: JSON.parse('{"__proto__":1}') as unknown }, '/text/__proto__'],
  ])('answers %s with our guidance, not with the SDK’s text', async (_, args, pointer) => {
    const reply = await agent.call('marks_add', args)
    expect(reply).toMatchObject({ status: 'refused', isError: true, guidance: { error_type: 'validation_error' } })
    expect(reply.guidance?.field_errors.map((each) => each.pointer)).toStrictEqual([pointer])
  })

  test('serves the card, the contracts and the cheatsheet beside its own resources', async () => {
    const read = async (uri: string) => (await agent.client.readResource({ uri })).contents[0]
    expect(await read('ui://countersign/card.html')).toMatchObject({ mimeType: 'text/html;profile=mcp-app' })
    expect(await read('mcp://marks/cheatsheet')).toMatchObject({ text: 'Marks are lines.' })
    expect(await read('countersign://contracts/marks_add')).toMatchObject({ mimeType: 'application/json' })
    await expect(read('countersign://contracts/nothing')).rejects.toThrow('There is no resource')
    const ref = { type: 'ref/resource', uri: 'countersign://contracts/{tool}' } as const
    const { completion } = await agent.client.complete({ ref, argument: { name: 'tool', value: 'marks_add_k' } })
    expect(completion.values).toEqual(['marks_add_known'])
  })

  test('takes the Apply message of a long call by reference', async () => {
    const preview = await agent.call('marks_add', { text: 'x'.repeat(9_000) })
    expect(buttonText(preview, 'confirm')).toMatch(/^Apply: call apply_plan\(/)
    expect(applyCall(preview).tool).toBe('apply_plan')
    expect((await confirm(agent, preview)).status).toBe('applied')
  })

  test('hears of progress, and tells the tool what was said beside the call', async () => {
    const steps: unknown[] = []
    // The SDK's `onprogress` forgets the last step where it is read from the wire together with the answer.
    agent.client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params))
    const result = await agent.client.callTool({
      name: 'marks_count',
      arguments: { rationale },
      _meta: { progressToken: 'of this test', 'mine/trace': 'abc', 'countersign/card': 'forged' },
    })
    expect(result.structuredContent).toStrictEqual({ meta: { 'mine/trace': 'abc' } })
    expect(steps).toStrictEqual([{ progressToken: 'of this test', progress: 1, total: 2, message: 'half way' }])
  })

  test('tells the agent what the rail is, where its author passes the instructions on', () => {
    expect(agent.client).toBeInstanceOf(Client)
    expect(agent.client.getInstructions()).toContain('repeat exactly that call')
  })
})

describe('an McpServer that has a name that we need', () => {
  const attach = async (server: McpServer): Promise<unknown> => {
    const countersign = createCountersign({ store: join(place(), 'marks.db'), tools: [slowTool] })
    atEnd(() => countersign.close())
    return countersign.attach(server).catch((error: unknown) => error)
  }
  const namesOf = async (server: McpServer): Promise<readonly string[]> => {
    const [client, other] = InMemoryTransport.createLinkedPair()
    await server.connect(other)
    return (await connect(client)).tools.map(({ name }) => name)
  }

  test.each(['marks_count', 'submit_feedback', 'countersign_plan_cancel'])(
    'is told of the tool %s and what to do, and nothing is added to it',
    async (name) => {
      const server = new McpServer({ name: 'mine', version: '1.0.0' })
      server.registerTool(name, {}, () => ({ content: [] }))
      const error = await attach(server)
      expect(error).toBeInstanceOf(CountersignError)
      expect((error as CountersignError).message).toContain(`a tool ${name} already`)
      expect((error as CountersignError).next).toContain('another name')
      expect(await namesOf(server)).toStrictEqual([name])
    },
  )

  test('is told of a resource too', async () => {
    const server = new McpServer({ name: 'mine', version: '1.0.0' })
    server.registerTool('add', {}, () => ({ content: [] }))
    server.registerResource('card', 'ui://countersign/card.html', {}, () => ({ contents: [] }))
    expect(String(await attach(server))).toContain('a resource ui://countersign/card.html already')
    expect(await namesOf(server)).toStrictEqual(['add'])
  })

  test('to which they were attached once already, is told so', async () => {
    const server = new McpServer({ name: 'mine', version: '1.0.0' })
    expect(await attach(server)).toBeUndefined()
    expect(await attach(server)).toBeInstanceOf(CountersignError)
    expect(await namesOf(server)).toContain('marks_count')
  })
})
