// What the tests of the kept time share (ADR 33).
import type { Store } from '../../../server/store/store.ts'
import { createClock, DAY, MINUTE } from '../../kit/clock.ts'
import { record } from './activity/rows.ts'
import { draft, opened } from './store-fixture.ts'

/** How many calls its log still has; a hundred at most. */
export const callsOf = async (store: Store): Promise<number> => (await store.activity.page({ limit: 100 })).calls.length

/** A server that has kept a call a day for twenty days, and a plan that it has just applied. */
export const wellKept = async (file = ':memory:') => {
  const clock = createClock()
  const store = await opened({ file, now: clock.now })
  for (let day = 0; day < 20; day++) {
    clock.pass(DAY)
    await record(store)
  }
  await store.activity.followTime()
  await store.plans.open(draft())
  await store.plans.claim('pl_1', 'one', MINUTE)
  await store.plans.finish('pl_1', 'one', { kind: 'applied', result: '"kept"' })
  return { clock, store }
}
