// One Confirm, one effect: a server that does the work and then answers anything at all is never sent the call again, and
// the record does not say that nothing happened.
import { expect, test } from 'vitest'
import { casesOf } from '../../../full.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'
import {
  answerResult,
  answerWith,
  startWorkingServer,
  type AnswerCall,
  type WorkingServer,
} from '../fixtures/working-server.ts'
import { contractsOf, startOne, until, type Entry } from '../servers.ts'
import type { PinStore } from '../../../../server/model/pins.ts'

const forgetful: PinStore = { get: async () => [], put: async () => undefined, accept: async () => false }

async function behind(server: WorkingServer, more: Entry = {}) {
  const upstream = await startOne({ url: server.url, type: 'http', timeout_ms: 2000, ...more })
  const pinned = await pinTools(upstream.name, upstream.tools().tools, forgetful)
  const stage = await createStage(contractsOf(upstream, pinned, { wireName: (tool) => tool }))
  return { upstream, stage }
}

const stream = (response: Parameters<AnswerCall>[0], text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)

const afterTheWork: readonly (readonly [string, AnswerCall])[] = [
  ...[400, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 415, 421, 422, 423, 425, 429, 451].map(
    (status) => [`HTTP ${status}`, answerWith(status, { error: 'no' })] as const,
  ),
  ...[500, 501, 502, 503, 504].map((status) => [`HTTP ${status}`, answerWith(status)] as const),
  ['HTTP 400 with "session" in it', answerWith(400, { error: 'Bad Request: No valid session ID provided' })],
  ['HTTP 404 with "Session not found"', answerWith(404, { error: { code: -32001, message: 'Session not found' } })],
  ['HTTP 503 with Retry-After', answerWith(503, {}, { 'retry-after': '0' })],
  ...[301, 302, 303, 307, 308].map(
    (status) => [`HTTP ${status} to itself`, answerWith(status, {}, { location: '/mcp' })] as const,
  ),
  ['a closed socket', (response) => response.destroy()],
  ['half an event', (response) => stream(response, 'event: message\ndata: {"jsonrpc":"2.0",') && response.end()],
  ['a torn event stream', (response) => stream(response, 'data: {"js') && setTimeout(() => response.destroy(), 50)],
  [
    'an event stream that could be resumed, and ends',
    (response) => stream(response, 'id: 1\nretry: 10\ndata: \n\n') && response.end(),
  ],
  ['an empty 202', (response) => response.writeHead(202).end()],
  ['a page of HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')],
  ['half an answer', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc')],
]

/** Of each kind of answer one; each status in full runs. */
const someAnswers = afterTheWork
  .map(([name]) => name)
  .filter((name) => !/^HTTP \d+( to itself)?$/.test(name) || /40[049]|429|50[03]|302|307/.test(name))

test.each(casesOf(afterTheWork, ([name]) => name, someAnswers))(
  '%s after the work: one Confirm, one effect, and the record says unknown',
  async (_, answer) => {
    const server = await startWorkingServer(answer)
    const { stage } = await behind(server)
    const preview = await stage.ask('append')
    const ended = await stage.repeat(confirmed(preview))
    expect([ended.outcome, server.effects]).toEqual(['outcome_unknown', ['append']])
    expect(`${ended.text} ${JSON.stringify(ended.card)}`).not.toMatch(/nothing was (?:changed|sent)/i)
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
    expect(server.effects).toEqual(['append'])
  },
)

test.each([401, 413])('HTTP %i comes before the work, and leaves nothing behind', async (status) => {
  const server = await startWorkingServer(answerWith(status))
  const { stage } = await behind(server)
  expect(await stage.repeat(confirmed(await stage.ask('append')))).toMatchObject({
    outcome: 'failed',
    guidance: { error_type: 'upstream_refused' },
  })
})

test('an operator who knows the server says which other statuses leave nothing behind', async () => {
  const server = await startWorkingServer(answerWith(409))
  const { stage } = await behind(server, { not_run_statuses: [409] })
  expect((await stage.repeat(confirmed(await stage.ask('append')))).outcome).toBe('failed')
})

