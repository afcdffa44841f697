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

/** An administrator ends a connection, or cancels what it waits for. */
type CutOff = 'terminate' | 'cancel'

/** A store with one plan on a server of its own, and ways to its standby, which is away or not asked for. */
async function replicated({ options }: { readonly options?: string } = {}) {
  const server = await startPostgres()
  onTestFinished(() => server.stop())
  const { url } = await createDatabase(server.url)
  const address = new URL(url)
  if (options !== undefined) address.searchParams.set('options', options)
  const opened = await openStore({ file: address.href, secret: testSecret })
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
    if (away) await expect.poll(() => commitWaits(client, url), { timeout: longest }).toBe(true)
  }
  /** Cuts off the connection that waits for the standby, once there is one: its commit stands. */
  const cutOff = async (how: CutOff = 'terminate'): Promise<void> => {
    const waiting = async () =>
      (await client.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep'`)).rows
    await expect.poll(waiting, { timeout: longest }).toHaveLength(1)
    for (const { pid } of await waiting()) await client.query(`select pg_${how}_backend($1)`, [pid])
  }
  return { store, row, isAway, cutOff }
}

/** Whether a commit waits for the standby: the process of PostgreSQL that says so reads the setting later than others do. */
async function commitWaits(client: Client, url: string): Promise<boolean> {
  const other = new Client({ connectionString: url })
  // It is ended while it waits.
  other.on('error', () => undefined)
  await other.connect()
  await other.query('set synchronous_commit = on')
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  const commit = watched(other.query(`create table asked_${rows[0]?.pid} ()`))
  const isWaiting = async (): Promise<boolean> => {
    const found = await client.query(`select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`, [
      rows[0]?.pid,
    ])
    return found.rowCount === 1
  }
  let waits = await isWaiting()
  while (!waits && !commit.isSettled()) waits = await isWaiting()
  if (waits) await client.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await commit.promise.catch(() => undefined)
  await other.end()
  return waits
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

/** Answers a step once the standby has it, though the wait of its commit was cut off. */
async function keptAnswer<T>(
  { isAway, cutOff }: Awaited<ReturnType<typeof replicated>>,
  step: () => Promise<T>,
  how?: CutOff,
): Promise<T> {
  await isAway(true)
  const answer = watched(step())
  await cutOff(how)
  await wait(1500)
  expect(answer.isSettled()).toBe(false)
  await isAway(false)
  return await answer.promise
}

test(
  'nobody hears that a plan is cancelled, or was corrected, before the standby has it',
  async () => {
    const scene = await replicated()
    const { plans } = scene.store
    await plans.open(draft({ id: 'pl_2', ticketHash: 'another', digest: 'another' }))
    expect(await keptAnswer(scene, () => plans.cancel('pl_2'))).toMatchObject({ state: 'cancelled' })
    await plans.claim('pl_1', 'me', MINUTE)
    await plans.finish('pl_1', 'me', { kind: 'unknown', failure: { code: 'lost', message: 'Lost.' } })
    await plans.settle('pl_1', { kind: 'failed', failure: { code: 'not_applied', message: 'Nothing.' } })
    expect(await keptAnswer(scene, () => plans.correct('pl_1', 'me', applied))).toBe(true)
    expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({ state: 'applied' })
  },
  longest,
)

test(
  'a wait that was cancelled is answered with success by the server, and by us when the standby has it',
  async () => {
    const scene = await replicated()
    const { plans } = scene.store
    await plans.open(draft({ id: 'pl_2', ticketHash: 'another', digest: 'another' }))
    expect(await keptAnswer(scene, () => plans.cancel('pl_2'), 'cancel')).toMatchObject({ state: 'cancelled' })
    expect(await keptAnswer(scene, () => plans.claim('pl_1', 'me', MINUTE, scene.row), 'cancel')).toMatchObject({
      kind: 'claimed',
    })
  },
  longest,
)

test(
  'so it is where a role asks to hear of errors alone',
  async () => {
    const scene = await replicated({ options: '-c client_min_messages=error' })
    expect(await keptAnswer(scene, () => scene.store.plans.cancel('pl_1'), 'cancel')).toMatchObject({
      state: 'cancelled',
    })
  },
  longest,
)
