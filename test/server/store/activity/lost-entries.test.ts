// A database that is set back under several processes: one that has seen it stops all, nobody removes what shows it, and
// one person's acceptance ends it for all tenants and all processes.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  appendAnchors,
  keepActivity,
  readAnchorsSoFar,
  type Keeping,
} from '../../../../server/compose/records/activity.ts'
import { frozenByItself } from '../../../../server/model/switches.ts'
import type { Store } from '../../../../server/store/store.ts'
import { eventually } from '../../../eventually.ts'
import { MINUTE } from '../../../kit/clock.ts'
import { opened, place } from '../store-fixture.ts'
import { meddle, record } from './rows.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

interface Server {
  readonly store: Store
  readonly keeping: Keeping
  readonly said: readonly string[]
}

const rows = 5

/** A server on this database that keeps five calls of each tenant, and anchors every minute. */
const serve = async (folder: string, retention?: { readonly rows: number }): Promise<Server> => {
  const store = await opened({ file: join(folder, 'log.db') })
  const said: string[] = []
  const keeping = await keepActivity(
    store,
    { anchor: join(folder, 'anchors'), retention },
    join(folder, 'log.db'),
    (error) => said.push(String(error)),
    (text) => said.push(text),
  )
  onTestFinished(() => keeping.stop())
  // Its first comparison would notice what a test takes away step by step, and the write after it would be on the older chain.
  await keeping.settled()
  return { store, keeping, said }
}

const callsOf = (store: Store, tenant: string): Promise<string> =>
  record(store, { principal: { tenant, subject: 'ada' } })

/** One call that waits for the disk, so that its process knows it to be there. */
const durably = async (store: Store, tenant: string): Promise<void> =>
  store.activityLog.event(await callsOf(store, tenant), { name: 'seen', data: '' })

/** Restores a copy in which this tenant's calls end with this entry. */
const setBack = async (folder: string, tenant: string, seq: number): Promise<void> => {
  const file = join(folder, 'log.db')
  await meddle(file, 'delete from countersign_activity where tenant = ? and begin_seq > ?', tenant, seq)
  await meddle(file, 'delete from countersign_activity_events where tenant = ? and seq > ?', tenant, seq)
  await meddle(
    file,
    `update countersign_activity_heads set seq = ?, calls = ?, link = (select end_link from countersign_activity
     where end_seq = ${seq} and tenant = '${tenant}') where tenant = ?`,
    seq,
    seq / 2,
    tenant,
  )
}

/** Keeps a copy of the record and the freezes; answers how to restore it in place. */
const copyOf = async (folder: string): Promise<() => Promise<void>> => {
  const tables = ['', '_events', '_heads'].map((name) => `activity${name}`).concat('freezes')
  const [file, copy] = [join(folder, 'log.db'), `copy_${copies++}`]
  for (const name of tables) await meddle(file, `create table ${copy}_${name} as select * from countersign_${name}`)
  return async () => {
    for (const name of tables) {
      await meddle(file, `delete from countersign_${name}`)
      await meddle(file, `insert into countersign_${name} select * from ${copy}_${name}`)
    }
  }
}
let copies = 0

const anchorsOf = async (folder: string) => {
  const read = await readAnchorsSoFar(join(folder, 'anchors'))
  if (!read.ok) throw new Error(read.failure.message)
  return read.value
}

/** What `activity accept` does. */
const accept = async (folder: string, { store }: Server): Promise<void> => {
  await appendAnchors(join(folder, 'anchors'), await store.activity.acceptances(await anchorsOf(folder), 'Ada'))
  await store.switches.unfreeze(undefined)
}

/** A server with one call, which its anchor file has seen. */
const serveAnchored = async (folder: string): Promise<Server> => {
  const one = await serve(folder)
  await durably(one.store, 'default')
  await vi.advanceTimersByTimeAsync(MINUTE)
  await eventually(async () => expect(await anchorsOf(folder)).toHaveLength(1))
  return one
}

/** A server with two calls, on a database that was set back to the first. */
const serveSetBack = async (folder: string): Promise<Server> => {
  const one = await serve(folder)
  await durably(one.store, 'default')
  const older = await copyOf(folder)
  await durably(one.store, 'default')
  await older()
  return one
}

const lengthOf = async (store: Store): Promise<number> => (await store.activity.page({ limit: 100 })).calls.length

