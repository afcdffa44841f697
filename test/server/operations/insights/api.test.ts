// Insights through the doors: what a server with real calls says, to whom, and about whom not.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createInsightsApi } from '../../../../server/http/operators/insights-api.ts'
import type { Insights } from '../../../../server/operations/insights/report.ts'
import type { Store } from '../../../../server/store/store.ts'
import { completion, entry, record } from '../../store/activity/rows.ts'
import { letViewerIn } from '../../http/operators/let-in.ts'
import { openOffice } from '../../http/operators/serve-operators.ts'
import { DAY } from '../../../kit/clock.ts'
import { readTool } from '../../../kit/tools.ts'
import { opened } from '../../store/store-fixture.ts'

type Answered = Insights & { readonly tenants: readonly string[] }

/** Throws where it finds nothing. */
const brittle = readTool({
  name: 'notes.find',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ id: z.string() }),
  budget: { limit: 10, unit: 'characters', consumed: ({ id }: { readonly id: string }) => id.length },
  run: ({ id }) => {
    if (id.startsWith('lost')) throw new Error(`No shelf for ${id}`)
    return { id }
  },
})

/** The API as this operator gets it. */
const askedBy = (store: Store, tenant: string | undefined, now = Date.now()) => {
  const api = createInsightsApi({
    store,
    now: () => now,
    guard: letViewerIn(tenant),
  })
  return async (query = ''): Promise<Answered> => (await (await api.request(`/${query}`)).json()) as Answered
}

const of = (tenant: string, subject = 'ada') => ({ principal: { tenant, subject } })

