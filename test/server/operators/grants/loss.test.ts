// PostgreSQL may take a transaction back, or lose its connection, while a use is being taken. It is tried again, and one
// plan takes one use however often.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../eventually.ts'
import type { Grant } from '../../../../server/model/grants.ts'
import { newGrantId } from '../../../../server/confirm/secret.ts'
import { openStore, type Store } from '../../../../server/store/store.ts'
import { testDatabase, testSecret } from '../../../postgres.ts'
import { draft } from '../../store/store-fixture.ts'
import { longest } from '../../../longest.ts'

const patience = { timeout: longest }

/** A store with one permission and one open plan of the call, and a session beside it that may hold both. */
const scene = async (): Promise<{ store: Store; grant: Grant; beside: Client; take: () => Promise<unknown> }> => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  onTestFinished(() => store.close())
  const beside = new Client({ connectionString: database.url })
  await beside.connect()
  onTestFinished(() => beside.end())
  const principal = { tenant: 'default', subject: 'ada' }
  await store.plans.open(draft({ id: 'pl_card', digest: 'the call', principal }))
  const grant = await store.grants.create({
    id: newGrantId(randomBytes),
    tenant: 'default',
    subject: 'ada',
    tool: 'notes_write',
    definition: 'd1',
    risk: 'high',
    condition: 'true',
    note: undefined,
    times: 3,
    per: 'total',
    until: store.now() + 3_600_000,
    createdBy: 'grace',
    giver: undefined,
    approvalId: undefined,
  })
  const claim = { planId: 'pl_1', principal, tool: 'notes_write', definition: 'd1', insteadOf: 'the call' }
  return { store, grant, beside, take: () => store.grants.take(grant.id, claim) }
}

/** The sessions that wait for a lock of this database, once there is one. */
const waiters = (beside: Client): Promise<readonly number[]> =>
  eventually(async () => {
    const { rows } = await beside.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    return rows.map(({ pid }) => pid)
  })

const outcome = async ({ store, grant }: Awaited<ReturnType<typeof scene>>) => ({
  used: (await store.grants.find(grant.id))?.used,
  card: (await store.plans.find({ by: 'id', id: 'pl_card' }))?.state,
})

test('a use that PostgreSQL took back to end a deadlock is taken again, once', patience, async () => {
  const stage = await scene()
  const { beside } = stage
  // The other one waits longer before it looks for a circle, so it is never the one that is given up.
  await beside.query(`set deadlock_timeout = '60s'`)
  await beside.query('begin')
  await beside.query(`select id from countersign_plans where id = 'pl_card' for update`)
  const taking = stage.take()
  await waiters(beside)
  await beside.query('update countersign_grants set touched_at = touched_at')
  await beside.query('commit')
  expect(await taking).toStrictEqual({ kind: 'taken', left: 2 })
  expect(await outcome(stage)).toStrictEqual({ used: 1, card: 'superseded' })
})

test('a use whose connection is lost is taken again, once, and so is one that is given back', patience, async () => {
  const stage = await scene()
  const { store, beside } = stage
  const cutOffWhile = async (lock: string, step: () => Promise<unknown>): Promise<unknown> => {
    await beside.query('begin')
    await beside.query(lock)
    const stepping = step()
    for (const pid of await waiters(beside)) await beside.query('select pg_terminate_backend($1)', [pid])
    await beside.query('commit')
    return stepping
  }
  const card = `select id from countersign_plans where id = 'pl_card' for update`
  expect(await cutOffWhile(card, stage.take)).toStrictEqual({ kind: 'taken', left: 2 })
  expect(await outcome(stage)).toStrictEqual({ used: 1, card: 'superseded' })
  const use = 'select plan_id from countersign_grant_uses for update'
  expect(await cutOffWhile(use, () => store.grants.giveBack('pl_1'))).toBe(true)
  expect(await outcome(stage)).toMatchObject({ used: 0 })
})
