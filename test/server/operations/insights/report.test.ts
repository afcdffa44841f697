// From facts to what is said about them: the numbers that operators act on, and the words that make them.
import { describe, expect, test } from 'vitest'
import type {
  ApprovalSum,
  CallSum,
  Facts,
  FeedbackText,
  MetError,
  RecordedRationale,
} from '../../../../server/operations/insights/facts.ts'
import { DAY } from '../../../kit/clock.ts'
import { percentOf } from '../../../../server/operations/insights/percent.ts'
import { insightsOf } from '../../../../server/operations/insights/report.ts'
import { slicesOf } from '../../../../server/operations/insights/slices.ts'

const until = Date.UTC(2026, 10, 22, 9)

const facts = (change: Partial<Facts> = {}): Facts => ({
  tenant: 'default',
  since: until - 7 * DAY,
  until,
  grain: 'day',
  slices: [],
  rationales: [],
  recentRationales: change.rationales ?? [],
  approvals: [],
  met: [],
  mostMet: 5000,
  unexplained: [],
  feedback: [],
  // Too young for a rate of feedback, so that nothing else warns by itself.
  firstCallAt: until - DAY,
  guidance: () => undefined,
  ...change,
})

const sum = (change: Partial<CallSum> = {}): CallSum => ({
  tool: 'orders_create',
  verdict: 'allow',
  grant: undefined,
  outcome: 'ok',
  errorCode: undefined,
  errorType: undefined,
  variant: undefined,
  ended: undefined,
  calls: 1,
  asked: 1,
  said: 1,
  erased: 0,
  ...change,
})
const slice = (...sums: readonly CallSum[]) => ({ since: until - DAY, until, sums })
const codes = (change: Partial<Facts>) => insightsOf(facts(change)).warnings.map(({ code }) => code)

describe('calls', () => {
  test('are summed by tool, verdict, outcome and time', () => {
    const { calls } = insightsOf(
      facts({
        slices: [
          slice(sum({ calls: 3 }), sum({ outcome: 'refused', verdict: 'approve' })),
          {
            since: until,
            until: until + DAY,
            sums: [sum({ outcome: 'previewed' }), sum({ tool: undefined, verdict: undefined, outcome: 'refused' })],
          },
        ],
      }),
    )
    expect(calls.total).toBe(6)
    expect(calls.tools).toStrictEqual([
      {
        tool: 'orders_create',
        calls: 5,
        verdicts: { allow: 4, approve: 1 },
        outcomes: { ok: 3, previewed: 1, refused: 1 },
        kinds: { done: 3, waiting: 1, failed: 1 },
        trend: [4, 1],
      },
      {
        tool: null,
        calls: 1,
        verdicts: { none: 1 },
        outcomes: { refused: 1 },
        kinds: { done: 0, waiting: 0, failed: 1 },
        trend: [0, 1],
      },
    ])
    expect(calls.over_time.map(({ done, waiting, failed }) => [done, waiting, failed])).toStrictEqual([
      [3, 0, 1],
      [0, 1, 1],
    ])
  })

  test('of very many tools are the fifty with the most, and the rest is counted', () => {
    const sums = Array.from({ length: 70 }, (_, at) => sum({ tool: `tool_${at}`, calls: at + 1 }))
    const { calls } = insightsOf(facts({ slices: [slice(...sums)] }))
    expect(calls.tools).toHaveLength(50)
    expect(calls.others).toBe((20 * 21) / 2)
  })
})

test('failures come with what their contract says, else with what an operator can do', () => {
  const { failures } = insightsOf(
    facts({
      slices: [
        slice(
          sum({ outcome: 'failed', errorCode: 'out_of_stock', calls: 5 }),
          sum({ outcome: 'stale', errorCode: 'plan_stale', calls: 9 }),
          sum({ outcome: 'failed', errorCode: 'of_a_tool_that_is_gone' }),
        ),
      ],
      guidance: (tool, code) =>
        tool === 'orders_create' && code === 'out_of_stock' ? 'Receive stock first.' : undefined,
    }),
  )
  expect(failures.map(({ code, count, guidance }) => [code, count, guidance])).toStrictEqual([
    ['plan_stale', 9, expect.stringContaining('Confirm sooner')],
    ['out_of_stock', 5, 'Receive stock first.'],
    ['of_a_tool_that_is_gone', 1, null],
  ])
})

