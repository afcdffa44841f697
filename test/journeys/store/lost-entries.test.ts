// A database that was set back (an old copy, a disk that lied) is noticed before an agent can change anything, and a
// person is told wherever they look. Through the real program, as an operator meets it.
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStore, type Store } from '../../../server/store/store.ts'
import { record } from '../../server/store/activity/rows.ts'
import { overHttp } from '../agent.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { atEnd, place } from '../at-end.ts'
import { gatewayFile, misbehavingServer } from '../gateway/reach.ts'
import { demoHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const work = async <R>(db: string, task: (store: Store) => Promise<R>): Promise<R> => {
  const opened = await openStore({ file: db })
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    return await task(opened.value)
  } finally {
    await opened.value.close()
  }
}

const stop = async (server: Awaited<ReturnType<typeof demoHere>>): Promise<void> => {
  await server.end()
}

/** Keeps the heads of the record beside the database, as a server does when it starts. */
const anchor = async (db: string): Promise<void> =>
  expect(await runCommand(['activity', 'anchor', `${db}.anchor`, '--db', db])).toMatchObject({ code: 0 })

const ready = async (base: URL) => {
  const response = await fetch(new URL('/readyz', base))
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

const order = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

test('a restored old copy is frozen until the newer one is back or a person accepts it by name', async () => {
  const db = join(place(), 'orders.db')
  const anchors = `${db}.anchor`
  await work(db, (store) => record(store))
  await stop(await demoHere(db))
  expect(existsSync(anchors)).toBe(true)
  copyFileSync(db, `${db}.newer`)
  copyFileSync(db, `${db}.older`)
  await work(db, async (store) => {
    for (let at = 0; at < 3; at++) await record(store)
  })
  await stop(await demoHere(db))
  expect((await runCommand(['activity', 'verify', '--db', db])).stdout).toMatch(/ok +tenant default: whole, 8 entries/)

  copyFileSync(db, `${db}.newer`)
  copyFileSync(`${db}.older`, db)
  for (const beside of ['-wal', '-shm']) rmSync(`${db}${beside}`, { force: true })
  const server = await demoHere(db)
  expect(server.stderr()).toContain('The database is older than its anchors')
  expect(server.stderr()).toContain('countersign activity accept')
  expect(await ready(server.mcp)).toMatchObject({ status: 503, body: { record: 'behind' } })
  const agent = await overHttp(server.mcp)
  const refused = await agent.call('orders_create', order)
  expect(refused.isError).toBe(true)
  expect(refused.text).toContain('lost entries of its record')
  const seen = await runCommand(['activity', 'verify', '--db', db])
  expect(seen.code).toBe(1)
  expect(seen.stdout).toContain('restore the newer copy')
  const doctor = await runCommand(['doctor', '--db', db])
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain('restore the newer copy')

  const lift = await runCommand(['unfreeze', '--db', db])
  expect(lift.code).toBe(1)
  expect(lift.stderr).toContain('older than its anchors')
  expect(lift.stderr).toContain('restore the newer copy')
  const token = readFileSync(`${db}.admin-token`, 'utf8').trim()
  const lifted = await fetch(new URL('/api/v1/unfreeze', server.mcp), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect({ status: lifted.status, said: await lifted.text() }).toMatchObject({
    status: 409,
    said: expect.stringContaining('restore the newer copy') as string,
  })
  expect((await agent.call('orders_create', order)).text).toContain('lost entries of its record')
  for (const command of [
    ['retain', '--rows', '1'],
    ['anchor', `${db}.anchor`],
  ]) {
    const refused = await runCommand(['activity', ...command, '--db', db])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('restore the newer copy') as string })
    expect(refused.stderr).toContain('Nothing was')
  }

  const accepted = await runCommand(['activity', 'accept', '--db', db, '--by', 'Ada', '--reason', 'The disk is gone.'])
  expect(accepted).toMatchObject({ code: 0 })
  expect(await ready(server.mcp)).toMatchObject({ status: 200 })
  expect((await agent.call('orders_create', order)).status).toBe('previewed')
  await agent.close()
  await stop(server)
  const whole = await runCommand(['activity', 'verify', '--db', db])
  expect(whole.stdout).not.toContain('BROKEN')
  expect(whole.code).toBe(0)
  const acts = await runCommand([
    'activity',
    'list',
    '--db',
    db,
    '--tool',
    'operator.accepted_older_record',
    '-o',
    'json',
  ])
  expect(acts.stdout).toContain('Ada')
  const again = await runCommand(['activity', 'accept', '--db', db, '--reason', 'Once more.'])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('nothing to accept')
})

