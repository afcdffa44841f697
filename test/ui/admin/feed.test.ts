// The live list of calls, in every order in which pages and news can come: nothing doubled, nothing lost without a sign,
// the newest first.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reduceFeed, type Feed } from '../../../ui/admin/activity/feed.ts'
import type { Line } from '../../../ui/admin/shapes.ts'

const line = (n: number, status: Line['status'] = 'ok'): Line => ({
  id: `ac_${n}`,
  time: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  tenant: 'default',
  subject: 'ada',
  client: 'chat',
  source: 'mcp',
  tool: 'orders_list',
  variant: null,
  tool_variant: null,
  intent: { operation_type: 'read', data_sensitivity: null, reason: null },
  intent_type: 'read',
  intent_source: 'derived',
  rationale: null,
  risk: 'low',
  status,
  verdict: null,
  audit_event: null,
  plan_id: null,
  approval_id: null,
  duration_ms: 1,
  error_code: null,
  erased: false,
  sentence: 'List sales orders',
  error_message: null,
  decisions: [],
})

const start: Feed = { of: '', rows: [], next: null, busy: 'first', trouble: undefined, fresh: new Set(), line: 'up' }
const page = (what: 'first' | 'more', from: number, to: number, next: string | null) =>
  ({
    type: 'came',
    of: '',
    what,
    answer: {
      ok: true,
      value: {
        activity: Array.from({ length: from - to + 1 }, (_, at) => line(from - at)),
        next_cursor: next,
      },
    },
  }) as const
const ids = (feed: Feed): readonly string[] => feed.rows.map(({ id }) => id)

test('a row that ends is put in its place, not beside itself', () => {
  const running = reduceFeed(reduceFeed(start, page('first', 2, 1, null)), {
    type: 'streamed',
    of: '',
    line: line(3, 'open'),
  })
  const ended = reduceFeed(running, { type: 'streamed', of: '', line: line(3, 'applied') })
  expect(ids(ended)).toStrictEqual(['ac_3', 'ac_2', 'ac_1'])
  expect(ended.rows[0]?.status).toBe('applied')
  expect(ended.fresh.size).toBe(1)
})

test('answers and news of another question are dropped', () => {
  const feed = reduceFeed(start, page('first', 2, 1, null))
  expect(reduceFeed(feed, { ...page('first', 9, 8, null), of: 'tool=x' })).toBe(feed)
  expect(reduceFeed(feed, { type: 'streamed', of: 'tool=x', line: line(9) })).toBe(feed)
  const asked = reduceFeed(feed, { type: 'asked', of: 'tool=x', what: 'first' })
  expect(asked).toMatchObject({ of: 'tool=x', rows: [], busy: 'first' })
})

test('a page that is read again after a long absence leaves no gap that nobody sees', () => {
  const deep = reduceFeed(reduceFeed(start, page('first', 10, 6, 'a')), page('more', 5, 1, 'b'))
  const near = reduceFeed(deep, page('first', 13, 9, 'c'))
  expect(ids(near)).toHaveLength(13)
  expect(near.next).toBe('b')
  const far = reduceFeed(deep, page('first', 99, 95, 'c'))
  expect(ids(far)).toStrictEqual(['ac_99', 'ac_98', 'ac_97', 'ac_96', 'ac_95'])
  expect(far.next).toBe('c')
})

test('a failure takes nothing away that is on the screen', () => {
  const feed = reduceFeed(start, page('first', 2, 1, 'a'))
  const failed = reduceFeed(feed, {
    type: 'came',
    of: '',
    what: 'more',
    answer: { ok: false, trouble: { kind: 'offline' } },
  })
  expect(failed).toMatchObject({ rows: feed.rows, next: 'a', trouble: { kind: 'offline' }, busy: undefined })
})

test('in whatever order news come: each call once, the newest first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), (numbers) => {
      const feed = numbers.reduce((state, n) => reduceFeed(state, { type: 'streamed', of: '', line: line(n) }), start)
      const wanted = [...new Set(numbers)].toSorted((one, other) => other - one)
      expect(ids(feed)).toStrictEqual(wanted.map((n) => `ac_${n}`))
    }),
  )
})