describe('a server with real calls', () => {
  test('says what was called, what failed and what to do about it, and what was approved too easily', async () => {
    const { call, ask, admin } = await openOffice()
    for (const id of ['a', 'b'])
      await call('notes_read', { id, rationale: 'Ms. Weber phoned about a note that she misses.' })
    await call('notes_read', { nothing: 1 })
    await call('no_such_tool')
    for (const id of ['c', 'd', 'e']) await admin('POST', `/approvals/${await ask('notes_drop', { id })}/approve`)
    await admin('POST', `/approvals/${await ask('notes_drop', { id: 'f' })}/reject`, { reason: 'It is still needed.' })
    await ask('notes_send', { id: 'g', recipients: 1 })

    const { status, body } = await admin('GET', '/insights?since=1h')
    expect(status).toBe(200)
    const insights = body as unknown as Answered
    expect(insights).toMatchObject({ tenant: 'default', tenants: ['default'] })
    const calls = new Map(insights.calls.tools.map((one) => [one.tool, one]))
    expect(calls.get('notes_read')).toMatchObject({ calls: 3, verdicts: { allow: 2, none: 1 } })
    expect(calls.get(null)).toMatchObject({ calls: 1, outcomes: { refused: 1 } })
    // What people do is on record beside it and no call of an agent's.
    expect([...calls.keys()]).not.toContain('approval.approved')
    expect(insights.failures).toContainEqual(
      expect.objectContaining({ code: 'validation_error', tool: 'notes_read', count: 1 }),
    )
    expect(insights.approvals.tools[0]).toMatchObject({
      tool: 'notes_drop',
      asked: 4,
      approved: 3,
      rejected: 1,
      quick: 3,
      quick_percent: 75,
      re_rate: true,
    })
    expect(insights.approvals.tools[1]).toMatchObject({ tool: 'notes_send', waiting: 1, re_rate: false })
    expect(insights.warnings.map(({ code, tool }) => [code, tool])).toContainEqual(['re_rate', 'notes_drop'])
    expect(insights.rationales.without).toBe(0)
    expect(insights.rationales.examples).toContainEqual(
      expect.objectContaining({ judgement: 'meaningful', text: 'Ms. Weber phoned about a note that she misses.' }),
    )
  })

  test('says how long decisions took and what came of them, what ran under a grant, and the same of a time before', async () => {
    const { ask, admin, call, records } = await openOffice()
    const [done, refused, waits] = [
      await ask('notes_send', { id: 'a', recipients: 1 }),
      await ask('notes_send', { id: 'b', recipients: 1 }),
      await ask('notes_send', { id: 'c', recipients: 1 }),
    ]
    await admin('POST', `/approvals/${done}/approve`)
    await admin('POST', `/approvals/${refused}/reject`, { reason: 'It is still needed.' })
    const given = await admin('POST', '/grants', {
      tool: 'notes_send',
      condition: 'recipients < 5',
      times: 3,
      until: '2d',
      subject: 'ada',
    })
    expect(given.status).toBe(201)
    const grant = (given.body['grant'] as { readonly id: string }).id
    for (const id of ['d', 'e'])
      expect((await call('notes_send', { id, recipients: 1, preview: false })).body).toMatchObject({
        status: 'applied',
      })
    const insights = (await admin('GET', '/insights?since=1h')).body as unknown as Answered
    const { grants, approvals } = insights
    expect(grants).toMatchObject({ ran: 2, failed: 0, grants: [{ grant, tool: 'notes_send', ran: 2 }] })
    expect(grants.over_time.filter(({ ran }) => ran > 0)).toMatchObject([{ ran: 2, grants: [grant] }])
    // The bar leads to the rows that it counts.
    const rows = (await admin('GET', `/activity?grant=${grant}&since=${insights.since}&until=${insights.until}`)).body
    expect(rows['activity']).toHaveLength(2)
    expect(approvals.delays[0]).toMatchObject({
      from_seconds: 0,
      applied: { count: 1, ids: [done] },
      rejected: { count: 1, ids: [refused] },
      failed: { count: 0 },
    })
    expect(JSON.stringify(approvals.delays)).not.toContain(waits)
    const before = (await admin('GET', `/insights?since=2h&until=${insights.since}`)).body as unknown as Answered
    expect(before).toMatchObject({ until: insights.since, calls: { total: 0 }, grants: { ran: 0 } })
    expect(await admin('GET', '/insights?since=1h&until=2h')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-filter', filter: 'until' } },
    })
    expect((await records.approvals.find(waits))?.state).toBe('pending')
  })

  test('says of a declared failure what its contract says', async () => {
    const { call, admin } = await openOffice()
    const { body } = await call('notes_tidy', { id: 'locked' })
    await call('notes_tidy', { id: 'locked', preview: false, ticket: body['plan_id'] })
    const { failures } = (await admin('GET', '/insights')).body as unknown as Answered
    expect(failures).toContainEqual(expect.objectContaining({ code: 'locked', guidance: 'Unlock the note first.' }))
  })

  test('says what agents did after an error, in which half it went better, and what nothing explains', async () => {
    const { call, admin } = await openOffice({ tools: [brittle] }, { guidance: { sample: 0.5 } })
    const agents = Array.from({ length: 8 }, (_, at) => ({ 'x-subject': `agent ${at}` }))
    for (const [at, agent] of agents.entries()) {
      await call('notes_find', { nothing: 1 }, agent)
      await call('notes_find', at === 0 ? { nothing: 2 } : { id: 'x' }, agent)
    }
    for (const id of ['lost-1', 'lost-22']) await call('notes_find', { id }, { 'x-subject': 'ada' })
    await call('no_such_tool')
    const { guidance } = (await admin('GET', '/insights')).body as unknown as Answered
    expect(guidance.types).toContainEqual(expect.objectContaining({ error_type: 'validation_error', errors: 9 }))
    const { halves } = guidance
    expect([halves?.with.judged, halves?.without.judged]).not.toContain(0)
    expect(guidance.resolution).toStrictEqual(halves?.with)
    const both = [halves?.with, halves?.without]
    const sumOf = (key: 'judged' | 'resolved' | 'repeated' | 'again') =>
      both.reduce((sum, half) => sum + (half?.[key] ?? 0), 0)
    expect([sumOf('judged'), sumOf('resolved'), sumOf('repeated'), sumOf('again')]).toStrictEqual([8, 7, 1, 1])
    expect(halves?.difference).not.toBeNull()
    expect(guidance.budgets).toMatchObject({ calls: 7, exhausted: 0, share_percent: 0, tools: [] })
    expect(guidance.tool_choice).toMatchObject({ calls: 19, unknown_tool: 1, other_call_tool: 0, share_percent: 5.3 })
    expect(guidance.unexplained).toMatchObject([
      { tool: 'notes_find', server: null, text: 'no shelf for <id>', errors: 2, sessions: 1, next: /Mend the tool/ },
    ])
  })

  test.each([
    ['since=yesterday', 'since'],
    ['tenant=', 'tenant'],
    ['limit=5', 'limit'],
  ])('asked with %s answers a 400 that names %s', async (query, name) => {
    const { admin } = await openOffice()
    const { status, body } = await admin('GET', `/insights?${query}`)
    expect(status).toBe(400)
    expect(body['error']).toMatchObject({ code: 'bad-filter', fields: [{ name }] })
  })

  test('without a credential says nothing', async () => {
    const { url } = await openOffice()
    expect((await fetch(`${url}/api/v1/insights`)).status).toBe(401)
  })
})

