// A server of MCP 2026-07-28 that has to know something before it does what it was called for (`input_required`): its question
// goes to the client of that call, in the words of the version that the client speaks, and the change runs once.
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appsCapability } from '../../../server/testing/session.ts'
import { applyCall, rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { stdioHere, webHere } from '../in-process.ts'
import { fixture } from '../processes.ts'
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
    expect(client.questions).toEqual(['Who wrote "milk"?'])
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
    expect(client.questions).toEqual(['Who wrote "the prompt"?'])
  })
})

describe('a call that waits for an answer of its client', () => {
  /** A server that does a part of its work before it asks, and refuses the answer. */
  function inParts(): Notes {
    const file = join(place(), 'heard')
    const args = [...fixture('by-hand-server'), 'asks', file]
    return {
      entry: { command: process.execPath, args, timeout_ms: 1000 },
      written: () => readFileSync(file, 'utf8').trim().split('\n'),
    }
  }

  /** A client that gives each answer by hand. */
  async function byHand({ entry }: Notes) {
    const { mcp } = await webHere([...wrapLine(entry), '--http', '0'])
    const client = new ModernClient(
      { name: 'by-hand', version: '1' },
      {
        capabilities: capabilitiesOf(ada),
        inputRequired: { autoFulfill: false },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    )
    await client.connect(new StreamableHTTPClientTransport(mcp))
    atEnd(() => client.close())
    const call = async (name: string, args: Arguments, more: object = {}): Promise<Waiting & CallToolResult> => {
      const params = { name, arguments: { rationale, ...args }, ...more }
      return (await client.callTool(params, { allowInputRequired: true })) as unknown as Waiting & CallToolResult
    }
    const prepare = async (name: string, given: Arguments) => {
      const { tool, args } = applyCall(toReply(await call(name, given)))
      return (more?: object) => call(tool, args, more)
    }
    return { prepare, call }
  }

  interface Waiting {
    readonly resultType?: string
    readonly requestState?: string
    readonly inputRequests?: Readonly<Record<string, unknown>>
  }

  const inOrder = async <T>(works: readonly (() => Promise<T>)[]): Promise<T[]> => {
    const done: T[] = []
    for (const work of works) done.push(await work())
    return done
  }

  const answersTo = ({ inputRequests = {}, requestState }: Waiting) => ({
    requestState,
    inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, ada()])),
  })

  test('is running for whoever makes it once more, and each of its answers counts once', async () => {
    const behind = notesOverStdio()
    const { prepare } = await byHand(behind)
    const apply = await prepare('create_signed_note', { text: 'milk' })
    const asked = await apply()
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
    const meanwhile = toReply(await apply())
    expect(meanwhile.status).toBe('running')
    expect(behind.written()).toEqual(['asked in round 0'])
    expect(toReply(await apply(answersTo(asked))).status).toBe('applied')
    await expect(apply(answersTo(asked))).rejects.toThrow('No call waits for these answers here')
    expect(behind.written()).toEqual(['asked in round 0', 'asked in round 1', 'milk (Ada)'])
  })

  test('is asked for again where it comes without its answer, and is not answered by another call', async () => {
    const behind = notesOverStdio()
    const { prepare, call } = await byHand(behind)
    const apply = await prepare('create_signed_note', { text: 'milk' })
    const asked = await apply()
    const { requestState } = asked
    await expect(call('create_note', { text: 'bread' }, { requestState })).rejects.toThrow('belongs to another call')
    const again = await apply({ requestState })
    expect(again).toMatchObject({ resultType: 'input_required', inputRequests: asked.inputRequests })
    expect(toReply(await apply(answersTo(again))).status).toBe('applied')
    expect(behind.written().filter((line) => line === 'milk (Ada)')).toHaveLength(1)
  })

  test('may have been carried out in part, whatever the server says of the request with the answer', async () => {
    const behind = inParts()
    const { prepare } = await byHand(behind)
    const apply = await prepare('create_in_parts', {})
    const reply = toReply(await apply(answersTo(await apply())))
    expect(reply).toMatchObject({ isError: true, status: 'outcome_unknown' })
    expect(reply.text).toContain('The state is too old.')
    expect(reply.text).not.toContain('Nothing was changed')
    expect(toReply(await apply()).status).toBe('outcome_unknown')
    expect(behind.written().filter((line) => line === 'did a part')).toHaveLength(1)
  })

  test('lets no other call wait longer for a server that is silent', async () => {
    const { prepare, call } = await byHand(inParts())
    const apply = await prepare('create_in_parts', {})
    expect(await apply()).toMatchObject({ resultType: 'input_required' })
    const silent = toReply(await call('get_nothing', {}))
    expect(silent).toMatchObject({ isError: true })
    expect(silent.text).toContain('did not answer in time')
  })

  test.each([
    ['one after the other', (applies: readonly (() => Promise<Waiting>)[]) => inOrder(applies)],
    ['all at once', (applies: readonly (() => Promise<Waiting>)[]) => Promise.all(applies.map((apply) => apply()))],
  ])('is asked no more than eight at a time of one client, %s, and the ninth is told why', async (_, all) => {
    const behind = notesOverStdio()
    const { prepare } = await byHand(behind)
    const applies = await Promise.all(
      Array.from({ length: 9 }, (_, at) => prepare('create_signed_note', { text: `note ${at}` })),
    )
    const replies = await all(applies)
    const asked = replies.filter(({ resultType }) => resultType === 'input_required')
    expect(asked).toHaveLength(8)
    const ninth = toReply(replies.find((reply) => !asked.includes(reply)) as CallToolResult)
    expect(ninth).toMatchObject({ isError: true })
    expect(ninth.text).toContain('8 calls of this client wait for its answers already; answer one of them first')
  })

  test('that has its answers leaves its place to others', async () => {
    const behind = notesOverStdio()
    const { prepare } = await byHand(behind)
    const applies = await Promise.all(
      Array.from({ length: 9 }, (_, at) => prepare('create_signed_note', { text: `note ${at}` })),
    )
    const last = applies.pop()
    for (const apply of applies) {
      const asked = await apply()
      expect(toReply(await apply(answersTo(asked))).status).toBe('applied')
    }
    expect(await last?.()).toMatchObject({ resultType: 'input_required' })
  })

  test('ends with a client over stdio that goes, so that the gateway does', async () => {
    const behind = inParts()
    const agent = stdioHere(wrapLine(behind.entry))
    const client = new ModernClient(
      { name: 'goes', version: '1' },
      {
        capabilities: capabilitiesOf(ada),
        inputRequired: { autoFulfill: false },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    )
    await client.connect(agent.transport as object as ModernTransport)
    const call = async (name: string, args: Arguments) =>
      (await client.callTool(
        { name, arguments: { rationale, ...args } },
        { allowInputRequired: true },
      )) as unknown as Waiting & CallToolResult
    const { tool, args } = applyCall(toReply(await call('create_in_parts', {})))
    expect(await call(tool, args)).toMatchObject({ resultType: 'input_required' })
    await client.close()
    await agent.ended
  })
})
