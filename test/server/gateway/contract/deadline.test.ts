// A deadline is there for work that takes long by itself, and not for a machine that is busy with something else.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { runsWithin } from '../../../../server/gateway/contract/deadline.ts'

/** As where others have the processor: time passes, and this thread has had next to none of it. */
const elsewhere = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('work that others keep from the processor for much longer than its time ends all the same', () => {
  let ended = 0
  const runs = runsWithin(
    20,
    () => {
      elsewhere(60)
      ended++
    },
    // An attempt may be ended just after its last step.
    () => (ended = 0),
  )
  expect([runs, ended]).toEqual([true, 1])
})

test('work of other threads is not taken for the work', async () => {
  const busy = new Worker('const until = Date.now() + 4000; while (Date.now() < until);', { eval: true })
  await once(busy, 'online')
  expect(runsWithin(20, () => elsewhere(60))).toBe(true)
  await busy.terminate()
})

test('work that has the processor and does not end is ended, and what it changed is dropped', () => {
  let dropped = 0
  const runs = runsWithin(
    20,
    () => {
      for (;;);
    },
    () => void dropped++,
  )
  expect(runs).toBe(false)
  expect(dropped).toBeGreaterThan(0)
})

test('what the work throws is thrown, and the next work runs', () => {
  expect(() =>
    runsWithin(1000, () => {
      throw new Error('of the work')
    }),
  ).toThrow('of the work')
  expect(runsWithin(1000, () => undefined)).toBe(true)
})