test('calls under grants are counted by grant and over time; what was turned away or replayed saved nobody a question', () => {
  const under = (grant: string, change: Partial<CallSum> = {}) => sum({ grant, outcome: 'applied', ...change })
  const { grants } = insightsOf(
    facts({
      slices: [
        slice(under('gr_1', { calls: 3 }), under('gr_2', { outcome: 'failed' }), sum({ calls: 9 })),
        slice(under('gr_2', { calls: 4 }), under('gr_3', { outcome: 'stale' }), under('gr_1', { outcome: 'replayed' })),
      ],
    }),
  )
  expect(grants).toMatchObject({
    ran: 7,
    failed: 1,
    grants: [
      { grant: 'gr_2', tool: 'orders_create', ran: 4, failed: 1 },
      { grant: 'gr_1', ran: 3, failed: 0 },
    ],
    over_time: [
      { ran: 3, failed: 1, grants: ['gr_1', 'gr_2'] },
      { ran: 4, failed: 0, grants: ['gr_1', 'gr_2', 'gr_3'] },
    ],
  })
  expect(grants.grants).toHaveLength(2)
})

describe('approvals', () => {
  const approval = (change: Partial<ApprovalSum> = {}): ApprovalSum => ({
    id: 'ap_1',
    call: 'applied',
    tool: 'orders_delete',
    risk: 'high',
    state: 'approved',
    decidedAfterMs: 60_000,
    ...change,
  })
  const told = (...approvals: readonly ApprovalSum[]) => insightsOf(facts({ approvals }))

  test('of which more than half were given within five minutes ask for a new rating', () => {
    const { approvals, warnings } = told(
      approval(),
      approval({ decidedAfterMs: 5 * 60_000 }),
      approval({ decidedAfterMs: 5 * 60_000 + 1 }),
    )
    expect(approvals.tools[0]).toMatchObject({
      quick: 2,
      quick_percent: 67,
      re_rate: true,
      few: true,
      median_seconds: 300,
    })
    expect(warnings).toMatchObject([{ code: 're_rate', tool: 'orders_delete' }])
    expect(warnings[0]?.text).toContain('2 of 3')
  })

  test('of which exactly half were do not', () => {
    expect(told(approval(), approval({ state: 'rejected' })).warnings).toStrictEqual([])
    expect(told(approval(), approval({ state: 'expired', decidedAfterMs: undefined })).warnings).toStrictEqual([])
  })

  test('that still wait count for neither side', () => {
    const waiting = approval({ state: 'waiting', decidedAfterMs: undefined })
    expect(told(approval(), waiting, waiting).approvals.tools[0]).toMatchObject({ asked: 3, waiting: 2, re_rate: true })
    expect(told(waiting).approvals.tools[0]).toMatchObject({ quick_percent: null, re_rate: false })
  })

  test('stand by how long the decision took and by what came of it, with the ids behind each number', () => {
    const { delays } = told(
      approval({ id: 'ap_hasty', decidedAfterMs: 9_999, call: 'failed' }),
      approval({ id: 'ap_minute', decidedAfterMs: 10_000, call: 'not_run' }),
      approval({ id: 'ap_no', state: 'rejected', decidedAfterMs: 9 * 3_600_000, call: 'not_run' }),
      approval({ id: 'ap_over', state: 'expired', decidedAfterMs: undefined, call: 'not_run' }),
      approval({ id: 'ap_waits', state: 'waiting', decidedAfterMs: undefined, call: 'not_run' }),
    ).approvals
    const some = delays.flatMap((of) =>
      (['applied', 'failed', 'not_run', 'rejected', 'expired'] as const)
        .filter((end) => of[end].count > 0)
        .map((end) => [of.from_seconds, of.to_seconds, end, ...of[end].ids]),
    )
    expect(some).toStrictEqual([
      [0, 10, 'failed', 'ap_hasty'],
      [10, 60, 'not_run', 'ap_minute'],
      [28_800, null, 'rejected', 'ap_no'],
      [null, null, 'expired', 'ap_over'],
    ])
  })

  test('of each tool are its own, and nobody is told to lower what is critical', () => {
    const { approvals, warnings } = told(
      approval({ risk: 'critical' }),
      approval({ tool: 'mail_send', state: 'rejected' }),
    )
    expect(approvals.tools.map(({ tool, re_rate }) => [tool, re_rate])).toStrictEqual([
      ['orders_delete', true],
      ['mail_send', false],
    ])
    expect(warnings[0]?.next).toContain('Critical calls always ask')
  })
})

