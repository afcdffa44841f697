// Short reads at the same time share a connection of PostgreSQL. What happens to it must cost nobody an answer, and whoever
// comes later is no worse off.
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type Store } from '../../../server/store/store.ts'
import { longest } from '../../longest.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { draft } from './store-fixture.ts'

async function fresh(): Promise<{ readonly store: Store; readonly client: Client }> {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const client = new Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  return { store: opened.value, client }
}

const find = async (store: Store, at: number) => (await store.plans.find({ by: 'id', id: `pl_${at}` }))?.id

test(
  'a hundred that ask at once each hear of their own plan, over fewer connections than a pool has',
  async () => {
    const { store, client } = await fresh()
    for (let at = 0; at < 5; at++) await store.plans.open(draft({ id: `pl_${at}`, digest: `${at}` }))
    const numbers = Array.from({ length: 100 }, (_, at) => at % 7)
    const found = await Promise.all(numbers.map((at) => find(store, at)))
    expect(found).toEqual(numbers.map((at) => (at < 5 ? `pl_${at}` : undefined)))
    const { rows } = await client.query<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity where datname = current_database() and application_name = 'countersign'`,
    )
    expect(rows[0]?.connections).toBeLessThanOrEqual(3)
  },
  longest,
)

test(
  'whoever asks while the shared connection is ended is answered over another one',
  async () => {
    const { store, client } = await fresh()
    await store.plans.open(draft({ id: 'pl_0' }))
    const stop = new AbortController()
    const ask = async (): Promise<void> => {
      while (!stop.signal.aborted) expect(await find(store, 0)).toBe('pl_0')
    }
    const asking = Array.from({ length: 20 }, ask)
    for (let ended = 0; ended < 5; ended++) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'countersign'`,
      )
      expect(await find(store, 0)).toBe('pl_0')
    }
    stop.abort()
    await Promise.all(asking)
  },
  longest,
)

test(
  'one that fails costs the others nothing',
  async () => {
    const { store, client } = await fresh()
    await store.plans.open(draft({ id: 'pl_0' }))
    await store.plans.open(draft({ id: 'pl_1', digest: 'other' }))
    // What cannot be opened is the answer of this one alone.
    await client.query(`update countersign_plans set state = 'nonsense' where id = 'pl_1'`)
    const [one, other, third] = await Promise.allSettled([find(store, 0), find(store, 1), find(store, 0)])
    expect([one.status, other.status, third.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  },
  longest,
)
