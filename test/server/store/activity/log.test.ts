// What an operator asks of the log, what may disappear from it, and what happens when the ground gives way.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import type { ActivityFilter, CallLine, Place, Store } from '../../../../server/store/store.ts'
import { statuses } from '../../../../server/store/store.ts'
import { everything, present } from '../../../postgres.ts'
import { createClock, DAY, MINUTE } from '../../../kit/clock.ts'
import { opened, openedWithClock, place } from '../store-fixture.ts'
import { completion, entry, meddle, record, verdictOf } from './rows.ts'

const all = async (store: Store, filter: ActivityFilter = {}, limit = 7, order: 'newest' | 'oldest' = 'newest') => {
  const calls: CallLine[] = []
  let after: Place | undefined
  do {
    const page = await store.activity.page({ filter, limit, order, ...(after === undefined ? {} : { after }) })
    calls.push(...page.calls)
    after = page.next
  } while (after !== undefined)
  return calls
}

describe('pages', () => {
  test('together show what a plain filter of all rows shows, in both orders, whatever is asked', async () => {
    const { clock, store } = await openedWithClock()
    const random = fc.sample(
      fc.record({
        tool: fc.constantFrom('a', 'b', 'c'),
        operation: fc.constantFrom('read', 'write', 'destructive', undefined),
        risk: fc.constantFrom('low', 'high', undefined),
        tenant: fc.constantFrom('default', 'other'),
        outcome: fc.constantFrom('ok', 'failed', 'open'),
        wait: fc.constantFrom(0, 1, 5 * MINUTE),
      } as const),
      { numRuns: runsOf(120), seed: 7 },
    )
    for (const { tool, operation, risk, tenant, outcome, wait } of random) {
      clock.pass(wait)
      const id = await store.activityLog.begin(entry({ tool, operation, risk, principal: { tenant, subject: 'ada' } }))
      if (outcome !== 'open') await store.activityLog.complete(id, completion({ outcome, risk }))
    }
    const rows = await all(store)
    expect(rows).toHaveLength(random.length)
    expect(new Set(rows.map((row) => row.status))).toStrictEqual(new Set(['ok', 'failed', 'open', 'unknown']))
    const some = <T>(...values: readonly T[]) => fc.subarray([...values])
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          tools: some('a', 'b', 'c'),
          intentTypes: some('read', 'write', 'destructive'),
          risks: some('low', 'high'),
          tenants: some('default', 'other', 'none'),
          statuses: some(...statuses),
        }),
        fc.option(fc.nat(rows.length - 1), { nil: undefined }),
        fc.constantFrom('newest', 'oldest'),
        fc.integer({ min: 1, max: 40 }),
        async (lists, from, order, limit) => {
          const since = from === undefined ? {} : { since: rows[from]?.at ?? 0 }
          const has = (list: readonly string[], value: string | undefined) =>
            list.length === 0 || (value !== undefined && list.includes(value))
          const wanted = rows.filter(
            (row) =>
              has(lists.tools, row.tool) &&
              has(lists.intentTypes, row.operation) &&
              has(lists.risks, row.risk) &&
              has(lists.tenants, row.tenant) &&
              has(lists.statuses, row.status) &&
              row.at >= (since.since ?? 0),
          )
          const found = await all(store, { ...lists, ...since }, limit, order)
          expect(found).toStrictEqual(order === 'newest' ? wanted : wanted.toReversed())
        },
      ),
      { numRuns: runsOf(80) },
    )
  })

  test('do not move while new rows come', async () => {
    const store = await opened({ file: ':memory:' })
    const ids: string[] = []
    for (let at = 0; at < 30; at++) ids.unshift(await record(store))
    const seen: string[] = []
    let after: Place | undefined
    do {
      const page = await store.activity.page({ limit: 4, ...(after === undefined ? {} : { after }) })
      seen.push(...page.calls.map((call) => call.id))
      after = page.next
      await record(store)
    } while (after !== undefined)
    expect(seen).toStrictEqual(ids)
  })
})