describe('tenants', () => {
  const filled = async (): Promise<Store> => {
    const store = await opened({ file: ':memory:' })
    await record(store, { ...of('one'), rationale: 'Weber of one phoned: her chair is broken.' })
    await record(
      store,
      { ...of('two'), rationale: 'Weber of two phoned: her chair is broken.' },
      { outcome: 'failed', error: { code: 'only_in_two', message: 'x' } },
    )
    await store.feedback.add({
      id: 'fb_two',
      ...of('two'),
      severity: 'high',
      attemptedAction: 'a',
      expectedOutcome: 'b',
      actualOutcome: 'The secret of two.',
      toolCalled: undefined,
      errorSeen: undefined,
      rationale: 'Because it is so.',
    })
    return store
  }

  test('never stand in one answer', async () => {
    const ask = askedBy(await filled(), undefined)
    const [one, two] = [await ask('?tenant=one'), await ask('?tenant=two')]
    expect(JSON.stringify({ ...one, tenants: [] })).not.toMatch(/of two|only_in_two/)
    expect(JSON.stringify({ ...two, tenants: [] })).not.toContain('of one')
    expect(two.feedback.groups.groups[0]?.sentence).toBe('The secret of two.')
    expect(one.tenants).toStrictEqual(['one', 'two'])
  })

  test('of others look to an operator of one like tenants without data', async () => {
    const ask = askedBy(await filled(), 'one')
    const [other, nobody] = [await ask('?tenant=two'), await ask('?tenant=xyz')]
    expect({ ...other, tenant: '' }).toStrictEqual({
      ...nobody,
      tenant: '',
      since: other.since,
      until: other.until,
      calls: { ...nobody.calls, over_time: other.calls.over_time },
      feedback: { ...nobody.feedback, months: other.feedback.months },
    })
    expect(other).toMatchObject({ tenant: 'two', tenants: ['one'], calls: { total: 0 } })
    expect((await ask()).calls.total).toBe(1)
  })
})

describe('the record', () => {
  test('that was erased is counted and not quoted', async () => {
    const store = await opened({ file: ':memory:' })
    await record(store, { rationale: 'Alfred of the warehouse phoned about a lamp.' })
    await record(store, { ...of('default', 'eve'), rationale: 'Eve wrote a letter about her broken desk.' })
    await store.activity.erase({ tenant: 'default', subject: 'eve' })
    const { calls, rationales } = await askedBy(store, undefined)()
    expect(calls.total).toBe(2)
    expect(rationales).toMatchObject({ given: 1, erased: 1, without: 0 })
    expect(JSON.stringify(rationales)).not.toContain('Eve wrote')
  })

  test('is read for the time that was asked for, in slices that add up', async () => {
    let at = Date.UTC(2026, 5, 1, 12)
    const store = await opened({ file: ':memory:', now: () => at })
    for (let day = 0; day < 40; day++, at += DAY) await record(store)
    const now = at - DAY
    const ask = askedBy(store, undefined, now)
    for (const [since, calls] of [
      ['0s', 1],
      ['24h', 2],
      ['7d', 8],
      ['30d', 31],
      ['90d', 40],
      ['2026-06-01', 40],
    ] as const) {
      const { calls: told } = await ask(`?since=${since}`)
      expect([since, told.total]).toStrictEqual([since, calls])
      expect(told.over_time.reduce((sum, { done }) => sum + done, 0)).toBe(calls)
    }
  })

  test('that is still being written has calls without an end', async () => {
    const store = await opened({ file: ':memory:' })
    const id = await store.activityLog.begin(entry())
    const ask = askedBy(store, undefined)
    expect((await ask()).calls.outcomes).toStrictEqual({ open: 1 })
    await store.activityLog.complete(id, completion())
    expect((await ask()).calls.outcomes).toStrictEqual({ ok: 1 })
  })

  test('is read a day at a time, with a turn for everybody else after each', async () => {
    let at = Date.UTC(2026, 5, 1)
    const store = await opened({ file: ':memory:', now: () => at })
    for (let day = 0; day < 60; day++, at += DAY) await record(store)
    let turns = 0
    let reading = true
    const others = (): void => {
      turns += 1
      if (reading) setImmediate(others)
    }
    setImmediate(others)
    await askedBy(store, undefined, at)('?since=2026-01-01')
    reading = false
    expect(turns).toBeGreaterThanOrEqual(60)
  })

  test('of more calls than are read is sampled evenly, and says so', async () => {
    let at = Date.UTC(2026, 5, 1)
    const store = await opened({ file: ':memory:', now: () => at })
    for (let batch = 0; batch < 24; batch++, at += 3_600_000)
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          record(store, { rationale: `Agent ${n} of warehouse ${batch} wrote about the broken lamp.` }),
        ),
      )
    const { rationales } = await askedBy(store, undefined, at)('?since=7d')
    expect(rationales).toMatchObject({ given: 2400, judged: 2000, groups: { texts: 2000, compared: 600 } })
  })
})
