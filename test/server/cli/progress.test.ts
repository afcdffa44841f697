// How a command shows that something runs: with a bar on a terminal, with lines in a pipe.
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress, type ShownProgress } from '../../../server/cli/terminal/progress.ts'
import { within } from '../../../server/model/surroundings.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is written to stderr while `work` shows progress. */
function written(isTTY: boolean, work: (shown: ShownProgress) => void): string {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 60 })
  const stdout = new PassThrough()
  within({ stdin: Readable.from([]), stdout, stderr, env: {} }, () => work(showProgress()))
  expect(stdout.read()).toBeNull()
  return String(stderr.read() ?? '')
}

test('on a terminal a call of less than a second shows nothing', () => {
  const text = written(true, (shown) => {
    shown.tell({ progress: 1, total: 2 })
    vi.advanceTimersByTime(900)
    shown.end()
  })
  expect(text).toBe('')
})

test('on a terminal a longer one has a line with the time, a bar and what its tool says, which goes away', () => {
  const text = written(true, (shown) => {
    vi.advanceTimersByTime(2_000)
    shown.tell({ progress: 5, total: 10, message: 'files\u001B[31m' })
    vi.advanceTimersByTime(61_000)
    shown.end()
    vi.advanceTimersByTime(5_000)
  })
  const lines = text.split('\r\u001B[K')
  expect(lines[1]).toBe('0:01  running')
  expect(lines.at(-2)).toBe(`1:03  ${'█'.repeat(10)}${'░'.repeat(10)}  5 of 10  files[U+001B][31m`)
  expect(lines.at(-1)).toBe('')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60)
})

test('in a pipe it has a line for what its tool says, at most one each second', () => {
  const text = written(false, (shown) => {
    shown.tell({ progress: 1, total: 4, message: 'first' })
    shown.tell({ progress: 2, total: 4 })
    vi.advanceTimersByTime(1_500)
    shown.tell({ progress: 3 })
    vi.advanceTimersByTime(1_000)
    shown.end()
  })
  expect(text).toBe('… 0:01 2 of 4\n… 0:02 3\n')
})
