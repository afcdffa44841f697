// A call of a client of MCP 2026-07-28 that a server behind has answered with a question: it waits in the gateway, with the plan that
// it applies, until the client brings the answer, takes too long, goes, or the gateway ends.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appsCapability } from '../../../server/testing/session.ts'
import { applyCall, rationale, toReply, type Arguments } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { stdioHere, webHere, type Here } from '../in-process.ts'
import { fixture } from '../processes.ts'
import { recordsIn } from '../records-in.ts'
import { notesOverStdio, type Notes } from './modern-notes.ts'
import { gatewayFile } from './reach.ts'

type Transport = Parameters<Client['connect']>[0]

/** A server that does a part of its work before it asks, and refuses the answer. */
function inParts(): Notes {
  const file = join(place(), 'heard')
  const args = [...fixture('by-hand-server'), 'asks', file]
  return {
    entry: { command: process.execPath, args, timeout_ms: 1000 },
    written: () => readFileSync(file, 'utf8').trim().split('\n'),
  }
}

const ada = { action: 'accept', content: { author: 'Ada' } } as const

interface Waiting {
  readonly resultType?: string
  readonly requestState?: string
  readonly inputRequests?: Readonly<Record<string, unknown>>
}

type Answer = Waiting & CallToolResult

interface ByHand {
  readonly db: string
  readonly client: Client
  readonly gateway: Here
  readonly call: (name: string, args: Arguments, more?: object) => Promise<Answer>
  /** Previews a call. Answers how to apply it. */
  readonly prepare: (name: string, given: Arguments) => Promise<(more?: object) => Promise<Answer>>
}

/** A client that gives each answer by hand. `asked`: whether it can be asked anything. */
async function byHand({ entry }: Notes, door: 'stdio' | 'HTTP' = 'HTTP', asked = true): Promise<ByHand> {
  const db = freshDatabase()
  const line = ['wrap', '--db', db, '--config', gatewayFile({ notes: entry })]
  const client = new Client(
    { name: 'by-hand', version: '1' },
    {
      capabilities: { ...appsCapability, ...(asked ? { elicitation: { form: {} } } : {}) },
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  atEnd(() => client.close())
  let gateway: Here
  if (door === 'stdio') {
    const running = stdioHere(line)
    gateway = running
    await client.connect(running.transport as object as Transport)
  } else {
    const running = await webHere([...line, '--http', '0'])
    gateway = running
    await client.connect(new StreamableHTTPClientTransport(running.mcp))
  }
  const call: ByHand['call'] = async (name, args, more = {}) => {
    const params = { name, arguments: { rationale, ...args }, ...more }
    return (await client.callTool(params, { allowInputRequired: true })) as unknown as Answer
  }
  return {
    db,
    client,
    gateway,
    call,
    prepare: async (name, given) => {
      const { tool, args } = applyCall(toReply(await call(name, given)))
      return (more) => call(tool, args, more)
    },
  }
}

const answersTo = ({ inputRequests = {}, requestState }: Waiting) => ({
  requestState,
  inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, ada])),
})

test('a call that waits for its client is running for whoever makes it once more, and each of its answers counts once', async () => {
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

test('a call that waits for its client is asked for again where it comes without its answer, and is not answered by another call', async () => {
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

test('a call that waits for its client may have been carried out in part, whatever the server says of the request with the answer', async () => {
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

test('a call that waits for its client lets no other call wait longer for a server that is silent', async () => {
  const { prepare, call } = await byHand(inParts())
  const apply = await prepare('create_in_parts', {})
  expect(await apply()).toMatchObject({ resultType: 'input_required' })
  const silent = toReply(await call('get_nothing', {}))
  expect(silent).toMatchObject({ isError: true })
  expect(silent.text).toContain('did not answer in time')
})

const inOrder = async (applies: readonly (() => Promise<Answer>)[]): Promise<Answer[]> => {
  const done: Answer[] = []
  for (const apply of applies) done.push(await apply())
  return done
}

test.each([
  ['one after the other', inOrder],
  ['all at once', (applies: readonly (() => Promise<Answer>)[]) => Promise.all(applies.map((apply) => apply()))],
])('no more than eight calls of one client wait for it (%s), and the ninth is told why', async (_, all) => {
  const { prepare } = await byHand(notesOverStdio())
  const replies = await all(
    await Promise.all(Array.from({ length: 9 }, (_, at) => prepare('create_signed_note', { text: `note ${at}` }))),
  )
  const asked = replies.filter(({ resultType }) => resultType === 'input_required')
  expect(asked).toHaveLength(8)
  const ninth = toReply(replies.find((reply) => !asked.includes(reply)) as CallToolResult)
  expect(ninth).toMatchObject({ isError: true })
  expect(ninth.text).toContain('8 calls of this client wait for its answers already; answer one of them first')
})

test('a call that has its answers leaves its place to others', async () => {
  const { prepare } = await byHand(notesOverStdio())
  for (let at = 0; at < 9; at++) {
    const apply = await prepare('create_signed_note', { text: `note ${at}` })
    expect(toReply(await apply(answersTo(await apply()))).status).toBe('applied')
  }
})

test('what is not answered is not known, also of a tool that is said to do nothing where it fails', async () => {
  const behind = inParts()
  const harmless = { ...behind, entry: { ...behind.entry, tools: { create_in_parts: { error_effect: 'none' } } } }
  const { prepare } = await byHand(harmless, 'HTTP', false)
  const apply = await prepare('create_in_parts', {})
  const reply = toReply(await apply())
  expect(reply).toMatchObject({ isError: true, status: 'outcome_unknown' })
  expect(reply.text).toContain('elicitation')
  expect(reply.text).not.toContain('Nothing was changed')
  expect(toReply(await apply()).status).toBe('outcome_unknown')
  expect(behind.written().filter((line) => line === 'did a part')).toHaveLength(1)
})

/** What is on record of the call that asked, which is only written where somebody has ended it. */
async function onRecord({ db }: ByHand): Promise<string> {
  const rows = await recordsIn(db, { limit: 50 })
  return JSON.stringify(rows)
}

// A gateway that waited for such a call would cut it off, and nothing would be on record of how it ended.
test('a call that waits ends with its client over stdio, so that the gateway does', async () => {
  const agent = await byHand(inParts(), 'stdio')
  const apply = await agent.prepare('create_in_parts', {})
  expect(await apply()).toMatchObject({ resultType: 'input_required' })
  await agent.client.close()
  await agent.gateway.ended
  expect(await onRecord(agent)).toContain('The client has gone.')
})

test.each(['stdio', 'HTTP'] as const)(
  'a call that waits ends with a gateway over %s that is told to end',
  async (door) => {
    const agent = await byHand(inParts(), door)
    const apply = await agent.prepare('create_in_parts', {})
    expect(await apply()).toMatchObject({ resultType: 'input_required' })
    await agent.gateway.end()
    expect(await onRecord(agent)).toContain('This server is ending.')
  },
)