describe('a watcher', () => {
  test('sees each row when it begins and when it ends, from where it left off, also of another process', async () => {
    const file = join(place(), 'log.db')
    const [store, other] = [await opened({ file }), await opened({ file })]
    await record(store)
    let change = await store.activity.newestChange()
    const news = async () => {
      const found = await store.activity.changesSince({ change, limit: 100 })
      change = found.change
      return found.calls.map(({ id, status }) => [id, status])
    }
    expect(await news()).toStrictEqual([])
    const id = await other.activityLog.begin(entry())
    expect(await news()).toStrictEqual([[id, 'open']])
    await other.activityLog.complete(id, completion())
    const next = await record(store)
    expect(await news()).toStrictEqual([
      [id, 'ok'],
      [next, 'ok'],
    ])
  })
})

describe('the story of a plan', () => {
  test('is told from preview to result, by the id of any of its rows, of the plan or of the approval', async () => {
    const store = await opened({ file: ':memory:' })
    const preview = await record(store, {}, { outcome: 'previewed', planId: 'pl_1' })
    await record(store, {}, { outcome: 'previewed', planId: 'pl_2' })
    const waiting = await record(store, {}, { outcome: 'awaiting_approval', planId: 'pl_1', approvalId: 'ap_1' })
    const applied = await record(
      store,
      { source: 'approval' },
      { outcome: 'applied', planId: 'pl_1', approvalId: 'ap_1' },
    )
    for (const id of [preview, waiting, applied, 'pl_1', 'ap_1'])
      expect((await store.activity.story(id)).map((call) => call.id)).toStrictEqual([preview, waiting, applied])
    expect(await store.activity.story('pl_3')).toStrictEqual([])
  })
})

describe('a call whose process died', () => {
  test('stays open for as long as a call may run, and is unknown from then on', async () => {
    const { clock, store } = await openedWithClock()
    const id = await store.activityLog.begin(entry())
    const status = async () => (await store.activity.find(id))?.status
    expect(await status()).toBe('open')
    clock.pass(11 * MINUTE)
    expect(await status()).toBe('unknown')
    expect(await all(store, { statuses: ['unknown'] })).toHaveLength(1)
    expect(await all(store, { statuses: ['open'] })).toHaveLength(0)
  })

  test('is completed once, and only where there is such a row', async () => {
    const store = await opened({ file: ':memory:' })
    const id = await record(store)
    await expect(store.activityLog.complete(id, completion({ outcome: 'failed' }))).rejects.toThrow('complete')
    await expect(store.activityLog.complete('ac_none', completion())).rejects.toThrow('gone')
    expect(await store.activity.find(id)).toMatchObject({ status: 'ok' })
    expect(await verdictOf(store)).toBeUndefined()
  })
})

describe('erasing a person', () => {
  test('leaves no text of theirs in the files, keeps the rows and the chain, and the others', async () => {
    const file = join(place(), 'log.db')
    const store = await opened({ file })
    const id = await store.activityLog.begin(
      entry({ args: '{"note":"unmistakable"}', rationale: 'unmistakable reason' }),
    )
    await store.activityLog.event(id, { name: 'mail.sent', data: '{"to":"unmistakable"}' })
    await store.activityLog.complete(id, completion({ error: { code: 'x', message: 'unmistakable trouble' } }))
    const other = await record(store, { principal: { tenant: 'default', subject: 'bob' } })
    const running = await store.activityLog.begin(entry())
    expect(await store.activity.erase({ tenant: 'default', subject: 'ada' })).toMatchObject({ calls: 1, running: 1 })
    expect(await everything(file)).not.toContain('unmistakable')
    const erased = await store.activity.find(id)
    expect(erased).toMatchObject({ erased: true, args: undefined, rationale: undefined, status: 'ok' })
    expect(erased?.subject).toMatch(/^erased_/)
    expect(erased?.events).toStrictEqual([expect.objectContaining({ name: 'mail.sent', data: undefined })])
    expect(await store.activity.find(other)).toMatchObject({ erased: false, args: '{"customer":"ACME"}' })
    await store.activityLog.complete(running, completion())
    expect(await store.activity.erase({ tenant: 'default', subject: 'ada' })).toMatchObject({ calls: 1, running: 0 })
    expect(await verdictOf(store)).toBeUndefined()
    await meddle(file, 'update countersign_activity set outcome = ? where id = ?', 'failed', id)
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
  })
})

