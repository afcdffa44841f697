// More to tell of than one look at the database takes.
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../kit/clock.ts'
import { openedWithClock } from '../../store/store-fixture.ts'
import { toldBy, waits, watchOf } from './watching.ts'

test('of a flood of approvals each is told, and those about to expire as well, however many came after them', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'first', HOUR)
  for (let i = 0; i < 510; i += 1) await waits(store, `later ${i}`, 8 * HOUR)
  const watch = watchOf(store, clock.now)
  await watch.approvals()
  expect(await toldBy(store)).toHaveLength(511)
  clock.pass(46 * MINUTE)
  await watch.approvals()
  expect(await toldBy(store)).toMatchObject([{ event: 'approval.expiring' }])
  await watch.approvals()
  expect(await toldBy(store)).toStrictEqual([])
})

test('a flood of feedback is told to its end, over several turns, with what came meanwhile', async () => {
  const { clock, store } = await openedWithClock()
  const watch = watchOf(store, clock.now)
  const complain = async (id: string): Promise<void> => {
    clock.pass(1000)
    await store.feedback.add({
      id,
      principal: { tenant: 'default', subject: 'ada' },
      severity: 'high',
      attemptedAction: `Tried ${id}.`,
      expectedOutcome: 'It works.',
      actualOutcome: 'It does not.',
      toolCalled: undefined,
      errorSeen: undefined,
      rationale: 'It was asked for.',
    })
  }
  for (let i = 0; i < 1010; i += 1) await complain(`fb_${i}`)
  await watch.feedback()
  const first = await toldBy(store)
  await complain('fb_meanwhile')
  await watch.feedback()
  await watch.feedback()
  const bodies = [...first, ...(await toldBy(store))].map(({ body }) => body)
  const told = new Set(bodies.map((body) => /Tried (fb_\w+)\./.exec(body)?.[1]))
  expect([bodies.length, told.size, told.has('fb_0'), told.has('fb_meanwhile')]).toStrictEqual([1011, 1011, true, true])
  await watch.feedback()
  expect(await toldBy(store)).toStrictEqual([])
})
