// The worker that nobody waits for yet is started when programs leave a moment for it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Lull } from '../../../server/sandbox/sessions/lull.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A lull in which something is counted, while a program begins or ends every so many milliseconds. */
function busy(everyMs: number): { readonly lull: Lull; readonly done: () => number; readonly stop: () => void } {
  const lull = new Lull()
  const programs = setInterval(() => lull.interrupt(), everyMs)
  let done = 0
  lull.use('work', () => (done += 1))
  return { lull, done: () => done, stop: () => clearInterval(programs) }
}

test('work waits as long as one program follows another, and is done once they leave a moment', () => {
  const { lull, done, stop } = busy(20)
  vi.advanceTimersByTime(1000)
  expect(done()).toBe(0)
  lull.use('work', () => expect.fail('it waits already'))
  stop()
  vi.advanceTimersByTime(200)
  expect(done()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(done()).toBe(1)
})

test('work is done in the end where programs never leave a moment', () => {
  const { done } = busy(20)
  vi.advanceTimersByTime(10_000)
  expect(done()).toBe(1)
})

test('a program that runs for long is not waited for', () => {
  const { done } = busy(5000)
  vi.advanceTimersByTime(1000)
  expect(done()).toBe(1)
})

test('what was done can wait for the next lull', () => {
  const { lull, done, stop } = busy(20)
  stop()
  vi.advanceTimersByTime(200)
  lull.use('work', () => expect(done()).toBe(1))
  vi.advanceTimersByTime(200)
  expect.assertions(1)
})