describe('guidance', () => {
  const met = (change: Partial<MetError> = {}): MetError => ({
    session: 's1',
    errorType: 'validation_error',
    told: 'all',
    explained: true,
    became: 'resolved',
    attempts: 1,
    ...change,
  })
  const told = (change: Partial<Facts>) => insightsOf(facts(change)).guidance
  const times = (length: number, change: Partial<MetError>) =>
    Array.from({ length }, (_, at) => met({ session: `s${at}`, ...change }))

  test('resolves what the next call of its session did without an error, of those that made one', () => {
    const { resolution, newest } = told({
      met: [
        ...times(3, {}),
        ...times(2, { became: 'repeated', attempts: 4 }),
        met({ became: 'another', attempts: 2 }),
        ...times(4, { became: 'left', attempts: undefined }),
        ...times(5, { became: 'again', attempts: 1 }),
      ],
    })
    expect(resolution).toStrictEqual({
      resolved: 3,
      another: 1,
      repeated: 2,
      left: 4,
      again: 5,
      judged: 6,
      share_percent: 50,
      sessions: 5,
    })
    expect(newest).toBeNull()
    expect(told({ met: times(3, {}), mostMet: 3 }).newest).toBe(3)
  })

  test('is not judged by errors that nothing explains, nor by sessions that are told nothing', () => {
    const { resolution, halves } = told({
      met: [met({ explained: false }), met({ told: 'none' }), met({ told: 'without' })],
    })
    expect(resolution).toMatchObject({ judged: 0, share_percent: null })
    expect(halves).toMatchObject({ with: { judged: 0 }, without: { judged: 1 }, difference: null })
    expect(told({ met: [met(), met({ told: 'none' })] }).halves).toBeNull()
  })

  test('is compared between the halves, with what the difference may be by chance', () => {
    const { halves } = told({
      met: [
        ...times(56, { told: 'with' }),
        ...times(14, { told: 'with', became: 'repeated' }),
        ...times(48, { told: 'without' }),
        ...times(32, { told: 'without', became: 'another' }),
      ],
    })
    expect(halves).toMatchObject({
      with: { judged: 70, share_percent: 80 },
      without: { judged: 80, share_percent: 60 },
      difference: { points: 20, low: 5.2, high: 33.4 },
    })
  })

  test('has a line for each type of error, with how many calls it takes until one goes well', () => {
    const { types, other_types: others } = told({
      slices: [
        slice(
          sum({ errorType: 'validation_error', calls: 9 }),
          sum({ errorType: 'validation_error', outcome: 'refused' }),
          sum({ errorType: 'tool_error' }),
          sum(),
          ...Array.from({ length: 60 }, (_, at) => sum({ errorType: `type_${at + 10}` })),
        ),
      ],
      met: [
        met({ attempts: 1 }),
        met({ became: 'repeated', attempts: 3 }),
        met({ became: 'another', attempts: 2 }),
        met({ became: 'again', attempts: 9 }),
        met({ became: 'left', attempts: undefined }),
        met({ errorType: 'tool_error', explained: false }),
      ],
    })
    expect(types.slice(0, 2)).toStrictEqual([
      {
        error_type: 'validation_error',
        errors: 10,
        judged: 3,
        resolved: 1,
        share_percent: 33,
        median_attempts: 2,
      },
      { error_type: 'tool_error', errors: 1, judged: 0, resolved: 0, share_percent: null, median_attempts: null },
    ])
    expect([types.length, others]).toStrictEqual([50, 12])
  })

  test('counts budgets and fuel that were used up, of all that were used', () => {
    const { budgets } = told({
      slices: [
        slice(
          sum({ tool: 'execute_code', ended: 'finished', calls: 6 }),
          sum({ tool: 'execute_code', ended: 'error' }),
          sum({ tool: 'execute_code', ended: 'out_of_fuel', calls: 3 }),
          sum({ ended: 'within_budget', calls: 9 }),
          sum({ ended: 'budget_exhausted' }),
          sum({ tool: 'orders_list', ended: 'within_budget', calls: 5 }),
          sum({ calls: 100 }),
        ),
      ],
    })
    expect(budgets).toStrictEqual({
      calls: 25,
      exhausted: 4,
      share_percent: 16,
      tools: [
        { tool: 'execute_code', calls: 10, exhausted: 3, share_percent: 30 },
        { tool: 'orders_create', calls: 10, exhausted: 1, share_percent: 10 },
      ],
    })
  })

  test('counts calls that were refused with the advice to use another tool', () => {
    const refused = (errorType: string, calls = 1) => sum({ outcome: 'refused', errorType, calls })
    const { tool_choice: choice } = told({
      slices: [
        slice(
          sum({ calls: 10 }),
          refused('wrong_door', 2),
          refused('intent_mismatch'),
          refused('annotation_mismatch'),
          sum({ tool: undefined, errorType: 'unknown_tool', outcome: 'refused' }),
          refused('upstream_use_other_tool'),
          refused('validation_error', 4),
          sum({ tool: 'countersign_plan_confirm', calls: 50 }),
        ),
      ],
    })
    expect(choice).toStrictEqual({
      calls: 20,
      other_call_tool: 4,
      unknown_tool: 1,
      other_tool_of_server: 1,
      share_percent: 30,
    })
  })

  test.each([
    ['tool.run', 'notes_write', null, 'declare the failure in its contract'],
    ['upstream.unexplained', 'files:read', 'files', 'in the profile of its server'],
    ['server.internal', undefined, null, 'report it'],
    ['python.general', 'execute_code', null, 'A program raised it'],
  ])('says of an error of %s that nothing explains how to have it explained', (rule, tool, server, words) => {
    const [first] = told({
      unexplained: [
        {
          fingerprint: '0123456789ab',
          tool,
          errorType: 'tool_error',
          rule,
          sample: 'no <id>',
          times: 3,
          sessions: 2,
          first: until - DAY,
          last: until,
        },
      ],
    }).unexplained
    expect(first).toMatchObject({ tool: tool ?? null, server, errors: 3, first_at: '2026-11-21T09:00:00.000Z' })
    expect(first?.next).toContain(words)
  })
})

