// In which order the log is read, what its watchers have seen and when texts were erased: whoever can change these hides a
// row without touching what it says. So the chain vouches for them too.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import type { Store } from '../../../../server/store/store.ts'
import { createClock, HOUR } from '../../../kit/clock.ts'
import { opened, place } from '../store-fixture.ts'
import { completion, entry, meddle, record, verdictOf } from './rows.ts'

const desk = async () => {
  const file = join(place(), 'order.db')
  const clock = createClock()
  const store = await opened({ file, now: clock.now })
  const ids = []
  for (let at = 0; at < 4; at++) ids.push(await record(store))
  return { file, clock, store, ids }
}

const set = (column: string) => `update countersign_activity set ${column} = ? where id = ?`

const texts = `salt = null, subject = pseudonym, rationale = null, intent = null, args = null, notes = null, result = null,
  error_message = null`

describe('a chain that nobody touched', () => {
  test('is whole after each way in which texts are erased: ended, ended later, and never ended', async () => {
    const { clock, store } = await desk()
    const ada = { tenant: 'default', subject: 'ada' }
    const [later] = [await store.activityLog.begin(entry()), await store.activityLog.begin(entry())]
    await store.activityLog.event(later, { name: 'mail.sent', data: '{}' })
    await store.activity.erase(ada)
    clock.pass(1000)
    await store.activityLog.complete(later, completion())
    await store.activity.erase(ada)
    clock.pass(HOUR)
    expect(await store.activity.erase(ada)).toMatchObject({ calls: 1, running: 0 })
    await record(store)
    expect(await verdictOf(store)).toBeUndefined()
    while ((await store.activity.retain({ rows: 2 })) > 0) expect(await verdictOf(store)).toBeUndefined()
  })
})

describe('the order of the log', () => {
  test.each(['position', 'change'])('is not changed unseen: another %s', async (column) => {
    const { file, store, ids } = await desk()
    await meddle(file, set(column), 7, ids[2] ?? '')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[2] })
  })

  test('is not changed unseen: the whole log the other way round', async () => {
    const { file, store, ids } = await desk()
    await meddle(file, 'update countersign_activity set position = -position')
    const page = await store.activity.page({ limit: 9, order: 'oldest' })
    expect(page.calls.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[0] })
  })

  test('is not changed unseen while a call runs, so that its watchers miss it', async () => {
    const { file, store } = await desk()
    const id = await store.activityLog.begin(entry())
    await meddle(file, set('change'), 7, id)
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
  })

  test('follows the arrival of calls across tenants, whoever writes', async () => {
    const { file, store } = await desk()
    const other = await opened({ file })
    const ids = []
    for (let at = 0; at < 6; at++)
      ids.push(
        await (at % 2 === 0 ? store : other).activityLog.begin(
          entry({ principal: { tenant: `tenant ${at % 3}`, subject: 'ada' } }),
        ),
      )
    const seen = (await store.activity.changesSince({ change: 0, limit: 99 })).calls.map(({ id }) => id)
    expect(seen.slice(-6)).toEqual(ids)
  })
})

describe('the time of an erasure', () => {
  test.each([
    ['another', 5],
    ['none', null],
  ])('is the one of the entry that says so: %s in the row is named', async (_, value) => {
    const { file, store, ids } = await desk()
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    await meddle(file, set('erased_at'), value, ids[1] ?? '')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[1] })
  })

  test('is not set on a row whose texts are there', async () => {
    const { file, store, ids } = await desk()
    await meddle(file, set('erased_at'), 5, ids[1] ?? '')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[1] })
  })

  test('is not set for texts that were removed without an erasure, before a cut of retention neither', async () => {
    const { file, store } = await desk()
    const running = await store.activityLog.begin(entry({ principal: { tenant: 'default', subject: 'bob' } }))
    await record(store)
    while ((await store.activity.retain({ rows: 1 })) > 0);
    expect(await verdictOf(store)).toBeUndefined()
    await meddle(file, `update countersign_activity set ${texts}, erased_at = at where id = ?`, running)
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: running })
  })

  test('is not set back in the entry that says so', async () => {
    const { file, store } = await desk()
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    await meddle(file, 'update countersign_activity_erasures set at = 5')
    await meddle(file, 'update countersign_activity set erased_at = 5')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed' })
  })
})

type Step = (store: Store, open: string[], pass: (ms: number) => void) => Promise<unknown>

const whom = (who: string) => ({ principal: { tenant: who.slice(0, 1), subject: who } })
const steps = fc.array(
  fc.constantFrom('ax', 'ay', 'bx').chain((who) =>
    fc.constantFrom<Step>(
      (store) => record(store, whom(who)),
      async (store, open) => open.push(await store.activityLog.begin(entry(whom(who)))),
      async (store, open) => {
        const id = open.pop()
        if (id !== undefined) await store.activityLog.complete(id, completion())
      },
      async (store, open) => {
        if (open[0] !== undefined) await store.activityLog.event(open[0], { name: 'mail.sent', data: '{}' })
      },
      // What runs for longer than that never ends; it may be erased.
      (_, open, pass) => Promise.resolve(open.splice(0)).then(() => pass(HOUR)),
      (store) => store.activity.erase({ tenant: who.slice(0, 1), subject: who }),
    ),
  ),
  { minLength: 4, maxLength: 14 },
)

test('whatever happened, one changed position, change or time of an erasure in any row is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.constantFrom('position', 'change', 'erased_at'),
      fc.nat(),
      fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -HOUR, max: HOUR })),
      async (taken, column, which, by) => {
        fc.pre(by !== 0)
        const file = join(place(), 'any.db')
        const clock = createClock()
        const store = await opened({ file, now: clock.now })
        const open: string[] = []
        await record(store, whom('ax'))
        for (const step of taken) {
          await step(store, open, clock.pass)
          clock.pass(1)
        }
        expect(await verdictOf(store)).toBeUndefined()
        const { calls } = await store.activity.page({ limit: 100 })
        const { id } = calls[which % calls.length] ?? { id: '' }
        // No second row may have a position; the highest of all and more is free, and so is what is below the first.
        const value =
          column === 'position'
            ? `(select case when ${by} < 0 then min(position) else max(position) end from countersign_activity) + ${by}`
            : `coalesce(${column}, at) + ${by}`
        await meddle(file, `update countersign_activity set ${column} = ${value} where id = ?`, id)
        expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
        await store.close()
      },
    ),
    { numRuns: runsOf(60) },
  )
})