test('where the newer copy comes back, nothing is frozen any more', async () => {
  const db = join(place(), 'orders.db')
  await work(db, (store) => record(store))
  copyFileSync(db, `${db}.older`)
  await work(db, (store) => record(store))
  await anchor(db)
  copyFileSync(db, `${db}.newer`)
  copyFileSync(`${db}.older`, db)
  const frozen = await demoHere(db)
  expect(frozen.stderr()).toContain('older than its anchors')
  await stop(frozen)
  copyFileSync(`${db}.newer`, db)
  const server = await demoHere(db)
  expect(server.stderr()).not.toContain('older than its anchors')
  expect(await ready(server.mcp)).toMatchObject({ status: 200 })
  await stop(server)
})

test('a restore as the guide has it: freeze, accept, unfreeze; accepting says that the freeze remains', async () => {
  const db = join(place(), 'orders.db')
  await work(db, (store) => record(store))
  copyFileSync(db, `${db}.backup`)
  await work(db, (store) => record(store))
  await anchor(db)
  copyFileSync(`${db}.backup`, db)
  for (const beside of ['-wal', '-shm']) rmSync(`${db}${beside}`, { force: true })
  expect((await runCommand(['freeze', '--db', db, '--by', 'Ada', '--reason', 'Restored from backup.'])).code).toBe(0)
  const early = await runCommand(['unfreeze', '--db', db])
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('countersign activity accept') as string })
  const accepted = await runCommand(['activity', 'accept', '--db', db, '--by', 'Ada', '--reason', 'The disk is gone.'])
  expect(accepted.code).toBe(0)
  expect(accepted.stdout).toContain('Still frozen by Ada, every tenant: Restored from backup.')
  expect(accepted.stdout).toContain('`countersign unfreeze`')
  expect(accepted.stdout).not.toContain('Agents may ask for changes again')
  expect((await runCommand(['unfreeze', '--db', db])).code).toBe(0)
  const server = await demoHere(db)
  expect(await ready(server.mcp)).toMatchObject({ status: 200 })
  await stop(server)
})

test('where the anchors cannot be read, nothing is changed until the file is in order or a person goes on without it', async () => {
  const db = join(place(), 'orders.db')
  await work(db, (store) => record(store))
  await anchor(db)
  appendFileSync(`${db}.anchor`, '{"damaged":true}\n')
  const server = await demoHere(db)
  expect(server.stderr()).toContain('The anchors of the database cannot be read')
  expect(await ready(server.mcp)).toMatchObject({ status: 503, body: { record: 'unreadable' } })
  const agent = await overHttp(server.mcp)
  expect((await agent.call('orders_create', order)).text).toContain('cannot be compared with its anchors')
  expect((await runCommand(['unfreeze', '--db', db])).stderr).toContain('countersign activity accept')
  const accepted = await runCommand(['activity', 'accept', '--db', db, '--by', 'Ada', '--reason', 'A bad disk.'])
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('orders.db.anchor.aside-') as string })
  expect(readFileSync(`${db}.anchor`, 'utf8')).toContain('"by":"Ada"')
  expect(await ready(server.mcp)).toMatchObject({ status: 200 })
  expect((await agent.call('orders_create', order)).status).toBe('previewed')
  await agent.close()
  await stop(server)
  expect((await runCommand(['activity', 'verify', '--db', db])).stdout).toMatch(/ok +tenant default: whole/)
})

