// Somebody sets the machine's clock back while a plan runs, and its process dies: by the new time its lease lasts for days.
// Or it jumps ahead by years: by the new time all that was ever recorded is old.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Store } from '../../../server/store/store.ts'
import { record } from './activity/rows.ts'
import { createClock, DAY, HOUR, MINUTE, type Clock } from '../../kit/clock.ts'
import { callsOf, wellKept } from './kept-time-fixture.ts'
import { draft, opened, openedWithClock, place } from './store-fixture.ts'

test('a run that was claimed at a time that has not come yet is lost, not running for days', async () => {
  const clock = createClock()
  const { plans } = await opened({ file: ':memory:', now: clock.now })
  await plans.open(draft())
  await plans.claim('pl_1', 'one', MINUTE)
  clock.pass(-30_000)
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('applying')
  clock.pass(-DAY)
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('unknown')
  // Whoever ran it may still say what became of it.
  expect(await plans.finish('pl_1', 'one', { kind: 'applied', result: '1' })).toBe(true)
})

test('a run that was lost is written down as such, whether or not anybody asks', async () => {
  const { clock, store } = await openedWithClock()
  await store.plans.open(draft())
  await store.plans.claim('pl_1', 'one', MINUTE)
  const stateOf = async () =>
    (
      await store.db
        .$extendTables<{ countersign_plans: { id: string; state: string } }>()
        .selectFrom('countersign_plans')
        .select('state')
        .executeTakeFirstOrThrow()
    ).state
  await store.sweep()
  expect(await stateOf()).toBe('applying')
  clock.pass(MINUTE)
  await store.sweep()
  expect(await stateOf()).toBe('unknown')
})

/** What a server does every minute. */
const aMinute = async (store: Store, clock: Clock): Promise<void> => {
  clock.pass(MINUTE)
  const { at } = await store.activity.followTime()
  while ((await store.activity.retain({ days: 30 }, at)) > 0);
  await store.sweep(undefined, at)
}

test('a clock that jumps ahead by years takes neither the log nor the plans, in no process', async () => {
  const file = join(place(), 'kept.db')
  const { clock, store } = await wellKept(file)
  clock.pass(3650 * DAY)
  const other = await opened({ file, now: clock.now })
  for (let minute = 0; minute < 30; minute++) {
    await aMinute(store, clock)
    await aMinute(other, clock)
  }
  expect(await callsOf(store)).toBe(20)
  expect(Math.floor(((await store.activity.retentionTime()).ahead ?? 0) / DAY)).toBe(3650)
  // Once it is right again, all is as it was.
  clock.pass(-3650 * DAY)
  await aMinute(store, clock)
  await aMinute(store, clock)
  expect(await store.activity.retentionTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
  expect(await store.plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({
    state: 'applied',
    ending: { result: '"kept"' },
  })
})

test('time that passes as it should is followed at once, and a server that was off catches up', async () => {
  const { clock, store } = await wellKept()
  await aMinute(store, clock)
  expect(await store.activity.retentionTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
  clock.pass(4 * HOUR)
  for (let minute = 0; minute < 90; minute++) await store.activity.followTime().then(() => clock.pass(MINUTE))
  await store.activity.followTime()
  expect(await store.activity.retentionTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
})

test('a database that no version has kept the time of counts from its newest entry', async () => {
  const clock = createClock()
  const file = join(place(), 'older.db')
  const store = await opened({ file, now: clock.now })
  await record(store)
  const at = clock.now()
  clock.pass(400 * DAY)
  expect(await store.activity.followTime()).toStrictEqual({ at, ahead: 400 * DAY })
})

test('a clock that was back for a minute (a machine that boots before its time is set) is followed again by itself', async () => {
  const { clock, store } = await wellKept()
  const right = clock.now()
  clock.pass(DAY - right)
  expect(await store.activity.followTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
  expect(await store.activity.retentionTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
  clock.pass(right + MINUTE - DAY)
  expect(await store.activity.followTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
})