describe('retention', () => {
  const drained = async (store: Store, limits: Parameters<Store['activity']['retain']>[0]) => {
    while ((await store.activity.retain(limits)) > 0);
  }

  test('keeps calls that are young enough, and those that ended after the cut, with a chain that is whole', async () => {
    const clock = createClock()
    const file = join(place(), 'log.db')
    const store = await opened({ file, now: clock.now })
    for (let at = 0; at < 5; at++) await record(store)
    const long = await store.activityLog.begin(entry())
    await store.activityLog.event(long, { name: 'mail.sent', data: '{}' })
    await record(store)
    clock.pass(DAY)
    const young = await record(store)
    await store.activityLog.complete(long, completion())
    clock.pass(DAY / 2)
    await drained(store, { days: 1 })
    expect((await all(store)).map((call) => call.id)).toStrictEqual([young, long])
    expect(await store.activity.verify()).toMatchObject([{ problem: undefined, cut: 14 }])
    expect((await store.activity.find(long))?.events).toHaveLength(1)
    await record(store)
    expect(await verdictOf(store)).toBeUndefined()
    clock.pass(2 * DAY)
    await drained(store, { days: 1 })
    expect(await all(store)).toHaveLength(0)
    expect(await verdictOf(store)).toBeUndefined()
    await record(store)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('keeps so many rows, or so many bytes', async () => {
    const store = await opened({ file: ':memory:' })
    for (let at = 0; at < 50; at++) await record(store, { args: `"${'x'.repeat(1000)}"` })
    await drained(store, { rows: 30 })
    expect(await all(store)).toHaveLength(30)
    await drained(store, { bytes: 11_000 })
    expect((await all(store)).length).toBeGreaterThan(5)
    expect((await all(store)).length).toBeLessThan(11)
    await drained(store, { rows: 1000, bytes: 1_000_000, days: 1 })
    expect((await all(store)).length).toBeGreaterThan(5)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('is no excuse: a row that is missing or new before the cut is named, and so is a forged cut', async () => {
    const clock = createClock()
    const file = join(place(), 'log.db')
    const store = await opened({ file, now: clock.now })
    await record(store)
    const long = await store.activityLog.begin(entry())
    clock.pass(DAY)
    await record(store)
    await store.activityLog.complete(long, completion())
    await drained(store, { days: 0.5 })
    expect((await all(store)).map((call) => call.id)).toContain(long)
    const anchors = await store.activity.heads()
    expect(await verdictOf(store, anchors)).toBeUndefined()
    await meddle(file, 'update countersign_activity set tool = ? where id = ?', 'x', long)
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: long })
    await meddle(file, 'delete from countersign_activity where id = ?', long)
    expect(await verdictOf(store)).toMatchObject({ kind: 'removed' })
    await meddle(file, 'update countersign_activity_checkpoints set seq = seq + 1')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed' })
  })
})

describe.runIf(present === 'sqlite')('a disk that is full', () => {
  test('lets nothing begin, leaves nothing half written, and goes on when there is room', async () => {
    const file = join(place(), 'log.db')
    const store = await opened({ file })
    await record(store)
    const open = await store.activityLog.begin(entry())
    const pages = async (limit: string) => sql.raw(`pragma max_page_count = ${limit}`).execute(store.db)
    await pages('1')
    const huge = { args: JSON.stringify('x'.repeat(200_000)) }
    await expect(store.activityLog.begin(entry(huge))).rejects.toThrow('full')
    await expect(store.activityLog.complete(open, completion({ result: huge.args }))).rejects.toThrow('full')
    expect(await store.activity.find(open)).toMatchObject({ status: 'open' })
    expect(await verdictOf(store)).toBeUndefined()
    await pages('1000000')
    await store.activityLog.complete(open, completion())
    await record(store, huge)
    expect(await all(store)).toHaveLength(3)
    expect(await verdictOf(store)).toBeUndefined()
  })
})
