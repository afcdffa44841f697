// A stream comes in pieces that end anywhere, and may end altogether: no event is lost to a seam, and listening goes on.
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from '../../../ui/admin/events.ts'
import { longest } from '../../longest.ts'

afterEach(() => void vi.useRealTimers())

const streamOf = (pieces: readonly Uint8Array[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    }),
  )

/** Hears a stream to its end. */
const hear = (pieces: readonly Uint8Array[]): Promise<readonly (readonly [string, unknown])[]> =>
  new Promise((resolve) => {
    const heard: (readonly [string, unknown])[] = []
    const stop = listen(
      { open: () => Promise.resolve(streamOf(pieces)) },
      {
        event: (name, data) => void heard.push([name, data]),
        line: (up) => {
          if (up) return
          stop()
          resolve(heard)
        },
      },
    )
  })

const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const at = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  return at.slice(1).map((end, index) => bytes.slice(at[index], end))
}

test('events are whole wherever the stream was cut', async () => {
  const data = fc.record({ pending: fc.nat(), newest: fc.string({ unit: 'grapheme' }) })
  await fc.assert(
    fc.asyncProperty(fc.array(data, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 }), async (events, places) => {
      const text = events.map((event) => `event: approvals\ndata: ${JSON.stringify(event)}\n\n:\n\n`).join('')
      expect(await hear(cut(new TextEncoder().encode(text), places))).toStrictEqual(
        events.map((event) => ['approvals', JSON.parse(JSON.stringify(event)) as unknown]),
      )
    }),
    { numRuns: 50, examples: [[[{ pending: 1, newest: 'line\u2028separator\u2029' }], []]] },
  )
})

test('what is no JSON is passed over, and the next event counts', async () => {
  const text = 'event: approvals\ndata: <html>\n\nevent: approvals\r\ndata: {"pending":1}\r\n\r\n'
  expect(await hear([new TextEncoder().encode(text)])).toStrictEqual([['approvals', { pending: 1 }]])
})

test('a stream that ends is opened again, and one that is hushed is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let opened = 0
  let seen = 0
  const stop = listen(
    {
      open: () => {
        opened += 1
        return Promise.resolve(streamOf([new TextEncoder().encode(`event: n\ndata: ${opened}\n\n`)]))
      },
    },
    {
      event: (_, data) => {
        seen = Number(data)
        if (seen === 2) stop()
      },
    },
  )
  // Between two looks the clock of the page goes on by as much.
  await vi.waitFor(() => expect(seen).toBe(2), { timeout: longest, interval: 500 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([seen, opened]).toStrictEqual([2, 2])
})
