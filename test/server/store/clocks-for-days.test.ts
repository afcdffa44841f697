// A clock that is wrong for days, looked at every minute as a server does: thousands of looks, each a transaction.
import { expect, test } from 'vitest'
import { DAY, MINUTE } from '../../kit/clock.ts'
import { callsOf, wellKept } from './kept-time-fixture.ts'

test('a clock that stays wrong takes nothing before its time, however long nobody looks; a person may confirm it', async () => {
  const { clock, store } = await wellKept()
  clock.pass(3650 * DAY)
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    clock.pass(MINUTE)
    await store.activity.followTime()
  }
  // Two days have passed, and two days' rows have become old enough.
  const { at } = await store.activity.retentionTime()
  while ((await store.activity.retain({ days: 18 }, at)) > 0);
  expect(await callsOf(store)).toBe(17)
  await store.activity.confirmTime()
  const confirmed = await store.activity.followTime()
  expect(confirmed).toStrictEqual({ at: clock.now(), ahead: undefined })
  while ((await store.activity.retain({ days: 18 }, confirmed.at)) > 0);
  expect(await callsOf(store)).toBe(0)
})

test('a machine that was off over a weekend catches up by itself; one that was off for a week asks a person', async () => {
  const { clock, store } = await wellKept()
  clock.pass(3 * DAY)
  for (let minute = 0; minute < 24 * 60; minute++) await store.activity.followTime().then(() => clock.pass(MINUTE))
  expect(await store.activity.followTime()).toStrictEqual({ at: clock.now(), ahead: undefined })
  clock.pass(7 * DAY)
  for (let minute = 0; minute < 60; minute++) await store.activity.followTime().then(() => clock.pass(MINUTE))
  expect(Math.round(((await store.activity.retentionTime()).ahead ?? 0) / DAY)).toBe(7)
})

test('a clock that stays back for days is believed: the next jump from there is one again', async () => {
  const { clock, store } = await wellKept()
  clock.pass(3650 * DAY)
  await store.activity.followTime()
  await store.activity.confirmTime()
  // The person was wrong, and the clock is put right.
  clock.pass(-3650 * DAY)
  for (let minute = 0; minute < 3 * 24 * 60 + 2; minute++)
    await store.activity.followTime().then(() => clock.pass(MINUTE))
  clock.pass(365 * DAY)
  expect(Math.round(((await store.activity.followTime()).ahead ?? 0) / DAY)).toBe(365)
})
