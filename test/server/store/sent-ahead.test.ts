// On PostgreSQL the lock of the log, a claim's event and the name of its plan are sent without waiting for their answers. What
// fails of them must fail the step all the same, and nothing of it may stay.
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { turnOfLog } from '../../../server/store/activity/write/append.ts'
import { turnNumber } from '../../../server/store/dialect-locks.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { MINUTE } from '../../kit/clock.ts'
import { longest } from '../../longest.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { entry } from './activity/rows.ts'
import { draft } from './store-fixture.ts'

const lock = `select pg_advisory_xact_lock(${turnNumber(turnOfLog)})`

/** A store, and a client of the same database. `options`: of the store's connections. */
async function fresh(options?: string): Promise<{ readonly store: Store; readonly client: Client }> {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const address = new URL(database.url)
  const client = new Client({ connectionString: address.href })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  if (options !== undefined) address.searchParams.set('options', options)
  const opened = await openStore({ file: address.href, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  return { store: opened.value, client }
}

const stateOf = async (store: Store, id = 'pl_1') => (await store.plans.find({ by: 'id', id }))?.state
const events = async (client: Client) =>
  (await client.query('select count(*)::int as events from countersign_activity_events')).rows[0] as unknown
const problems = async (store: Store) => (await store.activity.verify()).flatMap(({ problem }) => problem ?? [])

/** The connection that waits for a lock, once there is one. */
async function waitingFor(client: Client): Promise<number> {
  const waiting = async () =>
    (
      await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows
  await expect.poll(waiting, { timeout: longest }).toHaveLength(1)
  return (await waiting())[0]?.pid ?? 0
}

test(
  'an event that cannot be written fails its claim, and the plan is open',
  async () => {
    const { store, client } = await fresh()
    const row = await store.activityLog.begin(entry())
    await store.plans.open(draft())
    await client.query(
      `insert into countersign_activity_events (tenant, seq, call_id, at, pseudonym, name, digest, link) values ('default', 2, $1, 1, 'x', 'x', 'x', 'x')`,
      [row],
    )
    await expect(store.plans.claim('pl_1', 'me', MINUTE, row)).rejects.toMatchObject({ code: '23505' })
    expect(await stateOf(store)).toBe('open')
    expect((await client.query('select plan_id from countersign_activity')).rows).toEqual([{ plan_id: null }])
    await client.query('delete from countersign_activity_events where seq = 2')
    expect(await store.plans.claim('pl_1', 'me', MINUTE, row)).toMatchObject({ kind: 'claimed' })
    expect(await problems(store)).toEqual([])
  },
  longest,
)

test(
  'of claims and endings that share a transaction each hears its own answer',
  async () => {
    const { store } = await fresh()
    const ids = ['pl_open', 'pl_cancelled', 'pl_taken', 'pl_gone', 'pl_late', 'pl_other']
    for (const id of ids.filter((each) => each !== 'pl_gone')) await store.plans.open(draft({ id, digest: id }))
    await store.plans.cancel('pl_cancelled')
    await store.plans.claim('pl_taken', 'other', MINUTE)
    const claims = await Promise.all(ids.map((id) => store.plans.claim(id, 'me', MINUTE)))
    const [claimed, taken] = ['claimed', 'taken']
    expect(claims.map(({ kind }) => kind)).toEqual([claimed, taken, taken, 'gone', claimed, claimed])
    expect(claims.map((claim) => ('plan' in claim ? claim.plan.id : undefined))).toEqual(
      ids.map((id) => (id === 'pl_gone' ? undefined : id)),
    )
    const ended = await Promise.all(ids.map((id) => store.plans.finish(id, 'me', { kind: 'applied', result: id })))
    expect(ended).toEqual([true, false, false, false, true, true])
    const states = await Promise.all(ids.map((id) => stateOf(store, id)))
    expect(states).toEqual(['applied', 'cancelled', 'applying', undefined, 'applied', 'applied'])
  },
  longest,
)

test(
  'of claims that share a transaction, one that cannot be written costs no other its place',
  async () => {
    const { store, client } = await fresh()
    const ids = Array.from({ length: 6 }, (_, at) => `pl_${at}`)
    const rows: string[] = []
    for (const id of ids) {
      await store.plans.open(draft({ id, digest: id }))
      rows.push(await store.activityLog.begin(entry()))
    }
    rows[3] = 'ac_none'
    const answers = await Promise.allSettled(ids.map((id, at) => store.plans.claim(id, 'me', MINUTE, rows[at])))
    expect(answers.map(({ status }) => status)).toEqual(ids.map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')))
    for (const [at, id] of ids.entries()) expect(await stateOf(store, id)).toBe(at === 3 ? 'open' : 'applying')
    expect(await events(client)).toEqual({ events: 5 })
    expect(await problems(store)).toEqual([])
  },
  longest,
)

test(
  'a connection that breaks while it waits for the lock costs nothing: the claim is taken again',
  async () => {
    const { store, client } = await fresh()
    const row = await store.activityLog.begin(entry())
    await store.plans.open(draft())
    await client.query('begin')
    await client.query(lock)
    const claiming = store.plans.claim('pl_1', 'me', MINUTE, row)
    await client.query('select pg_terminate_backend($1)', [await waitingFor(client)])
    await client.query('commit')
    expect(await claiming).toMatchObject({ kind: 'claimed' })
    expect(await events(client)).toEqual({ events: 1 })
    expect(await problems(store)).toEqual([])
  },
  longest,
)

test(
  'so is one that the database ends for a deadlock, or the other',
  async () => {
    const { store, client } = await fresh()
    const row = await store.activityLog.begin(entry())
    await store.plans.open(draft())
    await client.query(`set deadlock_timeout = '20s'`)
    await client.query('begin')
    await client.query(lock)
    const claiming = store.plans.claim('pl_1', 'me', MINUTE, row)
    await waitingFor(client)
    await client.query(`select 1 from countersign_plans where id = 'pl_1' for update`)
    await client.query('commit')
    expect(await claiming).toMatchObject({ kind: 'claimed' })
    expect(await events(client)).toEqual({ events: 1 })
  },
  longest,
)

test(
  'a lock that does not come in the time that the role has is told as that, and nothing is claimed or written',
  async () => {
    const { store, client } = await fresh('-c lock_timeout=300')
    const row = await store.activityLog.begin(entry())
    await store.plans.open(draft())
    await client.query('begin')
    await client.query(lock)
    await expect(store.plans.claim('pl_1', 'me', MINUTE, row)).rejects.toMatchObject({ code: '55P03' })
    await expect(store.activityLog.begin(entry())).rejects.toMatchObject({ code: '55P03' })
    await client.query('commit')
    expect(await stateOf(store)).toBe('open')
    expect(await store.plans.claim('pl_1', 'me', MINUTE, row)).toMatchObject({ kind: 'claimed' })
  },
  longest,
)
