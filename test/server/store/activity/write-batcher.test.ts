// What waits to be written is written together. Nobody may notice: each still hears its own answer, one that cannot be
// written costs no other its place, and the chain is as if they had come one by one.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { opened } from '../store-fixture.ts'
import { completion, entry, verdictOf } from './rows.ts'

describe('rows that come at the same moment', () => {
  test('are all there, in one whole chain, with their ends and events', async () => {
    const store = await opened({ file: ':memory:' })
    const tenants = ['default', 'acme', 'zeta']
    const ids = await Promise.all(
      Array.from({ length: 150 }, (_, at) =>
        store.activityLog.begin(
          entry({ principal: { tenant: tenants[at % 3] ?? '', subject: 'ada' }, tool: `tool_${at}` }),
        ),
      ),
    )
    await Promise.all(
      ids.flatMap((id, at) => [
        store.activityLog.event(id, { name: 'mail.sent', data: '{}' }),
        store.activityLog.complete(id, completion({ durationMs: at }), at % 2 === 0 ? 'soon' : 'idle'),
      ]),
    )
    expect(new Set(ids).size).toBe(150)
    const found = await Promise.all(ids.map((id) => store.activity.find(id)))
    expect(found.map((call) => [call?.tool, call?.status, call?.durationMs, call?.events.length])).toEqual(
      ids.map((_, at) => [`tool_${at}`, 'ok', at, 1]),
    )
    expect(new Set(found.map((call) => call?.change)).size).toBe(150)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('do not fall with one of them that cannot be written, and that one hears why', async () => {
    const store = await opened({ file: ':memory:' })
    const open = await store.activityLog.begin(entry())
    const [first, gone, ended, broken, last] = await Promise.allSettled([
      store.activityLog.begin(entry({ tool: 'first' })),
      store.activityLog.complete('ac_none', completion()),
      store.activityLog.complete(open, completion()),
      store.activityLog.complete(open, () => {
        throw new Error('cannot be worked out')
      }),
      store.activityLog.begin(entry({ tool: 'last' })),
    ])
    expect([first, ended, last].map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(gone).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('is gone') } })
    expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'cannot be worked out' } })
    expect((await store.activity.page({ limit: 10 })).calls.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['first', 'last']),
    )
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('whatever the order, each row is begun once and ended once, and the chain holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('durable', 'later'), fc.constantFrom('soon', 'idle'), fc.boolean()), {
          maxLength: 30,
        }),
        async (calls) => {
          const store = await opened({ file: ':memory:' })
          await Promise.all(
            calls.map(async ([begin, end, twice]) => {
              const id = await store.activityLog.begin(entry(), begin === 'durable' ? undefined : 'after-claim')
              const ends = [store.activityLog.complete(id, completion(), end)]
              if (twice) ends.push(store.activityLog.complete(id, completion({ outcome: 'failed' })))
              const settled = await Promise.allSettled(ends)
              expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
            }),
          )
          const page = await store.activity.page({ limit: 100 })
          expect(page.calls).toHaveLength(calls.length)
          expect(page.calls.every(({ status }) => status !== 'open')).toBe(true)
          expect(await verdictOf(store)).toBeUndefined()
          await store.close()
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('an end that nobody waits for', () => {
  test('is seen by whoever asks next, and is written before the store closes', async () => {
    const store = await opened({ file: ':memory:' })
    const id = await store.activityLog.begin(entry(), 'none')
    const ending = store.activityLog.complete(id, () => completion(), 'idle')
    expect(await store.activity.find(id)).toMatchObject({ status: 'ok' })
    await ending
    const other = await store.activityLog.begin(entry(), 'none')
    const late = store.activityLog.complete(other, () => completion(), 'idle')
    await store.close()
    await expect(late).resolves.toBeUndefined()
  })
})
