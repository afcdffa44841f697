import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everything, locate, present } from '../../postgres.ts'
import { HOUR, MINUTE } from '../../kit/clock.ts'
import { draft, opened, place, startJob } from './store-fixture.ts'

const says = (value: unknown): string => JSON.stringify(value)

test('two processes that claim the same hundred plans get each of them once', async () => {
  const file = join(place(), 'plans.db')
  const { plans } = await opened({ file })
  const ids = Array.from({ length: 100 }, (_, at) => `pl_${at}`)
  await Promise.all(ids.map((id) => plans.open(draft({ id, digest: id }))))
  const jobs = [await startJob(file), await startJob(file)]
  for (const job of jobs) {
    job.say('open')
    expect([await job.line(), await job.line()]).toStrictEqual([says('ready'), says('opened')])
  }
  for (const job of jobs) job.say(`claim ${ids.join(',')}`)
  const won = await Promise.all(jobs.map(async (job) => JSON.parse(await job.line()) as string[]))
  expect(won.flat().sort()).toStrictEqual(ids.toSorted())
})

test('processes that start at once on a new file agree on schema and key', async () => {
  const file = join(place(), 'plans.db')
  await locate(file, 'new')
  const jobs = await Promise.all(Array.from({ length: 4 }, () => startJob(file)))
  for (const job of jobs) await job.line()
  for (const job of jobs) job.say('open')
  expect(await Promise.all(jobs.map((job) => job.line()))).toStrictEqual(jobs.map(() => says('opened')))
  const { plans } = await opened({ file })
  await plans.open(draft())
  for (const job of jobs) job.say('claim pl_1')
  const won = await Promise.all(jobs.map(async (job) => JSON.parse(await job.line()) as string[]))
  expect(won.flat()).toStrictEqual(['pl_1'])
  const keys = present === 'sqlite' ? ['plans.db.key'] : []
  expect(readdirSync(join(file, '..')).filter((name) => name.includes('.key'))).toStrictEqual(keys)
})

test('stores of one process that start at once on a new file agree too, and share its plans', async () => {
  const file = join(place(), 'plans.db')
  const stores = await Promise.all(Array.from({ length: 5 }, () => opened({ file })))
  await Promise.all(stores.map((store, at) => store.plans.open(draft({ id: `pl_${at}` }))))
  const states = await Promise.all(
    stores.map(async (store, at) => (await store.plans.find({ by: 'id', id: `pl_${(at + 1) % 5}` }))?.state),
  )
  expect(states.filter((state) => state === 'open')).toHaveLength(1)
  expect(states.filter((state) => state === 'superseded')).toHaveLength(4)
})

test('waits for a transaction of another connection without holding up its own process', async () => {
  const file = join(place(), 'plans.db')
  const [slow, other] = [await opened({ file }), await opened({ file })]
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const transaction = slow.db.transaction().execute(() => held)
  const open = other.plans.open(draft())
  // Had the wait blocked the thread, this would never run.
  setImmediate(release)
  await transaction
  expect((await open).plan.state).toBe('open')
})

test('a process that is killed while it runs a plan leaves it unknown, and nobody runs it again', async () => {
  const file = join(place(), 'plans.db')
  const before = await opened({ file })
  await before.plans.open(draft({ ttlMs: HOUR }))
  await before.close()
  const job = await startJob(file)
  job.say('open')
  job.say('claim pl_1')
  expect([await job.line(), await job.line(), await job.line()]).toStrictEqual([
    says('ready'),
    says('opened'),
    says(['pl_1']),
  ])
  await job.kill('SIGKILL')
  const soon = await opened({ file })
  expect((await soon.plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('applying')
  const later = await opened({ file, now: () => Date.now() + 2 * MINUTE })
  expect(await later.plans.claim('pl_1', 'me', MINUTE)).toMatchObject({
    kind: 'taken',
    plan: { state: 'unknown', ending: { kind: 'unknown', failure: { code: 'owner_lost' } } },
  })
  expect(await later.plans.settle('pl_1', { kind: 'applied', result: '{}' })).toBe(true)
  expect((await soon.plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('applied')
})

test('nothing that was sealed can be read from the files', async () => {
  const directory = place()
  const { plans } = await opened({ file: join(directory, 'plans.db') })
  const canary = 'canary-7f3a91'
  const sealed = { args: `"${canary}"`, rationale: canary, shown: `["${canary}"]` }
  const result = JSON.stringify({ canary })
  await plans.open(draft({ ...sealed, digest: 'a' }))
  await plans.claim('pl_1', 'me', HOUR)
  await plans.finish('pl_1', 'me', { kind: 'applied', result })
  await plans.open(draft({ ...sealed, id: 'pl_2', digest: 'b' }))
  await plans.claim('pl_2', 'me', HOUR)
  await plans.finish('pl_2', 'me', { kind: 'failed', failure: { code: 'x', message: canary } })
  const files = readdirSync(directory)
  if (present === 'sqlite')
    expect(files.sort()).toStrictEqual(['plans.db', 'plans.db-shm', 'plans.db-wal', 'plans.db.key'])
  for (const name of files)
    if (process.platform !== 'win32') expect(statSync(join(directory, name)).mode & 0o077).toBe(0)
  expect(await everything(join(directory, 'plans.db'))).not.toContain(canary)
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({ ...sealed, ending: { kind: 'applied', result } })
})

test('does not open what was sealed for another plan', async () => {
  const { plans, db } = await opened({ file: ':memory:' })
  await plans.open(draft({ digest: 'a', args: '{"amount":1}' }))
  await plans.open(draft({ id: 'pl_2', digest: 'b', args: '{"amount":1000}' }))
  // What somebody could do who may write the file but does not have the key.
  type Forged = { readonly countersign_plans: { readonly id: string; readonly content: Uint8Array } }
  const forger = db.$extendTables<Forged>()
  const { content } = await forger
    .selectFrom('countersign_plans')
    .select('content')
    .where('id', '=', 'pl_2')
    .executeTakeFirstOrThrow()
  await forger.updateTable('countersign_plans').set({ content }).where('id', '=', 'pl_1').execute()
  await expect(plans.find({ by: 'id', id: 'pl_1' })).rejects.toThrow('The sealed content of pl_1 does not open')
  expect((await plans.find({ by: 'id', id: 'pl_2' }))?.args).toBe('{"amount":1000}')
})