test('an anchor file that is gone lifts no freeze, and a person can go on without it', async () => {
  const db = join(place(), 'orders.db')
  await work(db, (store) => record(store))
  await anchor(db)
  appendFileSync(`${db}.anchor`, '{"damaged":true}\n')
  const server = await demoHere(db)
  rmSync(`${db}.anchor`)
  const lift = await runCommand(['unfreeze', '--db', db])
  expect(lift).toMatchObject({ code: 1, stderr: expect.stringContaining('that file is gone or empty now') as string })
  expect(await ready(server.mcp)).toMatchObject({ status: 503, body: { record: 'unreadable' } })
  const accepted = await runCommand(['activity', 'accept', '--db', db, '--by', 'Ada', '--reason', 'A bad disk.'])
  expect(accepted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Agents may ask for changes again') as string,
  })
  expect(readFileSync(`${db}.anchor`, 'utf8')).toContain('"by":"Ada"')
  expect(await ready(server.mcp)).toMatchObject({ status: 200 })
  await stop(server)
})

test('doctor says what it finds and changes nothing: no freeze, no anchor, no pinned definition, no migration', async () => {
  const db = join(place(), 'orders.db')
  await work(db, (store) => record(store))
  copyFileSync(db, `${db}.older`)
  await work(db, (store) => record(store))
  await anchor(db)
  copyFileSync(`${db}.older`, db)
  for (const beside of ['-wal', '-shm']) rmSync(`${db}${beside}`, { force: true })
  const files = (): readonly string[] => [db, `${db}.anchor`].map((file) => readFileSync(file, 'base64'))
  const before = files()
  const config = gatewayFile({ rude: misbehavingServer('polite', '') }, { db })
  const found = await runCommand(['doctor', '--config', config])
  expect(found.code).toBe(1)
  expect(found.stdout).toContain('older than its anchors')
  expect(found.stdout).toMatch(/\d+ tools of 1 server\n/)
  expect(files()).toEqual(before)
  await work(db, async (store) => {
    expect(await store.switches.list()).toEqual([])
    expect(await store.pins.all()).toEqual([])
  })

  const older = new DatabaseSync(db)
  const [newest] = older.prepare('select max(name) as name from countersign_migration').all()
  older.prepare('delete from countersign_migration where name = ?').run(String(newest?.['name']))
  older.close()
  const unmigrated = files()
  const said = await runCommand(['doctor', '--config', config])
  expect(said.stdout).toContain(`is of an older version; the first start migrates it (${String(newest?.['name'])})`)
  expect(files()).toEqual(unmigrated)

  const fresh = join(place(), 'fresh.db')
  await work(fresh, (store) => record(store))
  const beside = readdirSync(dirname(fresh))
  const looked = await runCommand(['doctor', '--db', fresh])
  expect(looked.stdout).toContain(`not anchored yet; a server does so in ${fresh}.anchor`)
  expect(looked.stdout.match(/^ {2}database /gm)).toHaveLength(1)
  expect(readdirSync(dirname(fresh))).toEqual(beside)

  const none = join(place(), 'none.db')
  expect((await runCommand(['doctor', '--db', none])).code).toBe(0)
  expect(existsSync(none)).toBe(false)
})

test('doctor looks into PostgreSQL the same way', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const env = { COUNTERSIGN_SECRET: testSecret }
  const empty = await runCommand(['doctor', '--db', database.url], { env })
  expect(empty.stdout).toContain('the first start migrates it')
  const opened = await openStore({ file: database.url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  await record(opened.value)
  await opened.value.close()
  const well = await runCommand(['doctor', '--db', database.url], { env })
  expect(well).toMatchObject({ code: 0, stdout: expect.stringContaining('opens, and its key fits') as string })
  const other = await runCommand(['doctor', '--db', database.url], { env: { COUNTERSIGN_SECRET: `${testSecret}!` } })
  expect(other.code).toBe(1)
})
