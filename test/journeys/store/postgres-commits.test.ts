// Many servers are tuned with `synchronous_commit=off`: what they have answered, a crash takes back. Whatever rests on a
// commit of ours must not be among it, so each of them asks for the disk itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { openStore } from '../../../server/store/store.ts'
import { runsOf } from '../../full.ts'
import { testSecret } from '../../postgres.ts'
import { createDatabase, startPostgres, type PostgresServer } from '../../postgres-server.ts'
import { scene, several, type Scene } from './postgres-scene.ts'

let server: PostgresServer

beforeAll(async () => {
  // The longest that a commit may then wait for somebody to write it down: what was not asked for is surely lost.
  server = await startPostgres({ durable: true, settings: { synchronous_commit: 'off', wal_writer_delay: '10s' } })
})
afterAll(() => server.stop())

/** Asks, as an administrator, as soon as the server answers. */
const ask = async <Row extends object>(statement: string): Promise<readonly Row[]> => {
  const client = new Client({ connectionString: server.url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(statement)).rows
  } catch {
    await sleep(50)
    return ask(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** `kill -9` of the process that writes the log of the server; PostgreSQL then ends all others and recovers. */
const kill = async (): Promise<void> => {
  const [writer] = await ask<{ pid: number }>(`select pid from pg_stat_activity where backend_type = 'walwriter'`)
  if (writer === undefined) throw new Error('PostgreSQL has no process of this name.')
  process.kill(writer.pid, 'SIGKILL')
  await sleep(200)
  await ask('select 1')
}

/** Applies while the server is killed, then applies everything again; answers how often each plan ran. */
const killedMeanwhile = async (stage: Scene, plans: number): Promise<readonly number[]> => {
  const previews = await several(stage, plans)
  await ask('checkpoint')
  const applying = Promise.all(
    previews.map(async (preview, at): Promise<Answer> => {
      await sleep(at * 4)
      return stage.apply(preview)
    }),
  )
  await sleep(plans * 3)
  await kill()
  await applying
  await Promise.all(previews.map((preview) => stage.apply(preview)))
  return previews.map(({ planId }) => stage.book.filter(({ key }) => key === planId).length)
}

test('killed in the middle of applies, again and again, it lets no plan run twice', { timeout: 180_000 }, async () => {
  const stage = await scene(server, {}, 5)
  const runs: number[] = []
  for (let round = 0; round < runsOf(5); round++) runs.push(...(await killedMeanwhile(stage, 60)))
  expect(runs.filter((times) => times > 1)).toStrictEqual([])
  expect((await stage.store.activity.verify()).flatMap(({ problem }) => problem ?? [])).toStrictEqual([])
})

test.each([
  ['off', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
])('a role whose commits are %s writes with %s, in a transaction and without one', async (given, taken) => {
  const database = await createDatabase(server.url)
  const address = new URL(database.url)
  address.searchParams.set('options', `-c synchronous_commit=${given}`)
  const opened = await openStore({ file: address.href, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(async () => {
    await opened.value.close()
    await database.drop()
  })
  const db = opened.value.db.$extendTables<{ levels: { level: string } }>()
  await db.schema.createTable('levels').addColumn('level', 'text').execute()
  const level = sql<string>`current_setting('synchronous_commit')`
  const insert = db.insertInto('levels').values({ level }).returning('level')
  expect(await insert.execute()).toStrictEqual([{ level: taken }])
  expect(await db.transaction().execute((trx) => trx.executeQuery(insert.compile()))).toMatchObject({
    rows: [{ level: taken }],
  })
  // It is asked for in each transaction; the connection itself stays as it was.
  expect(await db.selectNoFrom(level.as('level')).execute()).toStrictEqual([{ level: given }])
})

test('a server that keeps nothing through a power cut (fsync=off) is refused, with what to do', async () => {
  await ask(`alter system set fsync = off`)
  await ask(`select pg_reload_conf()`)
  onTestFinished(async () => {
    await ask(`alter system reset fsync`)
    await ask(`select pg_reload_conf()`)
  })
  const database = await createDatabase(server.url)
  onTestFinished(() => database.drop())
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (opened.ok) await opened.value.close()
  expect(opened).toMatchObject({
    ok: false,
    failure: {
      kind: 'commits-not-kept',
      message: expect.stringContaining('fsync=off') as string,
      next: expect.stringContaining('fsync = on') as string,
    },
  })
})
