// What only PostgreSQL can refuse, each in words for the person who typed the address; and the promises that rest on its
// clock, its users and its second writer.
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { StoreAway } from '../../../server/store/postgres/loss.ts'
import { createPool } from '../../../server/store/postgres/pool.ts'
import { openStore } from '../../../server/store/store.ts'
import type { Store, StoreFailure } from '../../../server/store/store.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { asAdministrator } from '../../postgres-server.ts'
import { entry, record } from './activity/rows.ts'
import { MINUTE } from '../../kit/clock.ts'
import { draft } from './store-fixture.ts'
import { longest } from '../../longest.ts'
import { listening } from '../../kit/listening.ts'

const patience = { timeout: longest }

const fresh = async (): Promise<URL> => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  return new URL(database.url)
}

const open = async (address: URL): Promise<Store> => {
  const opened = await openStore({ file: address.href, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}

const refusal = async (file: string): Promise<StoreFailure> => {
  const opened = await openStore({ file, secret: testSecret })
  if (!opened.ok) return opened.failure
  await opened.value.close()
  throw new Error('The store opened.')
}

test('needs a secret before it asks anybody, and says how to make one', async () => {
  const failure = await openStore({ file: 'postgres://ada:pass@nowhere.example/db' })
  expect(failure).toMatchObject({
    failure: {
      kind: 'secret-missing',
      file: 'postgres://ada@nowhere.example/db',
      next: expect.stringContaining('openssl') as string,
    },
  })
  expect(JSON.stringify(failure)).not.toContain('pass@')
})

test.each([
  ['postgres://ada:p@ss:word@host:port/db'],
  ['postgres://ada:pass@host:99999/db'],
  ['postgresql://[/db?password=pass'],
])('an address that cannot be read (%s) is not repeated', async (address) => {
  const failure = await refusal(address)
  expect(failure).toMatchObject({
    kind: 'cannot-open',
    next: expect.stringContaining('postgres://user:password@') as string,
  })
  for (const text of Object.values(failure)) expect(text).not.toMatch(/p@ss|pass@|=pass/)
})

test('a database that is not kept in UTF-8 is refused with the command that makes one', patience, async () => {
  const { href, pathname } = await fresh()
  const latin = new URL(href)
  latin.pathname = `${pathname}_latin`
  const name = latin.pathname.slice(1)
  await asAdministrator(
    href,
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  )
  onTestFinished(() => asAdministrator(href, `drop database ${name}`))
  expect(await refusal(latin.href)).toMatchObject({
    kind: 'cannot-open',
    message: expect.stringContaining('LATIN1') as string,
    next: expect.stringContaining('--encoding=UTF8') as string,
  })
})

test('a user who may not create tables is told what is missing', patience, async () => {
  const { href, pathname } = await fresh()
  const address = new URL(href)
  address.username = `reader_${pathname.slice(-6)}`
  address.password = 'of-a-reader'
  await asAdministrator(href, `create user ${address.username} password 'of-a-reader'`)
  onTestFinished(() => asAdministrator(href, `drop user ${address.username}`))
  const failure = await refusal(address.href)
  expect(failure).toMatchObject({ kind: 'not-permitted', next: expect.stringContaining('owner') as string })
  expect(JSON.stringify(failure)).not.toContain('of-a-reader')
})

test('a database that a newer version wrote is refused', patience, async () => {
  const address = await fresh()
  await (await open(address)).close()
  await asAdministrator(address.href, `insert into countersign_migration values ('9999-later', '2030-01-01')`)
  expect(await refusal(address.href)).toMatchObject({
    kind: 'newer-schema',
    message: expect.stringContaining('9999-later') as string,
  })
})

test('a server that is too old is refused by its version', async () => {
  // As much of PostgreSQL 9.6 as it takes to be asked for its version (protocol 3.0, messages R, S, Z, T, D, C).
  const message = (kind: string, ...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(5)
    head.write(kind)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
  const int32 = (value: number): Buffer =>
    Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
  const columns = {
    version: ['9.6.24', 25],
    number: ['90624', 23],
    encoding: ['UTF8', 25],
    standby: ['f', 16],
  } as const
  const answer = Buffer.concat([
    message('1'),
    message('2'),
    message(
      'T',
      int16(4),
      ...Object.entries(columns).map(([name, [, type]]) =>
        Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
      ),
    ),
    message(
      'D',
      int16(4),
      ...Object.values(columns).map(([text]) => Buffer.concat([int32(text.length), Buffer.from(text)])),
    ),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ])
  const old = createServer((socket) => {
    let greeted = false
    socket.on('error', () => undefined)
    socket.on('data', () => {
      socket.write(greeted ? answer : Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]))
      greeted = true
    })
  })
  const origin = await listening(old)
  onTestFinished(() => void old.close())
  expect(await refusal(origin.replace('http://', 'postgres://ada@') + '/db')).toMatchObject({
    kind: 'server-too-old',
    message: expect.stringContaining('9.6.24') as string,
    next: expect.stringContaining('Upgrade') as string,
  })
})

test('the time is the database’s, whatever this machine’s clock is told', patience, async () => {
  const store = await open(await fresh())
  const before = store.now()
  expect(Math.abs(before - Date.now())).toBeLessThan(5000)
  const real = Date.now
  onTestFinished(() => void (Date.now = real))
  Date.now = () => real() + 3_600_000
  const { plan } = await store.plans.open(draft({ ttlMs: 15 * MINUTE }))
  expect(plan.expiresAt - before).toBeLessThan(16 * MINUTE)
  expect((await store.plans.find({ by: 'id', id: plan.id }))?.state).toBe('open')
})

test('previews of one call that come at once leave one plan open', patience, async () => {
  const address = await fresh()
  const stores = await Promise.all([open(address), open(address)])
  const ids = Array.from({ length: 30 }, (_, at) => `pl_${at}`)
  await Promise.all(ids.map((id, at) => (stores[at % 2] ?? stores[0]).plans.open(draft({ id }))))
  const states = await Promise.all(ids.map(async (id) => (await stores[0].plans.find({ by: 'id', id }))?.state))
  expect(states.filter((state) => state === 'open')).toHaveLength(1)
  expect(states.filter((state) => state === 'superseded')).toHaveLength(29)
})

test(
  'a freeze revokes every plan that was opened before it, also one that is just being opened',
  patience,
  async () => {
    const address = await fresh()
    const [one, two] = await Promise.all([open(address), open(address)])
    // As the gate does: first the plan, then the question whether all is stopped.
    const opening = Array.from({ length: 40 }, async (_, at) => {
      const { plan } = await one.plans.open(draft({ id: `pl_${at}`, digest: `call ${at}` }))
      return { plan, stopped: (await one.switches.frozen('default')) !== undefined }
    })
    const frozen = two.switches.freeze({ tenant: undefined, reason: 'Stocktaking.', by: 'Eve' })
    const [opened] = await Promise.all([Promise.all(opening), frozen])
    for (const { plan, stopped } of opened) {
      const found = await one.plans.find({ by: 'id', id: plan.id })
      // What is open came after the freeze, and whoever asked then heard of it.
      if (found?.state === 'open') expect(stopped).toBe(true)
      else expect(found?.state).toBe('cancelled')
    }
  },
)

/** A freeze that falls, by somebody else, while `step` waits for its lock. */
const whileFreezing = async <T>(address: URL, step: () => Promise<T>): Promise<T> => {
  const freezing = new Client({ connectionString: address.href })
  await freezing.connect()
  onTestFinished(() => freezing.end())
  await freezing.query('begin')
  await freezing.query('lock table countersign_plans in exclusive mode')
  await freezing.query("insert into countersign_freezes (id, reason, by, at) values ('f1', 'Stocktaking.', 'Eve', 1)")
  const waiting = step()
  await waitsForLock(freezing)
  await freezing.query('commit')
  return await waiting
}

test('a claim that waits for a freeze claims nothing once that has fallen', patience, async () => {
  const address = await fresh()
  const store = await open(address)
  const { plan } = await store.plans.open(draft({ id: 'pl_1' }))
  // One that has not revoked it.
  const claimed = await whileFreezing(address, () => store.plans.claim(plan.id, 'me', MINUTE))
  expect(claimed).toMatchObject({ kind: 'taken', plan: { state: 'cancelled', changedAt: 1 } })
})

test('a plan that is opened while a freeze falls is revoked with the others', patience, async () => {
  const address = await fresh()
  const store = await open(address)
  const { plan } = await whileFreezing(address, () => store.plans.open(draft({ id: 'pl_1' })))
  expect(plan).toMatchObject({ state: 'cancelled', changedAt: 1 })
  expect(await store.plans.find({ by: 'id', id: 'pl_1' })).toStrictEqual(plan)
})

/** Until some statement of this database waits for a lock. */
const waitsForLock = async (client: Client): Promise<void> => {
  const waiting = 'select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1'
  while ((await client.query(waiting, ['Lock'])).rowCount === 0) await setTimeout(5)
}

test('a watcher of all tenants misses no row, though two processes write for several at once', patience, async () => {
  const address = await fresh()
  const [one, two, watcher] = await Promise.all([open(address), open(address), open(address)])
  const seen = new Set<string>()
  const over = new AbortController()
  const watching = (async () => {
    for (let [change, last] = [0, false]; ;) {
      // Once more after the last one was written, and that must be all.
      last = over.signal.aborted
      const news = await watcher.activity.changesSince({ change, limit: 1000 })
      for (const { id, status } of news.calls) if (status === 'ok') seen.add(id)
      change = news.change
      if (last) return
    }
  })()
  const ids = await Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      record(at % 2 === 0 ? one : two, { principal: { tenant: `tenant ${at % 4}`, subject: 'ada' } }),
    ),
  )
  over.abort()
  await watching
  expect(ids.filter((id) => !seen.has(id))).toStrictEqual([])
  const reports = await watcher.activity.verify()
  expect(reports.map(({ entries, problem }) => [entries, problem])).toStrictEqual(
    Array.from({ length: 4 }, () => [40, undefined]),
  )
})