test('a process that did not see the set-back itself is in doubt as well, and removes nothing that shows it', async () => {
  const folder = place()
  const [one, two] = [await serve(folder), await serve(folder, { rows })]
  // No more than are kept: the first removal may come at any time.
  for (let at = 0; at < rows - 1; at++) await callsOf(one.store, 'default')
  await durably(one.store, 'default')
  await setBack(folder, 'default', 6)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry 6')
  expect((await two.keeping.stillInDoubt())?.kind).toBe('behind')
  for (let at = 0; at < 12; at++) await callsOf(two.store, 'default')
  await vi.advanceTimersByTimeAsync(MINUTE)
  await two.keeping.stop()
  expect(await lengthOf(two.store)).toBe(15)
  expect((await one.keeping.stillInDoubt())?.kind).toBe('behind')
  expect(two.said.join()).toContain('countersign activity accept')
})

test('an operator’s own freeze hides the doubt from no process', async () => {
  const folder = place()
  const [one, two] = [await serve(folder), await serve(folder, { rows })]
  await one.store.switches.freeze({ tenant: undefined, reason: 'Audit.', by: 'ada' })
  for (let at = 0; at < 5; at++) await callsOf(one.store, 'default')
  await durably(one.store, 'default')
  expect(await two.keeping.stillInDoubt()).toBeUndefined()
  await setBack(folder, 'default', 6)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry 6')
  expect((await two.keeping.stillInDoubt())?.kind).toBe('behind')
})

