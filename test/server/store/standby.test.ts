// A commit whose wait for its synchronous standby was cut off can be read by everybody, and is lost where the standby takes over
// now. Nothing may rest on it before the standby has it (ADR 14, ADR 83).
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { MINUTE } from '../../kit/clock.ts'
import { longest } from '../../longest.ts'
import { testSecret } from '../../postgres.ts'
import { createDatabase, startPostgres } from '../../postgres-server.ts'
import { entry } from './activity/rows.ts'
import { draft } from './store-fixture.ts'

const applied = { kind: 'applied', result: '{"id":"SO-1"}' } as const

/** A store with one plan on a server of its own, and ways to its standby, which is away or not asked for. */
async function replicated() {
  const server = await startPostgres()
  onTestFinished(() => server.stop())
  const { url } = await createDatabase(server.url)
  const opened = await openStore({ file: url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  onTestFinished(() => store.close())
  const row = await store.activityLog.begin(entry())
  await store.plans.open(draft())
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('set synchronous_commit = local')
  const isAway = async (away: boolean): Promise<void> => {
    await client.query(
      away ? `alter system set synchronous_standby_names = 'away'` : 'alter system reset synchronous_standby_names',
    )
    await client.query('select pg_reload_conf()')
    await expect
      .poll(async () => (await client.query('show synchronous_standby_names')).rows, { timeout: longest })
      .toEqual([{ synchronous_standby_names: away ? 'away' : '' }])
  }
  /** Ends the connection that waits for the standby, once there is one: its commit stands, and its answer is lost. */
  const cutOff = async (): Promise<void> => {
    const waiting = async () =>
      (await client.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep'`)).rows
    await expect.poll(waiting, { timeout: longest }).toHaveLength(1)
    for (const { pid } of await waiting()) await client.query('select pg_terminate_backend($1)', [pid])
  }
  return { store, row, isAway, cutOff }
}

/** What a promise has come to by now. */
function watched<T>(promise: Promise<T>): { readonly promise: Promise<T>; readonly isSettled: () => boolean } {
  let isSettled = false
  const settle = (): void => void (isSettled = true)
  promise.then(settle, settle)
  return { promise, isSettled: () => isSettled }
}

test(
  'a claim whose answer was lost in the wait for a synchronous standby is answered when the standby has it',
  async () => {
    const { store, row, isAway, cutOff } = await replicated()
    await isAway(true)
    const claim = watched(store.plans.claim('pl_1', 'me', MINUTE, row))
    await cutOff()
    await wait(1500)
    expect(claim.isSettled()).toBe(false)
    await isAway(false)
    expect(await claim.promise).toMatchObject({ kind: 'claimed' })
  },
  longest,
)

test(
  'so is a claim that names no row, and an ending',
  async () => {
    const { store, isAway, cutOff } = await replicated()
    await isAway(true)
    const claim = watched(store.plans.claim('pl_1', 'me', MINUTE))
    await cutOff()
    await wait(1500)
    expect(claim.isSettled()).toBe(false)
    await isAway(false)
    expect(await claim.promise).toMatchObject({ kind: 'claimed' })
    await isAway(true)
    const ending = watched(store.plans.finish('pl_1', 'me', applied))
    await cutOff()
    await wait(1500)
    expect(ending.isSettled()).toBe(false)
    await isAway(false)
    expect(await ending.promise).toBe(true)
  },
  longest,
)