describe('rationales', () => {
  const reason = (at: number): RecordedRationale => ({
    id: `ac_${at}`,
    text: `${'abcdefghijklmnopqrstuvwxyz'[at % 26] ?? ''}lfred from accounting reports case ${at}: a wrong invoice address`,
    tool: 'orders_modify',
    args: '{}',
    planId: undefined,
  })
  const empty = (at: number): RecordedRationale => ({
    ...reason(at),
    id: `ac_e${at}`,
    text: 'As requested by the user.',
  })
  const many = (length: number, of: (at: number) => RecordedRationale) => Array.from({ length }, (_, at) => of(at))

  test('of which fewer than five percent say why in thirty days are a warning, and five are none', () => {
    expect(codes({ rationales: [...many(4, reason), ...many(96, empty)] })).toStrictEqual(['rationales_say_little'])
    expect(codes({ rationales: [...many(5, reason), ...many(95, empty)] })).toStrictEqual([])
  })

  test('that are few say nothing yet', () => {
    expect(codes({ rationales: many(19, empty) })).toStrictEqual([])
    expect(codes({ rationales: [] })).toStrictEqual([])
  })

  test('are judged for the time that was asked for, and warned of for thirty days', () => {
    const { rationales, warnings } = insightsOf(
      facts({ rationales: many(10, reason), recentRationales: many(100, empty) }),
    )
    expect(rationales).toMatchObject({ judged: 10, share_percent: 100, last_30_days: { judged: 100, meaningful: 0 } })
    expect(warnings).toHaveLength(1)
  })

  test('that were erased or never given are counted, and those of a person’s click are not missed', () => {
    const { rationales } = insightsOf(
      facts({
        slices: [
          slice(
            sum({ calls: 10, asked: 10, said: 6, erased: 1 }),
            sum({ tool: 'countersign_plan_confirm', calls: 5, asked: 5, said: 0 }),
            sum({ calls: 2, asked: 0, said: 0 }),
          ),
        ],
      }),
    )
    expect(rationales).toMatchObject({ given: 6, erased: 1, without: 3, share_percent: null })
  })

  test('are grouped with a sentence from each group and where to read it; an act counts once', () => {
    const act = { ...reason(1), planId: 'pl_1' }
    const { groups } = insightsOf(
      facts({ rationales: [act, { ...act, id: 'ac_apply' }, ...many(3, empty)] }),
    ).rationales
    expect(groups).toMatchObject({ texts: 4, compared: 4, others: 0 })
    expect(groups.groups).toStrictEqual([
      { count: 3, share_percent: 75, sentence: 'As requested by the user.', id: 'ac_e0', tools: ['orders_modify'] },
      { count: 1, share_percent: 25, sentence: act.text, id: act.id, tools: ['orders_modify'] },
    ])
  })

  test('that are long are quoted by their first sentence', () => {
    const long = { ...reason(1), text: `The parcel is lost. ${'And much more. '.repeat(40)}` }
    expect(insightsOf(facts({ rationales: [long] })).rationales.groups.groups[0]?.sentence).toBe('The parcel is lost.')
  })
})

