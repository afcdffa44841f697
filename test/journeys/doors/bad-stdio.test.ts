// Over stdio one stray line on stdout breaks the host, so nothing but protocol may ever stand there: not when a message
// is broken, not when a tool prints, not when the client leaves in the middle of it.
import { join } from 'node:path'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { toReply } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { binary, fixture, start, type Running } from '../processes.ts'
import { rawCall } from '../raw-http.ts'

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const ping = '{"jsonrpc":"2.0","id":"last","method":"ping"}'
const why = '"rationale":"The customer asked for this by phone."'

/** Every line of stdout; fails where one is no JSON-RPC message. */
const messagesOf = (running: Running): readonly JSONRPCMessage[] =>
  running
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSONRPCMessageSchema.parse(JSON.parse(line)))

/** Starts a server, says hello and waits for its answer. */
async function greeted(commandLine: readonly string[]): Promise<Running> {
  const running = start(commandLine)
  running.child.stdin?.write(`${hello}\n`)
  await eventually(() => expect(messagesOf(running)).toMatchObject([{ id: 0 }]))
  return running
}

/** Sends these lines and a ping; waits for the answer to the ping and as many more as are due. */
async function exchange(
  running: Running,
  due: number,
  ...lines: readonly string[]
): Promise<readonly JSONRPCMessage[]> {
  const before = messagesOf(running).length
  running.child.stdin?.write([...lines, ping].map((line) => `${line}\n`).join(''))
  await eventually(() => expect(running.stdout().split('\n')).toHaveLength(before + due + 2))
  return messagesOf(running).slice(before)
}

const answerTo = (messages: readonly JSONRPCMessage[], id: number) => {
  const found = messages.find((message) => 'id' in message && message.id === id)
  if (found === undefined) throw new Error(`No answer to ${id} in ${JSON.stringify(messages)}`)
  return found as { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } }
}

const demo = (): Promise<Running> => greeted([...binary, 'demo', '--stdio', '--db', freshDatabase()])

describe('the demo over stdio', () => {
  let desk: Running

  beforeAll(async () => {
    desk = await demo()
  })

  test.each<readonly [string, string]>([
    ['a line that is no JSON', 'hello?'],
    ['half a message', ping.slice(0, 20)],
    ['JSON that is no message', '{"hello":"world"}'],
    ['a number', '7'],
    ['a batch, which stdio never had', `[${ping.replace('last', 'in a batch')}]`],
    ['parameters in a list', '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":["orders_list"]}'],
  ])('%s is skipped, said on stderr in one line, and the next message is answered', async (_, line) => {
    const before = desk.stderr().length
    const messages = await exchange(desk, 0, line)
    expect(messages.map((message) => ('id' in message ? message.id : undefined))).toStrictEqual(['last'])
    const said = desk.stderr().slice(before).trimEnd().split('\n')
    expect(said).toHaveLength(1)
    expect(JSON.parse(said[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'A line on stdin is not a JSON-RPC message and was skipped. Send one message a line.',
    })
  })

  test('a line of twelve megabytes is refused by itself with the limit, and the next message is answered', async () => {
    const messages = await exchange(desk, 1, rawCall('orders_delete', `{"id":"${'x'.repeat(12_000_000)}"}`))
    expect(messages.map((message) => ('id' in message ? message.id : undefined))).toStrictEqual([undefined, 'last'])
    expect(messages[0]).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('at most 4194304 bytes a line') },
    })
    expect(desk.stderr()).toContain('A line is longer than 4194304 bytes and was not read.')
  })

  test.each<readonly [string, string, RegExp]>([
    ['a key named __proto__', `{"__proto__":{"id":"SO-1005"},"id":"SO-1005",${why}}`, /\/__proto__/],
    ['a lone surrogate', `{"id":"\\ud800",${why}}`, /well-formed Unicode/],
    ['a list', '["SO-1005"]', /an object of named arguments/],
    ['null', 'null', /\/id/],
    ['an integer that JavaScript rounds', `{"id":12345678901234567890,${why}}`, /2\^53-1/],
    ['two megabytes', `{"id":"${'x'.repeat(2_000_000)}",${why}}`, /at most 1000000 bytes/],
  ])('arguments that hold %s reach the engine as they were sent', async (_, args, says) => {
    const answer = answerTo(await exchange(desk, 1, rawCall('orders_delete', args)), 1)
    const reply = toReply(answer.result as Parameters<typeof toReply>[0])
    expect(reply).toMatchObject({ isError: true, status: 'refused', guidance: { error_type: 'validation_error' } })
    expect(reply.text).toMatch(says)
  })

  test('a method of nowhere and a call without a name are errors of their own codes', async () => {
    const messages = await exchange(
      desk,
      2,
      '{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}',
    )
    expect(answerTo(messages, 1).error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('tools/destroy'),
    })
    expect(answerTo(messages, 2).error).toMatchObject({ code: -32602, message: expect.stringContaining('params.name') })
  })
})

test('a whole journey leaves nothing but protocol on stdout and nothing on stderr, and ends with 0', async () => {
  const desk = await demo()
  const order = `{"customer":"ACME","lines":[{"sku":"DESK-01","quantity":2}],${why}}`
  const first = answerTo(await exchange(desk, 1, rawCall('orders_create', order)), 1)
  const { planId } = toReply(first.result as Parameters<typeof toReply>[0])
  const confirmed = order.replace(/\}$/, `,"ticket":"${planId}","preview":false}`)
  desk.child.stdin?.write(`${rawCall('orders_create', confirmed).replace('"id":1', '"id":2')}\n`)
  await eventually(() => expect(desk.stdout()).toContain('"status":"applied"'))
  desk.child.stdin?.end()
  expect(await desk.ended).toMatchObject({ code: 0, stderr: '' })
  expect(messagesOf(desk)).toHaveLength(4)
})

test('a tool that prints while it runs does not print into the protocol', async () => {
  const directory = place()
  const files = { db: join(directory, 'marks.db'), marks: join(directory, 'marks'), hold: join(directory, 'hold') }
  const server = await greeted([...fixture('server'), JSON.stringify({ ...files, door: 'stdio', prints: true })])
  const args = `{"text":"noisy",${why}}`
  const first = answerTo(await exchange(server, 1, rawCall('marks_add', args)), 1)
  const { planId } = toReply(first.result as Parameters<typeof toReply>[0])
  const confirmed = args.replace(/\}$/, `,"ticket":"${planId}","preview":false}`)
  server.child.stdin?.write(`${rawCall('marks_add', confirmed).replace('"id":1', '"id":2')}\n`)
  await eventually(() => expect(server.stdout()).toContain('"status":"applied"'))
  expect(server.stderr()).toContain('marking noisy')
  expect(messagesOf(server)).toHaveLength(4)
})
