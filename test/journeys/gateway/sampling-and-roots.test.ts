// What a server of MCP 2026-07-28 asks of its client beside the person, before it does what it was called for: its model (sampling)
// and where it works (roots), both in one answer.
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  type CallToolResult,
  type CreateMessageResult,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { appsCapability } from '../../../server/testing/session.ts'
import { applyCall, rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { stdioHere, webHere } from '../in-process.ts'
import { notesOverHttp, notesOverStdio, wrapLine, type Notes } from './modern-notes.ts'

interface Asked {
  /** What its model was asked. */
  readonly prompts: string[]
  call(tool: string, args: Arguments): Promise<Reply>
}

const both = { ...appsCapability, sampling: {}, roots: {} }
const roots = [{ uri: 'file:///home/ada', name: 'ada' }]
const summed = (): CreateMessageResult => ({
  model: 'test',
  role: 'assistant',
  content: { type: 'text', text: 'buy milk' },
})

const asking = (
  prompts: string[],
  callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>,
): Asked => ({
  prompts,
  call: async (name, args) => toReply((await callTool({ name, arguments: { rationale, ...args } })) as CallToolResult),
})

async function older({ entry }: Notes, capabilities: object = both): Promise<Asked> {
  const client = new Client({ name: 'older', version: '1' }, { capabilities })
  const prompts: string[] = []
  if ('sampling' in capabilities)
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      prompts.push(JSON.stringify(params.messages))
      return summed()
    })
  if ('roots' in capabilities) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }))
  await client.connect(stdioHere(wrapLine(entry)).transport)
  atEnd(() => client.close())
  return asking(prompts, (params) => client.callTool(params))
}

type ModernTransport = Parameters<ModernClient['connect']>[0]

const modern =
  (transportTo: (line: readonly string[]) => Promise<ModernTransport>) =>
  async ({ entry }: Notes, capabilities: object = both): Promise<Asked> => {
    const client = new ModernClient(
      { name: 'modern', version: '1' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const prompts: string[] = []
    if ('sampling' in capabilities)
      client.setRequestHandler('sampling/createMessage', ({ params }) => {
        prompts.push(JSON.stringify(params.messages))
        return summed()
      })
    if ('roots' in capabilities) client.setRequestHandler('roots/list', () => ({ roots }))
    await client.connect(await transportTo(wrapLine(entry)))
    atEnd(() => client.close())
    return asking(prompts, (params) => client.callTool(params))
  }

const clients = {
  'an older client': older,
  'a client of 2026-07-28 over stdio': modern(async (line) => stdioHere(line).transport as object as ModernTransport),
  'a client of 2026-07-28 over HTTP': modern(
    async (line) => new StreamableHTTPClientTransport((await webHere([...line, '--http', '0'])).mcp),
  ),
}

describe.each(Object.entries(clients))('%s', (_, connect) => {
  test.each([
    ['stdio', notesOverStdio],
    ['HTTP', notesOverHttp],
  ] as const)(
    'is asked for its model and its roots by a server over %s, and the change runs once',
    async (__, open) => {
      const behind = await open()
      const client = await connect(behind)
      const preview = await client.call('create_summed_note', { text: 'milk, milk, milk' })
      expect(preview).toMatchObject({ status: 'previewed' })
      expect(client.prompts).toEqual([])
      const { tool, args } = applyCall(preview)
      expect(await client.call(tool, args)).toMatchObject({ status: 'applied' })
      expect(client.prompts).toEqual([expect.stringContaining('Sum up: milk, milk, milk')])
      expect(behind.written()).toEqual([expect.stringContaining('buy milk')])
      expect(behind.written().join()).toContain('file:///home/ada')
    },
  )

  test('that has no model is asked for nothing, and told which capability it lacks', async () => {
    const behind = notesOverStdio()
    const client = await connect(behind, { ...appsCapability, roots: {} })
    const { tool, args } = applyCall(await client.call('create_summed_note', { text: 'milk' }))
    const reply = await client.call(tool, args)
    expect(reply.isError).toBe(true)
    expect(reply.text).toContain('sampling')
    expect(behind.written()).toEqual([])
  })
})