describe('feedback', () => {
  const item = (at: number): FeedbackText => ({
    id: `fb_${at}`,
    at: until - 1 - (at % 90) * DAY,
    severity: 'low',
    tool: undefined,
    text: 'no tool deletes purchase orders',
    sentence: 'No tool deletes purchase orders.',
  })
  const old = { firstCallAt: until - 400 * DAY }
  const pieces = (length: number) => Array.from({ length }, (_, at) => item(at))

  test('of fewer than ten pieces a month over ninety days is a warning', () => {
    expect(codes({ ...old, feedback: pieces(29) })).toStrictEqual(['little_feedback'])
    expect(codes({ ...old, feedback: pieces(30) })).toStrictEqual([])
    expect(insightsOf(facts({ ...old, feedback: pieces(29) })).feedback).toMatchObject({ per_month: 9.7, days: 90 })
  })

  test('of a record that is younger than a month says nothing yet', () => {
    expect(codes({ firstCallAt: until - 29 * DAY })).toStrictEqual([])
    expect(codes({ firstCallAt: undefined })).toStrictEqual([])
    expect(codes({ firstCallAt: until - 31 * DAY })).toStrictEqual(['little_feedback'])
  })

  test('is counted by month, and grouped for the time that was asked for', () => {
    const { feedback } = insightsOf(facts({ feedback: pieces(60) }))
    expect(feedback.months.map(({ count }) => count)).toStrictEqual([0, 30, 30])
    expect(feedback.count).toBe(7)
    expect(feedback.groups.groups).toHaveLength(1)
  })
})

test('a share is not none or all unless it is', () => {
  expect([
    percentOf(0, 3),
    percentOf(1, 10_000),
    percentOf(9_999, 10_000),
    percentOf(3, 3),
    percentOf(0, 0),
  ]).toStrictEqual([0, 0.1, 99, 100, null])
})

test.each([
  [1, 'hour'],
  [2, 'hour'],
  [7, 'day'],
  [62, 'day'],
  [90, 'week'],
  [5000, 'week'],
] as const)('%d days are cut into slices of a %s, without gaps and never too many', (days, grain) => {
  const cut = slicesOf(until - days * DAY, until)
  expect(cut.grain).toBe(grain)
  expect(cut.slices.length).toBeLessThanOrEqual(64)
  expect([cut.slices[0]?.since, cut.slices.at(-1)?.until]).toStrictEqual([until - days * DAY, until])
  for (const [at, { since, until: end }] of cut.slices.entries()) {
    expect(since).toBeLessThan(end)
    if (at > 0) expect(since).toBe(cut.slices[at - 1]?.until)
  }
})