test('a session that was forgotten before a write is opened anew before it is sent, once', async () => {
  const server = await startWorkingServer(answerResult)
  const { stage, upstream } = await behind(server)
  const preview = await stage.ask('append')
  server.forget()
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
  expect([server.effects, server.opened()]).toEqual([['append'], 2])
  await until(() => upstream.state().kind === 'ready')
})

test('a session that was forgotten is no reason to refuse a read: it is sent again on a new one', async () => {
  const server = await startWorkingServer(answerResult)
  const { stage } = await behind(server)
  server.forget()
  expect((await stage.ask('look')).outcome).toBe('ok')
  expect(server.effects).toEqual(['look'])
  expect(server.heard.filter((method) => method === 'ping')).toEqual([])
})

test('a write on a session is one request more than a read: the ping that goes before it', async () => {
  const server = await startWorkingServer(answerResult)
  const { stage } = await behind(server)
  const preview = await stage.ask('append')
  const before = server.heard.length
  await stage.repeat(confirmed(preview))
  await stage.ask('look')
  expect(server.heard.slice(before)).toEqual(['ping', 'tools/call', 'tools/call'])
})

test('a server whose address leads elsewhere is called where it really is', async () => {
  const server = await startWorkingServer(answerResult)
  const { stage } = await behind({ ...server, url: server.url.replace('/mcp', '/moved') })
  expect((await stage.repeat(confirmed(await stage.ask('append')))).outcome).toBe('applied')
  expect(server.effects).toEqual(['append'])
})

const result = (id: number | undefined, value: unknown) => answerWith(200, { jsonrpc: '2.0', id, result: value })
const said = (text: string) => ({ content: [{ type: 'text', text }] })

const reports = [
  ['marked as an error', { ...said('duplicate key value violates unique constraint'), isError: true }],
  ['in words only', said('Failed to create refund: No such charge: ch_1')],
  ['in a text of JSON', said('{"error":{"type":"invalid_request","message":"No such charge"}}')],
  ['as a status', said('{"status":"error","message":"No such charge"}')],
  ['in its structure', { content: [], structuredContent: { success: false, reason: 'No such charge' } }],
] as const

test.each(reports)(
  'a failure that the server reports %s is quoted first, and neither ran nor "nothing was changed"',
  async (_, value) => {
    const server = await startWorkingServer((response, message) => result(message.id, value)(response, message))
    const { stage } = await behind(server)
    const ended = await stage.repeat(confirmed(await stage.ask('append')))
    expect(ended.outcome).toBe('outcome_unknown')
    expect(ended.text).toMatch(/^\*\*it says: /)
    expect(ended.card?.title).toBe('append: the server says that it failed')
    const all = `${ended.text} ${JSON.stringify(ended.card)}`
    expect(all).not.toMatch(/ran on|nothing was changed|not known whether/i)
    expect(all).toContain('but not what it had changed by then.')
  },
)

test.each(reports)('a dry run whose failure is reported %s shows no preview of it', async (_, value) => {
  const server = await startWorkingServer((response, message) => result(message.id, value)(response, message))
  const { stage } = await behind(server, { tools: { append: { dry_run: { parameter: 'check', value: true } } } })
  expect(await stage.ask('append')).toMatchObject({ outcome: 'failed', declared: { error_type: 'dry_run_failed' } })
})

test.each([
  'Error log cleared',
  'Failed jobs: 0',
  '{"error":null,"id":1}',
  '{"error":[]}',
  '{"id":"job_1","status":"failed"}',
  'Refund re_1 created',
  'Cannon fired',
])('a result that only mentions failure is a result: %s', async (text) => {
  const server = await startWorkingServer((response, message) => result(message.id, said(text))(response, message))
  const { stage } = await behind(server)
  const ended = await stage.repeat(confirmed(await stage.ask('append')))
  expect([ended.outcome, ended.card?.title]).toEqual(['applied', 'append ran on it'])
})
