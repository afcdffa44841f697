// What is loaded when it is first needed: once, but never for good where it failed.
import { expect, test } from 'vitest'
import { onFirstUse } from '../../server/on-first-use.ts'

test('is loaded once, whoever needs it first', async () => {
  let loads = 0
  const loaded = onFirstUse(async () => (loads += 1))
  expect(loads).toBe(0)
  expect(await Promise.all([loaded(), loaded()])).toStrictEqual([1, 1])
  expect(await loaded()).toBe(1)
})

test('is loaded again by who needs it after a load that failed', async () => {
  const ends = [() => Promise.reject(new Error('no descriptor is free')), () => Promise.resolve('library')]
  const loaded = onFirstUse<string>(() => ends.shift()?.() ?? Promise.reject(new Error('a third load')))
  await expect(loaded()).rejects.toThrow('no descriptor is free')
  expect([await loaded(), await loaded()]).toStrictEqual(['library', 'library'])
})
