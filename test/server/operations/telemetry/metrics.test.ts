// Figures as Prometheus scrapes them, from a server that was called.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMetricsApp } from '../../../../server/http/metrics.ts'
import { createMetrics } from '../../../../server/operations/telemetry/metrics.ts'
import { openOffice, type Office } from '../../http/operators/serve-operators.ts'

/** The value of a series, by its name and labels as they stand in the text. */
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const scrape = async (office: Office): Promise<string> => {
  const response = await fetch(`${office.url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain')
  return response.text()
}

describe('what is counted', () => {
  test('are calls by tool, verdict and outcome, endings of plans, and approvals that wait, by risk', async () => {
    const office = await openOffice()
    await office.call('notes_read', { id: '7' })
    const { body } = await office.call('notes_tidy', { id: '7' })
    await office.call('notes_tidy', { id: '7', ticket: body['plan_id'], preview: false })
    await office.ask('notes_drop', { id: '7' })
    await office.call('notes_tidy', { id: '7' })
    await office.call('notes_tidy', { id: '7' })
    const text = await scrape(office)
    const counted = [
      'countersign_calls_total{tool="notes_read",verdict="allow",outcome="ok"}',
      'countersign_calls_total{tool="notes_tidy",verdict="allow",outcome="applied"}',
      'countersign_calls_total{tool="notes_tidy",verdict="preview",outcome="previewed"}',
      'countersign_calls_total{tool="notes_drop",verdict="approve",outcome="awaiting_approval"}',
      'countersign_plans_ended_total{ending="applied"}',
      'countersign_plans_ended_total{ending="superseded"}',
      'countersign_approvals_waiting{risk="critical"}',
      'countersign_webhook_outbox',
      'countersign_call_duration_seconds_count{operation="read",outcome="ok"}',
      'countersign_tool_duration_seconds_count{tool="notes_tidy",step="run"}',
    ].map((series) => [series, valueOf(text, series)])
    expect(counted.map(([, value]) => value)).toStrictEqual([1, 1, 3, 1, 1, 1, 1, 0, 1, 1])
    expect(text).toMatch(/^process_cpu_seconds_total /m)
    expect(text).toMatch(/^countersign_info\{version="\d+\.\d+\.\d+"\} 1$/m)
  })

  test('names no tenant, and no tool that is not in the catalogue, whatever is called', async () => {
    const office = await openOffice()
    await office.call('notes_read', { id: '7' }, { 'x-tenant': 'acme-with-a-secret-name' })
    for (const odd of ['drop_everything', 'notes_readd', 'hunter2']) await office.call(odd)
    const text = await scrape(office)
    expect(text).not.toMatch(/acme|drop_everything|notes_readd|hunter2/)
    expect(valueOf(text, 'countersign_calls_total{tool="(unknown)",verdict="none",outcome="refused"}')).toBe(3)
  })

  test('has an end: beyond some hundreds of tools the rest is counted together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1500 }), async (tools) => {
        const metrics = createMetrics('1.0.0')
        for (let i = 0; i < tools; i++) metrics.call({ tool: `tool_${i}`, operation: 'read' }, { outcome: 'ok' }, 0)
        const { text } = await metrics.exposition()
        const series = text.split('\n').filter((line) => line.startsWith('countersign_calls_total{'))
        expect(series.length).toBe(tools > 500 ? 501 : tools)
        if (tools > 500)
          expect(valueOf(text, 'countersign_calls_total{tool="(other)",verdict="none",outcome="ok"}')).toBe(tools - 500)
      }),
      { numRuns: 10 },
    )
  })

  test('a figure that cannot be read is left out, and that is counted', async () => {
    const metrics = createMetrics('1.0.0')
    let broken = false
    metrics.gauge('test_figure', 'A figure.', [], () =>
      broken ? Promise.reject(new Error('gone')) : [{ labels: {}, value: 7 }],
    )
    expect(valueOf((await metrics.exposition()).text, 'test_figure')).toBe(7)
    broken = true
    await metrics.exposition()
    const { text } = await metrics.exposition()
    expect(valueOf(text, 'test_figure')).toBeNaN()
    expect(valueOf(text, 'countersign_scrape_errors_total{metric="test_figure"}')).toBeGreaterThan(0)
  })
})

describe('who may read them', () => {
  test('is everybody on this machine, and nobody who came through a proxy on it', async () => {
    const office = await openOffice()
    await scrape(office)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
      expect([
        name,
        (await fetch(`${office.url}/metrics`, { headers: { [name]: '203.0.113.9' } })).status,
      ]).toStrictEqual([name, 403])
  })

  test('is whoever has the token, from anywhere, where there is one', async () => {
    const app = createMetricsApp({ metrics: createMetrics('1.0.0'), token: 'the-token-of-the-scraper' })
    const ask = async (headers: Readonly<Record<string, string>>) => (await app.request('/', { headers })).status
    expect(await ask({ authorization: 'Bearer the-token-of-the-scraper' })).toBe(200)
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Bearer another' },
      { authorization: 'Basic x' },
    ])
      expect(await ask(headers as Readonly<Record<string, string>>)).toBe(401)
    // Without a connection that says where it comes from, nobody is near.
    expect((await createMetricsApp({ metrics: createMetrics('1.0.0') }).request('/')).status).toBe(403)
  })
})
