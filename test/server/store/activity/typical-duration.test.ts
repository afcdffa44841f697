// How long a tool takes, by the record: the median of its applied runs of one tenant, once there are five.
import { expect, test } from 'vitest'
import { opened } from '../store-fixture.ts'
import { record } from './rows.ts'

// A run that has ended just now may not be among those that are looked at; whoever asks for the newest change brings it there.

test('how long a tool takes is not known before it has run five times, and then is the median of what was applied', async () => {
  const store = await opened({ file: ':memory:' })
  const asked = { tool: 'orders_create', tenant: 'default' }
  const applied = (durationMs: number) => record(store, {}, { outcome: 'applied', durationMs })
  for (const took of [40, 10, 9_000, 30]) await applied(took)
  await record(store, {}, { outcome: 'previewed', durationMs: 1 })
  await record(store, {}, { outcome: 'failed', durationMs: 2 })
  await record(store, { tool: 'orders_get' }, { outcome: 'applied', durationMs: 3 })
  await record(store, { principal: { tenant: 'acme', subject: 'bob' } }, { outcome: 'applied', durationMs: 4 })
  await store.activity.newestChange()
  expect(await store.activity.typicalDuration(asked)).toBeUndefined()
  await applied(20)
  await store.activity.newestChange()
  expect(await store.activity.typicalDuration(asked)).toBe(30)
  expect(await store.activity.typicalDuration({ ...asked, tenant: 'acme' })).toBeUndefined()
})

test('only the last runs count: a tool that has become faster is said to be fast', async () => {
  const store = await opened({ file: ':memory:' })
  for (const took of [...Array<number>(30).fill(5_000), ...Array<number>(25).fill(50)])
    await record(store, {}, { outcome: 'applied', durationMs: took })
  await store.activity.newestChange()
  expect(await store.activity.typicalDuration({ tool: 'orders_create', tenant: 'default' })).toBe(50)
})
