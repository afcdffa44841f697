// Somebody sets the machine's clock back while a plan runs, and its process dies: by the new time its lease lasts for days.
import { expect, test } from 'vitest'
import { createClock, DAY, draft, MINUTE, opened } from './desk.ts'

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
  const clock = createClock()
  const store = await opened({ file: ':memory:', now: clock.now })
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