test('what a process itself knows is compared before it removes anything, whether or not it has written since', async () => {
  const folder = place()
  const one = await serve(folder, { rows })
  await vi.advanceTimersByTimeAsync(0)
  // No more than are kept: the first removal may come at any time.
  for (let at = 0; at < rows - 1; at++) await callsOf(one.store, 'default')
  await durably(one.store, 'default')
  const other = await opened({ file: join(folder, 'log.db') })
  await setBack(folder, 'default', 6)
  for (let at = 0; at < 12; at++) await callsOf(other, 'default')
  await vi.advanceTimersByTimeAsync(MINUTE)
  await one.keeping.stop()
  expect(await lengthOf(one.store)).toBe(15)
  expect((await one.keeping.doubt())?.kind).toBe('behind')
  expect(await one.store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' })
})

test('one acceptance is enough for all tenants and all processes, and costs no further call', async () => {
  const folder = place()
  const first = await serve(folder)
  const servers = [first, await serve(folder), await serve(folder)]
  const tenants = ['default', 'acme']
  for (const tenant of tenants) {
    for (let at = 0; at < 3; at++) await callsOf(first.store, tenant)
    for (const { store } of servers) await durably(store, tenant)
  }
  for (const tenant of tenants) await setBack(folder, tenant, 4)
  await expect(callsOf(first.store, 'acme')).rejects.toThrow('ends at entry 4')
  await accept(folder, first)
  for (const { store } of servers) for (const tenant of tenants) await callsOf(store, tenant)
  for (const { keeping, store } of servers) {
    expect(await keeping.doubt()).toBeUndefined()
    expect(await keeping.stillInDoubt()).toBeUndefined()
    expect(await store.switches.list()).toStrictEqual([])
  }
  // The database is anchored again, by all of them.
  await vi.advanceTimersByTimeAsync(MINUTE)
  for (const { keeping } of servers) await keeping.stop()
  expect((await anchorsOf(folder)).at(-1)?.accepted).toBeUndefined()
  expect(await first.store.activity.verify(await anchorsOf(folder))).toMatchObject([
    { problem: undefined },
    { problem: undefined },
  ])
})

test('an acceptance excuses what was lost before it, and no later loss', async () => {
  const folder = place()
  const [one, two] = [await serve(folder), await serve(folder)]
  for (let at = 0; at < 3; at++) await callsOf(one.store, 'default')
  await durably(one.store, 'default')
  await durably(two.store, 'default')
  await setBack(folder, 'default', 4)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry 4')
  await accept(folder, one)
  await durably(two.store, 'default')
  await setBack(folder, 'default', 4)
  await expect(callsOf(two.store, 'default')).rejects.toThrow('ends at entry 4')
  expect((await two.keeping.stillInDoubt())?.kind).toBe('behind')
})

test('an erasure that finds the database set back says so like any other write', async () => {
  const folder = place()
  const one = await serve(folder)
  for (let at = 0; at < 3; at++) await callsOf(one.store, 'default')
  await durably(one.store, 'default')
  await setBack(folder, 'default', 4)
  const erasing = one.store.activity.erase({ tenant: 'default', subject: 'ada' })
  await expect(erasing).rejects.toThrow('ends at entry 4')
  expect((await one.keeping.stillInDoubt())?.kind).toBe('behind')
  expect(await one.store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' })
})

test('an erasure is an entry that its process knows to be on disk', async () => {
  const folder = place()
  const one = await serve(folder)
  for (let at = 0; at < 3; at++) await callsOf(one.store, 'default')
  await one.store.activity.erase({ tenant: 'default', subject: 'ada' })
  await meddle(join(folder, 'log.db'), 'delete from countersign_activity_erasures')
  await setBack(folder, 'default', 6)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('has written entry 7')
})

test('a copy that is restored a second time brings no agent its freedom back, and nobody is told twice', async () => {
  const folder = place()
  const one = await serve(folder)
  await durably(one.store, 'default')
  const [oldest] = [await copyOf(folder), await durably(one.store, 'default')]
  const [older] = [await copyOf(folder), await durably(one.store, 'default')]
  await older()
  await vi.advanceTimersByTimeAsync(MINUTE)
  await eventually(async () => expect(await one.store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' }))
  await oldest()
  expect(await one.store.switches.frozen('anybody')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(MINUTE)
  await eventually(async () => expect(await one.store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' }))
  expect(one.said.filter((text) => text.includes('older than its anchors'))).toHaveLength(1)
})

test.each([true, false])(
  'what is accepted of one tenant excuses nothing of another (looked meanwhile: %s)',
  async (looked) => {
    const folder = place()
    const [one, two] = [await serve(folder), await serve(folder)]
    await durably(one.store, 'a')
    const withoutB = await copyOf(folder)
    await durably(two.store, 'b')
    const withB = await copyOf(folder)
    await durably(one.store, 'a')
    await withB()
    await expect(callsOf(one.store, 'a')).rejects.toThrow('ends at entry')
    if (looked) expect((await two.keeping.stillInDoubt())?.kind).toBe('behind')
    await accept(folder, one)
    expect(await one.keeping.stillInDoubt()).toBeUndefined()
    if (looked) expect(await two.keeping.stillInDoubt()).toBeUndefined()
    await withoutB()
    await expect(callsOf(two.store, 'b')).rejects.toThrow('ends at entry 0')
    expect((await two.keeping.stillInDoubt())?.message).toContain('tenant "b"')
  },
)

test('what was lost and what was not: a person accepts both at once, and one process needs no second acceptance', async () => {
  const folder = place()
  const [one, two] = [await serve(folder), await serve(folder)]
  for (const tenant of ['a', 'b']) await durably(one.store, tenant)
  const older = await copyOf(folder)
  await durably(one.store, 'a')
  await durably(two.store, 'b')
  await older()
  await expect(callsOf(one.store, 'a')).rejects.toThrow('ends at entry')
  await accept(folder, one)
  await callsOf(two.store, 'b')
  expect(await two.keeping.stillInDoubt()).toBeUndefined()
})

test('a newer copy that is put back is not accused of what was recorded on the older one while all was stopped', async () => {
  const folder = place()
  const [one, two] = [await serve(folder), await serve(folder)]
  await durably(one.store, 'default')
  const older = await copyOf(folder)
  await durably(one.store, 'default')
  const newer = await copyOf(folder)
  await older()
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry')
  for (let at = 0; at < 3; at++) await durably(two.store, 'default')
  await newer()
  for (const { store, keeping } of [one, two]) {
    await durably(store, 'default')
    expect(await keeping.stillInDoubt()).toBeUndefined()
    expect(await keeping.doubt()).toBeUndefined()
    expect(await store.switches.list()).toStrictEqual([])
  }
})

test('an anchor file that goes while the database is behind it ends no doubt, and what it said comes back', async () => {
  const folder = place()
  const one = await serveSetBack(folder)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry')
  const before = await anchorsOf(folder)
  rmSync(join(folder, 'anchors'))
  expect((await one.keeping.stillInDoubt())?.kind).toBe('behind')
  expect((await anchorsOf(folder)).map(({ link }) => link)).toStrictEqual(before.map(({ link }) => link))
  await accept(folder, one)
  expect(await one.keeping.stillInDoubt()).toBeUndefined()
})

test.each([
  [
    'is deleted',
    (file: string) => renameSync(file, `${file}.gone`),
    (file: string) => renameSync(`${file}.gone`, file),
  ],
  ['is emptied', (file: string) => writeFileSync(file, ''), undefined],
])(
  'an anchor file that %s under a server stops all until it is back or a person goes on without it',
  async (_, lose, back) => {
    const folder = place()
    const file = join(folder, 'anchors')
    const one = await serveAnchored(folder)
    await durably(one.store, 'default')
    lose(file)
    await vi.advanceTimersByTimeAsync(MINUTE)
    await eventually(async () =>
      expect(await one.store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' }),
    )
    expect((await one.keeping.doubt())?.message).toContain('that this server has read or written are gone')
    const restarted = await serve(folder)
    expect((await restarted.keeping.doubt())?.kind).toBe('unreadable')
    expect(restarted.said.join()).toContain('countersign activity accept')
    if (back === undefined) await accept(folder, one)
    else back(file)
    for (const { keeping } of [one, restarted]) expect(await keeping.doubt()).toBeUndefined()
  },
)

/** A server that has noticed entries 4 to 9 to be lost while nobody could read its anchor file, which is mended by now. */
const lostWhileUnreadable = async (folder: string) => {
  const file = join(folder, 'anchors')
  const one = await serveAnchored(folder)
  const older = await copyOf(folder)
  for (let at = 0; at < 2; at++) await durably(one.store, 'default')
  const newer = await copyOf(folder)
  await older()
  const anchors = readFileSync(file, 'utf8')
  writeFileSync(file, `{"no":"anchor"}\n${anchors}`)
  await expect(callsOf(one.store, 'default')).rejects.toThrow('ends at entry 3')
  expect((await one.keeping.stillInDoubt())?.kind).toBe('unreadable')
  // The record goes on behind the freeze.
  await callsOf(one.store, 'default')
  writeFileSync(file, anchors)
  return { one, older, newer }
}

test('what is lost while the anchor file cannot be read is told once the file is mended', async () => {
  const folder = place()
  const { one } = await lostWhileUnreadable(folder)
  expect((await one.keeping.doubt())?.message).toContain('entry 9')
  expect((await anchorsOf(folder)).map(({ seq }) => seq)).toStrictEqual([3, 9])
  await accept(folder, one)
  expect(await one.keeping.stillInDoubt()).toBeUndefined()
  await callsOf(one.store, 'default')
})

test('a newer copy that is put back while the anchor file is mended ends the doubt, and a second loss is noticed', async () => {
  const folder = place()
  const { one, older, newer } = await lostWhileUnreadable(folder)
  await newer()
  expect(await one.keeping.doubt()).toBeUndefined()
  await older()
  expect((await one.keeping.doubt())?.message).toContain('entry 9')
})

test('a damaged anchor file that somebody moves away is told as a file that is gone, not as lines that were read', async () => {
  const folder = place()
  const file = join(folder, 'anchors')
  writeFileSync(file, '{"no":"anchor"}\n{"no":"anchor"}\n')
  const one = await serve(folder)
  expect((await one.keeping.doubt())?.message).toContain('cannot be read')
  renameSync(file, `${file}.damaged`)
  const gone = 'A server froze itself over the anchor file'
  for (const look of ['doubt', 'stillInDoubt'] as const) expect((await one.keeping[look]())?.message).toContain(gone)
  expect(one.said.filter((text) => text.includes(gone))).toHaveLength(1)
  const restarted = await serve(folder)
  expect((await restarted.keeping.doubt())?.message).toContain(gone)
  await accept(folder, one)
  for (const { keeping } of [one, restarted]) expect(await keeping.stillInDoubt()).toBeUndefined()
})

test('what was accepted is not stopped again by servers that were looking meanwhile', async () => {
  const folder = place()
  const servers = [await serve(folder), await serve(folder), await serve(folder)]
  const [one] = servers as [Server]
  for (let at = 0; at < 10; at++) {
    await one.store.switches.freeze({ tenant: undefined, reason: 'The anchor file is gone.', by: frozenByItself })
    const looks = servers.map(({ keeping }) => keeping.stillInDoubt())
    await Promise.all([accept(folder, one), ...looks])
    expect(await one.store.switches.list()).toEqual([])
  }
})

test('several that notice a loss at once tell it once', async () => {
  const folder = place()
  const one = await serveSetBack(folder)
  const { activity } = one.store
  const erased = ['bob', 'cleo'].map((subject) => activity.erase({ tenant: 'default', subject }))
  const looks = [1, 2].map(() => one.keeping.stillInDoubt())
  await Promise.allSettled([durably(one.store, 'default'), ...erased, ...looks])
  expect(await anchorsOf(folder)).toHaveLength(1)
  expect(one.said).toHaveLength(1)
})
