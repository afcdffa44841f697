// A server of MCP 2026-07-28 that has to know something before it does what it was called for (`input_required`): its question
// goes to the client of that call, in the words of the version that the client speaks, and the change runs once.
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { appsCapability } from '../../../server/testing/session.ts'
import { applyCall, rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { stdioHere, webHere } from '../in-process.ts'
import { notesOverHttp, notesOverStdio, wrapLine, type Notes } from './modern-notes.ts'

/** A client with a person who answers what is asked. */
interface Asked {
  readonly questions: string[]
  call(tool: string, args?: Arguments): Promise<Reply>
  prompt(name: string): Promise<string>
}

type Answer = () => ElicitResult | Promise<ElicitResult>

const ada: Answer = () => ({ action: 'accept', content: { author: 'Ada' } })
const nobody: Answer = () => ({ action: 'decline' })

const capabilitiesOf = (answer: Answer | undefined) => ({
  ...appsCapability,
  ...(answer === undefined ? {} : { elicitation: { form: {} } }),
})

async function older({ entry }: Notes, answer: Answer | undefined): Promise<Asked> {
  const client = new Client({ name: 'older', version: '1' }, { capabilities: capabilitiesOf(answer) })
  const questions: string[] = []
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return answer()
    })
  await client.connect(stdioHere(wrapLine(entry)).transport)
  atEnd(() => client.close())
  return {
    questions,
    call: async (name, args = {}) =>
      toReply((await client.callTool({ name, arguments: { rationale, ...args } })) as CallToolResult),
    prompt: async (name) => JSON.stringify((await client.getPrompt({ name })).messages),
  }
}

type ModernTransport = Parameters<ModernClient['connect']>[0]

const modern =
  (transportTo: (line: readonly string[]) => Promise<ModernTransport>) =>
  async ({ entry }: Notes, answer: Answer | undefined): Promise<Asked> => {
    const client = new ModernClient(
      { name: 'modern', version: '1' },
      { capabilities: capabilitiesOf(answer), versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const questions: string[] = []
    if (answer !== undefined)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message)
        return answer()
      })
    await client.connect(await transportTo(wrapLine(entry)))
    atEnd(() => client.close())
    return {
      questions,
      call: async (name, args = {}) =>
        toReply((await client.callTool({ name, arguments: { rationale, ...args } })) as unknown as CallToolResult),
      prompt: async (name) => JSON.stringify((await client.getPrompt({ name })).messages),
    }
  }

const clients = {
  'an older client': older,
  'a client of 2026-07-28 over stdio': modern(async (line) => stdioHere(line).transport as object as ModernTransport),
  'a client of 2026-07-28 over HTTP': modern(
    async (line) => new StreamableHTTPClientTransport((await webHere([...line, '--http', '0'])).mcp),
  ),
}

const confirmed = async (client: Asked, preview: Reply): Promise<Reply> => {
  const { tool, args } = applyCall(preview)
  return client.call(tool, args)
}

describe.each(Object.entries(clients))('%s', (_, connect) => {
  test('is asked when the change runs, not before, and it runs once', async () => {
    const behind = notesOverStdio()
    const client = await connect(behind, ada)
    const preview = await client.call('create_signed_note', { text: 'milk' })
    expect(preview).toMatchObject({ status: 'previewed' })
    expect(behind.written()).toEqual([])
    expect(client.questions).toEqual([])
    expect(await confirmed(client, preview)).toMatchObject({ status: 'applied' })
    expect(client.questions).toEqual(['notes asks: Who wrote "milk"?'])
    expect(behind.written()).toEqual(['asked in round 0', 'asked in round 1', 'milk (Ada)'])
    expect(await confirmed(client, preview)).toMatchObject({ status: 'replayed' })
    expect(behind.written()).toHaveLength(3)
  })

  test('that declines is told what the server makes of it, and nothing counts as done', async () => {
    const behind = await notesOverHttp()
    const client = await connect(behind, nobody)
    const preview = await client.call('create_signed_note', { text: 'milk' })
    const reply = await confirmed(client, preview)
    expect(reply.status).not.toBe('applied')
    expect(reply.text).toContain('Nobody says who wrote it.')
    expect(behind.written()).toEqual(['asked in round 0', 'asked in round 1'])
  })

  test('that cannot be asked is told what to do, and nothing counts as done', async () => {
    const behind = notesOverStdio()
    const client = await connect(behind, undefined)
    const preview = await client.call('create_signed_note', { text: 'milk' })
    const reply = await confirmed(client, preview)
    expect(reply.isError).toBe(true)
    expect(reply.status).not.toBe('applied')
    expect(reply.text).toContain('elicitation')
    expect(await confirmed(client, preview)).not.toMatchObject({ status: 'applied' })
    expect(behind.written()).toEqual(['asked in round 0'])
  })

  test('is asked for a prompt as well', async () => {
    const client = await connect(notesOverStdio(), ada)
    expect(await client.prompt('signed')).toContain('Signed by Ada.')
    expect(client.questions).toEqual(['notes asks: Who wrote "the prompt"?'])
  })
})
