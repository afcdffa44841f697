// Logins at servers behind, as processes on one database share them: nothing of them is readable on the disk, one of them
// refreshes at a time, and what a person does in between counts more than what a refresh brings.
import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, record } from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Login, LoginKey, LoginStore } from '../../../server/model/logins.ts'
import { present } from '../../postgres.ts'
import { runsOf } from '../../full.ts'
import { opened, openedWithClock, place } from './store-fixture.ts'

const key: LoginKey = { server: 'tracker', address: 'https://tracker.example/mcp?key=of-the-operator' }

const login = (change: Partial<Login> = {}): Login => ({
  ...key,
  at: 1,
  issuer: 'https://auth.example',
  metadata: { issuer: 'https://auth.example', token_endpoint: 'https://auth.example/token' },
  client: { id: 'client-1', secret: 'the-client-secret' },
  privateNetwork: false,
  resource: 'https://tracker.example/mcp',
  scope: 'read write',
  tokens: { access: 'the-access-token', expiresAt: 60_000, since: 1, refresh: 'the-refresh-token' },
  ...change,
})

const accessOf = async (logins: LoginStore): Promise<string | undefined> => (await logins.find(key))?.tokens?.access

test('gives back a login as it was kept, of this server at this address alone', async () => {
  const { store } = await openedWithClock()
  await store.logins.put(login())
  await store.logins.put(login({ server: 'other', tokens: undefined }))
  expect(await store.logins.find(key)).toEqual(login())
  expect(await store.logins.find({ ...key, address: 'https://elsewhere.example/mcp' })).toBeUndefined()
  expect(await store.logins.find({ ...key, server: 'third' })).toBeUndefined()
  expect((await store.logins.all()).map(({ server }) => server).toSorted()).toEqual(['other', 'tracker'])
  expect([await store.logins.remove(key), await store.logins.remove(key)]).toEqual([true, false])
  expect(await store.logins.find(key)).toBeUndefined()
})

test.runIf(present === 'sqlite')('leaves no token, secret or address readable on the disk', async () => {
  const folder = place()
  const store = await opened({ file: join(folder, 'sealed.db') })
  await store.logins.put(login())
  await store.close()
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  expect(bytes.length).toBeGreaterThan(0)
  for (const secret of ['the-access-token', 'the-refresh-token', 'the-client-secret', 'of-the-operator'])
    expect(bytes.filter((text) => text.includes(secret))).toEqual([])
})

test('of two processes one has the turn to refresh, until it gives it back or its time is over', async () => {
  const { clock, store } = await openedWithClock()
  const { logins } = store
  expect(await logins.take(key, 'a', 1000)).toBe(false)
  await logins.put(login())
  expect([await logins.take(key, 'a', 1000), await logins.take(key, 'b', 1000)]).toEqual([true, false])
  expect(await logins.giveBack(key, 'b', login({ tokens: undefined }))).toBe(false)
  expect(await accessOf(logins)).toBe('the-access-token')
  const refreshed = login({ tokens: { access: 'second', since: 2 } })
  expect(await logins.giveBack(key, 'a', refreshed)).toBe(true)
  expect(await accessOf(logins)).toBe('second')
  expect(await logins.take(key, 'b', 1000)).toBe(true)
  clock.pass(1000)
  expect(await logins.take(key, 'c', 1000)).toBe(true)
  expect(await logins.giveBack(key, 'b', login())).toBe(false)
})

test('who has looked at the clock before another process took the turn does not take it as well; a clock turned far back frees it', async () => {
  const { clock, store } = await openedWithClock()
  const { logins } = store
  await logins.put(login())
  expect(await logins.take(key, 'a', 1000)).toBe(true)
  clock.pass(-1)
  expect(await logins.take(key, 'b', 1000)).toBe(false)
  clock.pass(-1000)
  expect(await logins.take(key, 'b', 1000)).toBe(true)
})

test('a person who logs in or out while a login is refreshed wins', async () => {
  const { store } = await openedWithClock()
  const { logins } = store
  await logins.put(login())
  await logins.take(key, 'a', 1000)
  await logins.put(login({ at: 2, tokens: { access: 'of the new login', since: 2 } }))
  expect(await logins.giveBack(key, 'a', login())).toBe(false)
  expect(await accessOf(logins)).toBe('of the new login')
  await logins.take(key, 'a', 1000)
  await logins.remove(key)
  expect(await logins.giveBack(key, 'a', login())).toBe(false)
  expect(await logins.find(key)).toBeUndefined()
})

/** What three processes and a person do, in any order. */
const step = oneof(
  record({ kind: constant('take' as const), who: constantFrom('a', 'b', 'c') }),
  record({ kind: constant('give' as const), who: constantFrom('a', 'b', 'c') }),
  record({ kind: constant('login' as const) }),
  record({ kind: constant('logout' as const) }),
  record({ kind: constant('pass' as const), ms: integer({ min: 1, max: 700 }) }),
)

test('in every order of steps a refresh token is used by one process at a time, and kept by whoever had the turn', async () => {
  const { clock, store } = await openedWithClock()
  const { logins } = store
  await assert(
    asyncProperty(array(step, { maxLength: 25 }), async (steps) => {
      await logins.remove(key)
      let model: { access: string; by?: string | undefined; until: number } | undefined
      let count = 0
      for (const each of steps) {
        const holds = model?.by !== undefined && model.until > clock.now()
        if (each.kind === 'take') {
          const may = model !== undefined && (!holds || model.by === each.who)
          expect(await logins.take(key, each.who, 1000)).toBe(may)
          if (may && model !== undefined) model = { ...model, by: each.who, until: clock.now() + 1000 }
        } else if (each.kind === 'give') {
          const may = model?.by === each.who
          const access = `refreshed ${++count}`
          expect(await logins.giveBack(key, each.who, login({ tokens: { access, since: 1 } }))).toBe(may)
          if (may) model = { access, until: 0 }
        } else if (each.kind === 'login') {
          model = { access: `login ${++count}`, until: 0 }
          await logins.put(login({ tokens: { access: model.access, since: 1 } }))
        } else if (each.kind === 'logout') {
          expect(await logins.remove(key)).toBe(model !== undefined)
          model = undefined
        } else clock.pass(each.ms)
        expect(await accessOf(logins)).toBe(model?.access)
      }
    }),
    { numRuns: runsOf(80) },
  )
})
