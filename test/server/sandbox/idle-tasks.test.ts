// The worker that nobody waits for yet is started when programs leave a moment for it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleTasks } from '../../../server/sandbox/sessions/idle-tasks.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Tasks in which something is counted, while a program begins or ends every so many milliseconds. */
function busy(everyMs: number): { readonly tasks: IdleTasks; readonly done: () => number; readonly stop: () => void } {
  const tasks = new IdleTasks()
  const programs = setInterval(() => tasks.interrupt(), everyMs)
  let done = 0
  tasks.whenIdle('work', () => (done += 1))
  return { tasks, done: () => done, stop: () => clearInterval(programs) }
}

test('work waits as long as one program follows another, and is done once they leave a moment', () => {
  const { tasks, done, stop } = busy(20)
  vi.advanceTimersByTime(1000)
  expect(done()).toBe(0)
  tasks.whenIdle('work', () => expect.fail('it waits already'))
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

test('what was done can wait for the next idle moment', () => {
  const { tasks, done, stop } = busy(20)
  stop()
  vi.advanceTimersByTime(200)
  tasks.whenIdle('work', () => expect(done()).toBe(1))
  vi.advanceTimersByTime(200)
  expect.assertions(1)
})