test('texts that PostgreSQL cannot keep are kept as it can, and prove themselves', patience, async () => {
  const store = await open(await fresh())
  const id = await store.activityLog.begin(
    entry({ rationale: 'a\0b\ud800', args: '"\0"', principal: { tenant: 'a\0', subject: '\udfff' } }),
  )
  expect(await store.activity.find(id)).toMatchObject({ rationale: 'a\ufffdb\ufffd', tenant: 'a\ufffd' })
  expect((await store.activity.verify()).flatMap(({ problem }) => problem ?? [])).toStrictEqual([])
  const { plan } = await store.plans.open(draft({ basis: 'version \0 one' }))
  expect((await store.plans.find({ by: 'id', id: plan.id }))?.basis).toBe('version \ufffd one')
})

test('who waits behind others that get their connection is not told that the server is away', patience, async () => {
  const pool = createPool({ address: (await fresh()).href, connections: 1, patienceMs: 3000 })
  onTestFinished(() => pool.end())
  const statement = async (): Promise<string> => {
    const connection = await pool.connect()
    try {
      await connection.query('select pg_sleep(1)', [])
      return 'done'
    } finally {
      connection.release()
    }
  }
  expect(await Promise.all(Array.from({ length: 5 }, statement))).toStrictEqual(Array(5).fill('done'))
})

test('who waits while nobody gets a connection is told so', patience, async () => {
  const pool = createPool({ address: (await fresh()).href, connections: 1, patienceMs: 3000 })
  onTestFinished(() => pool.end())
  const held = await pool.connect()
  await expect(pool.connect()).rejects.toThrow(StoreAway)
  held.release()
})
