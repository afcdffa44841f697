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

/** Of the only plan, without reading it as a run that was lost. */
const storedState = async ({ db }: Store): Promise<string> => {
  const plans = db.$extendTables<{ countersign_plans: { id: string; state: string } }>()
  return (await plans.selectFrom('countersign_plans').select('state').executeTakeFirstOrThrow()).state
}

test('a run that was lost is written down as such, whether or not anybody asks', async () => {
  const { clock, store } = await openedWithClock()
  await store.plans.open(draft())
  await store.plans.claim('pl_1', 'one', MINUTE)
  await store.sweep()
  expect(await storedState(store)).toBe('applying')
  clock.pass(MINUTE)
  await store.sweep()
  expect(await storedState(store)).toBe('unknown')
})

test('a run that earlier sweeps have seen at work is written down as lost, however long ago it was claimed', async () => {
  const { clock, store } = await openedWithClock()
  await store.plans.open(draft())
  await store.plans.claim('pl_1', 'one', DAY)
  for (let hour = 0; hour < 24; hour++) {
    await store.sweep()
    expect(await storedState(store)).toBe('applying')
    clock.pass(HOUR)
  }
  await store.sweep()
  expect(await storedState(store)).toBe('unknown')
})

test('what is claimed and what ends while the clock is set back is swept like everything else', async () => {
  const { clock, store } = await openedWithClock()
  await store.sweep()
  clock.pass(-3 * DAY)
  await store.plans.open(draft())
  await store.plans.claim('pl_1', 'one', MINUTE)
  clock.pass(MINUTE)
  await store.sweep()
  expect(await storedState(store)).toBe('unknown')
  await store.plans.finish('pl_1', 'one', { kind: 'applied', result: '1' })
  clock.pass(DAY)
  expect(await store.sweep()).toStrictEqual({ erased: 1, removed: 0 })
})

test('a sweep that finds nothing takes nothing from the next', async () => {
  const { clock, store } = await openedWithClock()
  for (const id of ['pl_1', 'pl_2', 'pl_3']) {
    await store.plans.open(draft({ id, digest: id }))
    await store.plans.claim(id, 'one', HOUR)
    await store.plans.finish(id, 'one', { kind: 'applied', result: '1' })
    clock.pass(6 * HOUR)
    expect(await store.sweep()).toStrictEqual({ erased: 0, removed: 0 })
  }
  clock.pass(6 * HOUR)
  for (const erased of [1, 1, 1, 0]) {
    expect(await store.sweep()).toStrictEqual({ erased, removed: 0 })
    clock.pass(6 * HOUR)
  }
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
