// From what stands in the database to what is to be told, once, and only while it matters.
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../kit/clock.ts'
import { openedWithClock } from '../../store/store-fixture.ts'
import { toldBy, waits, watchOf } from './watching.ts'

test('an approval is told when it waits and once more before it expires, by whoever looks, and never after', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', 8 * HOUR)
  const looks = [watchOf(store, clock.now), watchOf(store, clock.now)]
  const look = async () => {
    for (const watch of looks) await watch.approvals()
    return (await toldBy(store)).map(({ event }) => event)
  }
  expect(await look()).toStrictEqual(['approval.waiting'])
  clock.pass(6 * HOUR + 59 * MINUTE)
  expect(await look()).toStrictEqual([])
  clock.pass(MINUTE)
  expect(await look()).toStrictEqual(['approval.expiring'])
  expect(await look()).toStrictEqual([])
  // A watch that has just started knows from the database what was told.
  await watchOf(store, clock.now).approvals()
  expect(await toldBy(store)).toStrictEqual([])
  await waits(store, 'two', 4 * MINUTE)
  clock.pass(HOUR)
  expect(await look()).toStrictEqual([])
})

test('what was decided is told no more', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', HOUR)
  await store.plans.cancel('pl_one')
  await watchOf(store, clock.now).approvals()
  expect(await toldBy(store)).toStrictEqual([])
})

test('a message says what is asked and by whom, and neither why nor with which arguments', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', HOUR)
  await watchOf(store, clock.now).approvals()
  const [told] = await toldBy(store)
  expect(told?.body).toContain('https://c.example/admin/approvals/ap_one')
  expect(told?.body).not.toMatch(/Nobody else|ACME|pl_one/)
})

test('a caller without a rationale is told again the next day, as long as the grace period lasts', async () => {
  const { clock, store } = await openedWithClock()
  const until = new Date(clock.now() + 40 * HOUR).toISOString()
  const watch = watchOf(store, clock.now, until)
  const calls = () => store.grace.note({ principal: { tenant: 'default', subject: 'ada' }, client: 'job', tool: 'a' })
  const look = async () => {
    await watch.grace()
    return (await toldBy(store)).length
  }
  expect(await look()).toBe(0)
  await calls()
  expect([await look(), await look()]).toStrictEqual([1, 0])
  clock.pass(24 * HOUR)
  expect(await look()).toBe(0)
  await calls()
  expect(await look()).toBe(1)
  clock.pass(24 * HOUR)
  await calls()
  expect(await look()).toBe(0)
})

test('a caller’s first call of a day without a rationale is told from all others, whatever tools it calls', async () => {
  const { clock, store } = await openedWithClock()
  const calls = (client: string, tool: string) =>
    store.grace.note({ principal: { tenant: 'default', subject: 'ada' }, client, tool })
  expect([await calls('job', 'a'), await calls('job', 'a'), await calls('job', 'b')]).toStrictEqual([
    true,
    false,
    false,
  ])
  expect(await calls('another', 'a')).toBe(true)
  clock.pass(24 * HOUR)
  const first = await Promise.all(Array.from({ length: 4 }, () => calls('job', 'a')))
  expect(first.filter(Boolean)).toHaveLength(1)
})
