// One connection carries what many clients follow. They come and go while the server is being asked, in whatever order.
import { expect, test } from 'vitest'
import { createSubscriptions } from '../../../../server/gateway/passthrough/subscriptions.ts'
import { hiddenViews } from '../../../../server/gateway/passthrough/views.ts'
import type { Pool } from '../../../../server/gateway/upstream/pool.ts'
import type { Upstream, UpstreamEvent } from '../../../../server/gateway/upstream/upstream.ts'

const anyone = { may: () => true }
const uri = 'notes://all'

type Answer = Awaited<ReturnType<Upstream['request']>>
const agreed: Answer = { ok: true, value: {} }
const refused: Answer = { ok: false, failure: { kind: 'error', effect: 'may-have-happened', message: 'no' } }
const givenUp: Answer = { ok: false, failure: { kind: 'cancelled', effect: 'may-have-happened', message: 'left' } }

/** A server that answers when the test says so, and what it has been asked. */
function scene() {
  const asked: string[] = []
  const waiting: ((answer: Answer) => void)[] = []
  let say: ((upstream: Upstream, event: UpstreamEvent) => void) | undefined
  const upstream = {
    name: 'notes',
    config: { permissions: [], tools: {} },
    capabilities: () => ({ resources: { subscribe: true } }),
    request: (method: string): Promise<Answer> => {
      asked.push(method.replace('resources/', ''))
      return new Promise((resolve) => waiting.push(resolve))
    },
  } as unknown as Upstream
  const pool = {
    upstreams: [upstream],
    listen: (listener: typeof say) => {
      say = listener
      return () => undefined
    },
  } as unknown as Pool
  const owners = (): Promise<readonly Upstream[]> => Promise.resolve([upstream])
  const subscriptions = createSubscriptions(pool, hiddenViews, owners, (error) => {
    throw error
  })
  return {
    ...subscriptions,
    asked,
    /** Lets the server answer the first question that it has not answered yet. */
    async answer(with_: Answer = agreed): Promise<void> {
      await settled()
      waiting.shift()?.(with_)
      await settled()
    },
    change: (): void =>
      say?.(upstream, { kind: 'notification', method: 'notifications/resources/updated', params: { uri } }),
  }
}

/** Until everything that needs no answer has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a client that asks for a resource while the last other one leaves is told of its changes', async () => {
  const notes = scene()
  const told: string[] = []
  notes.listen(
    'next',
    ({ method }) => told.push(method),
    () => anyone,
  )
  const last = notes.subscribe('last', uri, anyone)
  await notes.answer()
  await last
  const next = notes.subscribe('next', uri, anyone)
  await settled()
  notes.forget('last')
  await notes.answer()
  expect(await next).toHaveProperty('ok', true)
  notes.change()
  expect(told).toEqual(['notifications/resources/updated'])
  expect(notes.asked).toEqual(['subscribe', 'subscribe'])
})

test('a client that asks for a resource while the server is told to stop is asked for after that', async () => {
  const notes = scene()
  const last = notes.subscribe('last', uri, anyone)
  await notes.answer()
  await last
  notes.forget('last')
  const next = notes.subscribe('next', uri, anyone)
  await settled()
  expect(notes.asked).toEqual(['subscribe', 'unsubscribe'])
  await notes.answer()
  expect(notes.asked).toEqual(['subscribe', 'unsubscribe', 'subscribe'])
  await notes.answer()
  expect(await next).toHaveProperty('ok', true)
})

test('of a client that leaves while the server is asked, or gives the question up, nothing stays there', async () => {
  const one = scene()
  const left = one.subscribe('one', uri, anyone)
  await settled()
  one.forget('one')
  await one.answer()
  await left
  expect(one.asked).toEqual(['subscribe', 'unsubscribe'])

  const two = scene()
  const up = two.subscribe('two', uri, anyone).catch((error: unknown) => error)
  await two.answer(givenUp)
  await two.answer()
  expect(await up).toBeInstanceOf(Error)
  expect(two.asked).toEqual(['subscribe', 'unsubscribe'])
})

test('a client that is refused is told nothing, and ends what another one has left behind meanwhile', async () => {
  const notes = scene()
  const told: string[] = []
  notes.listen(
    'next',
    ({ method }) => told.push(method),
    () => anyone,
  )
  const last = notes.subscribe('last', uri, anyone)
  await notes.answer()
  await last
  const next = notes.subscribe('next', uri, anyone).catch((error: unknown) => error)
  await settled()
  notes.forget('last')
  await notes.answer(refused)
  expect(notes.asked).toEqual(['subscribe', 'subscribe', 'unsubscribe'])
  await notes.answer()
  expect(await next).toBeInstanceOf(Error)
  notes.change()
  expect(told).toEqual([])
})

test.each([
  ['is given up', givenUp],
  ['is refused', refused],
])('a client that asks for a resource twice is told of it, though the first request %s', async (_, ending) => {
  const notes = scene()
  const told: string[] = []
  notes.listen(
    'one',
    ({ method }) => told.push(method),
    () => anyone,
  )
  const first = notes.subscribe('one', uri, anyone).catch((error: unknown) => error)
  const second = notes.subscribe('one', uri, anyone)
  await notes.answer(ending)
  expect(await first).toBeInstanceOf(Error)
  await notes.answer()
  expect(await second).toHaveProperty('ok', true)
  notes.change()
  expect(told).toEqual(['notifications/resources/updated'])
  expect(notes.asked).toEqual(['subscribe', 'subscribe'])
  await Promise.all([notes.unsubscribe('one', uri), notes.answer()])
  expect(notes.asked).toEqual(['subscribe', 'subscribe', 'unsubscribe'])
})

test('of a client that asks for a resource twice, and is refused twice, nothing stays', async () => {
  const notes = scene()
  const both = [1, 2].map(() => notes.subscribe('one', uri, anyone).catch((error: unknown) => error))
  await notes.answer(givenUp)
  await notes.answer(refused)
  expect(notes.asked).toEqual(['subscribe', 'subscribe', 'unsubscribe'])
  await notes.answer()
  for (const one of both) expect(await one).toBeInstanceOf(Error)
})

test('a client that lets go of a resource while it is asked for is not told of it', async () => {
  const notes = scene()
  const asking = notes.subscribe('one', uri, anyone)
  await settled()
  await notes.unsubscribe('one', uri)
  await notes.answer()
  await asking
  expect(notes.asked).toEqual(['subscribe', 'unsubscribe'])
})

test('what a client asks for at the same time counts for how much it may follow', async () => {
  const notes = scene()
  const all = Array.from({ length: 1001 }, (_, at) => notes.subscribe('one', `notes://${at}`, anyone))
  expect(await all[1000]).toHaveProperty('ok', false)
  await settled()
  expect(notes.asked).toHaveLength(1000)
  // One of them is nothing more.
  void notes.subscribe('one', 'notes://1', anyone)
  await settled()
  expect(notes.asked).toHaveLength(1001)
})
