// How often one caller may call: said with the time to wait, on record, and nobody else's concern.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { opened, place } from '../../store/store-fixture.ts'
import { present } from '../../../postgres.ts'
import { mcpClient } from '../../../kit/mcp-client.ts'
import { openDesk, why, type Desk } from './serve-protected.ts'

const make = async (desk: Desk, subject: string): Promise<string> => {
  const body = { subject, permissions: ['*'] }
  return `Bearer ${String((await desk.admin('POST', '/api/v1/tokens', body)).body['token'])}`
}
const limited = (limits: object) => openDesk({ access: { mode: 'tokens' }, limits })

describe('a caller who calls too often', () => {
  test('is told how long to wait, over REST', async () => {
    const desk = await limited({ calls_per_minute: 2 })
    const ada = await make(desk, 'ada')
    for (const id of ['1', '2']) expect((await desk.call('things_look', { id }, ada)).status).toBe(200)
    const told = await desk.call('things_look', { id: '3' }, ada)
    expect(told).toMatchObject({
      status: 429,
      body: {
        status: 'refused',
        error: { code: 'too_many_calls' },
        error_guidance: { retryable: 'after_wait', fix: [{ kind: 'wait' }] },
      },
    })
    const seconds = Number(told.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(told.body['error_guidance']).toMatchObject({ retry_after_seconds: seconds })
  })

  test('is told the same over MCP, as a result of the tool', async () => {
    const desk = await limited({ calls_per_minute: 1 })
    const client = await mcpClient(desk.web.mcpUrl, await make(desk, 'ada'))
    const call = () => client.callTool({ name: 'things_look', arguments: { id: '1', rationale: why } })
    expect((await call()).isError).not.toBe(true)
    expect(await call()).toMatchObject({
      isError: true,
      _meta: { 'countersign/guidance': { error_type: 'too_many_calls', retryable: 'after_wait' } },
    })
    // What is no call is not counted: the client can go on looking.
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
  })

  test('has it on record as refused', async () => {
    const desk = await limited({ calls_per_minute: 1 })
    const ada = await make(desk, 'ada')
    for (const id of ['1', '2']) await desk.call('things_look', { id }, ada)
    const recorded = async () => {
      const { calls } = await desk.records.activity.page({ filter: { subjects: ['ada'] }, limit: 5 })
      return calls.map(({ tool, status, errorCode }) => [tool, status, errorCode])
    }
    await expect.poll(recorded).toEqual([
      ['things_look', 'refused', 'too_many_calls'],
      ['things_look', 'ok', undefined],
    ])
  })

  test('keeps nobody else from calling', async () => {
    const desk = await limited({ calls_per_minute: 1 })
    const [ada, bob] = [await make(desk, 'ada'), await make(desk, 'bob')]
    const foreign = { tenant: 'other', subject: 'ada', permissions: ['*'] }
    const other = `Bearer ${String((await desk.admin('POST', '/api/v1/tokens', foreign)).body['token'])}`
    for (const bearer of [ada, bob, other])
      expect((await desk.call('things_look', { id: '1' }, bearer)).status).toBe(200)
    for (const bearer of [ada, bob, other])
      expect((await desk.call('things_look', { id: '1' }, bearer)).status).toBe(429)
  })
})

test('who lacks a permission is told so and nothing of the arguments, and spends no write', async () => {
  const desk = await limited({ writes_per_minute: 1 })
  const made = await desk.admin('POST', '/api/v1/tokens', { subject: 'eve', permissions: ['things:read'] })
  for (let time = 0; time < 3; time++) {
    const told = await desk.call('things_change', { id: 5, other: true }, `Bearer ${String(made.body['token'])}`)
    expect(told).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } })
    expect(told.text).not.toContain('/other')
  }
})

describe('a limit of writes', () => {
  test('counts what can change something, previews and unknown plans too, and leaves reads alone', async () => {
    const desk = await limited({ writes_per_minute: 2 })
    const ada = await make(desk, 'ada')
    expect((await desk.call('things_change', { id: '1' }, ada)).status).toBe(200)
    expect((await desk.call('apply_plan', { tool: 'things_change' }, ada)).status).not.toBe(429)
    expect((await desk.call('things_change', { id: '2' }, ada)).status).toBe(429)
    expect((await desk.call('apply_plan', { tool: 'things_change' }, ada)).status).toBe(429)
    for (let time = 0; time < 5; time++) expect((await desk.call('things_look', { id: '1' }, ada)).status).toBe(200)
  })

  test('does not stop a call that a person has approved', async () => {
    const desk = await limited({ writes_per_minute: 1 })
    const ada = await make(desk, 'ada')
    const told = await desk.call('things_drop', { id: '1' }, ada)
    await desk.admin('POST', `/api/v1/approvals/${String(told.body['approval_id'])}/approve`, {})
    await expect.poll(() => desk.done).toEqual(['dropped 1'])
  })
})

test('processes on one PostgreSQL count together, those on one file each for itself', async () => {
  const file = join(place(), 'shared.db')
  const limiterOf = async () => (await opened({ file })).access.limiter('calls', 10)
  const [one, other] = [await limiterOf(), await limiterOf()]
  const principal = { tenant: 't', subject: 's' }
  const taken = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other).take(principal)))
  expect(taken.filter((wait) => wait === undefined)).toHaveLength(present === 'postgres' ? 10 : 20)
})
