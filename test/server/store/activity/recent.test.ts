// On SQLite the newest rows lie in a table of their own until they are moved. Nobody who asks the log may notice: not its
// readers, not its watchers, not its chain, whoever has written the rows and whatever became of that process.
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { indexWords } from '../../../../server/store/activity/search/index-words.ts'
import { wordsIn, type CallBrief, type Store } from '../../../../server/store/store.ts'
import type { Tables } from '../../../../server/store/tables.ts'
import { eventually } from '../../../eventually.ts'
import { runsOf } from '../../../full.ts'
import { createClock, DAY, HOUR } from '../../../kit/clock.ts'
import { everything, present } from '../../../postgres.ts'
import { draft, opened, place, startJob } from '../store-fixture.ts'
import { completion, entry, meddle, meddleRecent, record, verdictOf } from './rows.ts'

const log = 'countersign_activity'
const recent = 'countersign_activity_recent'
const tables = [log, recent]

/** What somebody reads with SQL of his own. */
const read = (file: string, query: string): Record<string, unknown>[] => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

const idsIn = (file: string, table: string): unknown[] =>
  read(file, `select id from ${table} order by position`).map(({ id }) => id)

/** Runs one statement, and leaves rows where they are. */
const meddleOnly = (file: string, statement: string): void => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.exec(statement)
  } finally {
    database.close()
  }
}

/** Puts rows back, as if they had not been moved yet. */
const unmove = (file: string, which = 'true'): void =>
  meddleOnly(
    file,
    `begin immediate; insert into ${recent} select * from ${log} where ${which}; delete from ${log} where ${which}; commit`,
  )

const desk = async () => {
  const file = join(place(), 'log.db')
  const clock = createClock()
  return { file, clock, store: await opened({ file, now: clock.now }) }
}

const idsOf = async (store: Store): Promise<readonly string[]> =>
  (await store.activity.page({ limit: 500, order: 'oldest' })).calls.map(({ id }) => id)

describe.runIf(present === 'sqlite')('the newest rows', () => {
  test('lie in a table that has the columns of the log, in their order', async () => {
    const { file } = await desk()
    const [ofLog, ofRecent] = tables.map((table) => read(file, `pragma table_info(${table})`).map(({ name }) => name))
    expect(ofLog).toContain('position')
    expect(ofRecent).toStrictEqual(ofLog)
  })

  test('are in the log at once for whoever asks the store, in whichever process', async () => {
    const { file, store } = await desk()
    const other = await opened({ file })
    const ids = [await record(store), await store.activityLog.begin(entry()), await record(other)]
    unmove(file)
    expect(await idsOf(other)).toStrictEqual(ids)
    unmove(file)
    expect(await store.activity.find(ids[2] ?? '')).toMatchObject({ status: 'ok' })
    unmove(file)
    expect((await other.activity.changesSince({ change: 0, limit: 9 })).calls.map(({ id }) => id)).toHaveLength(3)
  })

  test('come into the log by themselves, soon, or with many more of them, or when the store closes', async () => {
    const { file, store } = await desk()
    const ids = [await record(store)]
    await eventually(() => expect(idsIn(file, log)).toStrictEqual(ids))
    for (let at = 0; at < 250; at++) ids.push(await record(store))
    expect(idsIn(file, recent).length).toBeLessThan(250)
    await store.close()
    expect(idsIn(file, log)).toStrictEqual(ids)
    expect(idsIn(file, recent)).toStrictEqual([])
  })

  test('end where they are: a call that is moved while it runs, and one that is not, with events and plans', async () => {
    const { file, store } = await desk()
    const calls = [await store.activityLog.begin(entry()), await store.activityLog.begin(entry())]
    for (const [at, id] of calls.entries()) {
      await store.plans.open(draft({ id: `pl_${at}` }))
      await (at === 0 ? store.activity.newestChange() : unmove(file))
      await store.plans.claim(`pl_${at}`, 'me', 60_000, id)
      await store.activityLog.event(id, { name: 'mail.sent', data: '{}' })
      await store.activityLog.complete(id, completion({ outcome: 'applied', planId: `pl_${at}` }))
      expect(idsIn(file, at === 0 ? log : recent)).toContain(id)
      expect(await verdictOf(store)).toBeUndefined()
      expect(await store.activity.find(id)).toMatchObject({
        status: 'applied',
        planId: `pl_${at}`,
        events: [{ name: 'mail.sent' }],
      })
    }
    await expect(store.activityLog.complete(calls[1] ?? '', completion())).rejects.toThrow('is complete')
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('of a process that was killed are read, verified and ended by the next one', async () => {
    const { file, store } = await desk()
    const job = await startJob(file)
    expect(await job.line()).toBe('"ready"')
    job.say('open')
    expect(await job.line()).toBe('"opened"')
    const ids: unknown[] = []
    for (const call of [{ entry: entry(), completion: completion() }, { entry: entry() }]) {
      job.say(`record ${JSON.stringify(call)}`)
      ids.push(JSON.parse(await job.line()))
    }
    await job.kill('SIGKILL')
    unmove(file)
    expect((await store.activity.verifyOne('default')).problem).toBeUndefined()
    expect(await idsOf(store)).toStrictEqual(ids)
    expect(idsIn(file, log)).toStrictEqual(ids)
    await store.activityLog.complete(String(ids[1]), completion())
    await record(store)
    expect(await store.activity.verify()).toMatchObject([{ entries: 6, problem: undefined }])
  })

  test('lose the texts of an erased person, in the file too', async () => {
    const { file, store } = await desk()
    const bob = await record(store, { principal: { tenant: 'default', subject: 'bob' } })
    const ada = await record(store, { args: '{"note":"unmistakable"}' }, { result: '"unmistakable as well"' })
    unmove(file)
    expect(await everything(file)).toContain('unmistakable')
    expect(await store.activity.erase({ tenant: 'default', subject: 'ada' })).toMatchObject({ calls: 1, running: 0 })
    expect(await everything(file)).not.toContain('unmistakable')
    expect(await store.activity.find(ada)).toMatchObject({ erased: true, args: undefined, status: 'ok' })
    expect(await store.activity.find(bob)).toMatchObject({ erased: false, args: '{"customer":"ACME"}' })
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('are counted and removed by retention', async () => {
    const { file, store } = await desk()
    const ids = []
    for (let at = 0; at < 6; at++) ids.push(await record(store))
    unmove(file)
    while ((await store.activity.retain({ rows: 2 })) > 0) unmove(file)
    expect(await idsOf(store)).toStrictEqual(ids.slice(4))
    expect(await store.activity.verify()).toMatchObject([{ entries: 12, cut: 8, problem: undefined }])
  })

  test('are counted in the sums of hours', async () => {
    const { file, clock, store } = await desk()
    for (let at = 0; at < 3; at++) await record(store)
    clock.pass(3 * HOUR)
    await record(store)
    unmove(file)
    while (await store.activity.sumUp());
    const calls = await store.activity.figures.calls({ tenant: 'default', since: 0, until: clock.now() + DAY })
    expect(calls.reduce((sum, count) => sum + count.calls, 0)).toBe(4)
    const sums = read(file, `select sum(calls) as calls from countersign_activity_sums where length = ${HOUR}`)
    expect(sums).toMatchObject([{ calls: 3 }])
  })

  test('are found by a search, also by the words of their ends', async () => {
    const { file, store } = await desk()
    const found = async (text: string) =>
      (await store.activity.page({ filter: { search: wordsIn(text) }, limit: 9 })).calls.map(({ id }) => id)
    const first = await record(store, { args: '{"note":"willow"}' })
    unmove(file)
    expect(await found('willow')).toStrictEqual([first])
    const second = await store.activityLog.begin(entry({ args: '{"note":"willow"}' }))
    unmove(file)
    expect(await found('willow')).toStrictEqual([second, first])
    unmove(file)
    await store.activityLog.complete(second, completion({ result: '"maple"' }))
    expect(await found('maple')).toStrictEqual([second])
  })

  test('stay where they are while the database takes no write: the log is read, and they come when it does again', async () => {
    const { file, store } = await desk()
    const ids = [await record(store), await record(store)]
    expect(await idsOf(store)).toStrictEqual(ids)
    await sql`pragma query_only = on`.execute(store.db)
    unmove(file, `id = '${ids[1]}'`)
    expect(await idsOf(store)).toStrictEqual(ids.slice(0, 1))
    expect(await store.activity.verify()).toMatchObject([{ entries: 4, problem: undefined }])
    await expect(store.activityLog.begin(entry())).rejects.toThrow('readonly')
    await sql`pragma query_only = off`.execute(store.db)
    expect(await idsOf(store)).toStrictEqual(ids)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('are missing in no export: where they cannot be moved now, it fails', async () => {
    const { file, store } = await desk()
    const id = await record(store)
    await sql`pragma query_only = on`.execute(store.db)
    unmove(file)
    await expect(store.activity.pageRecords({ limit: 9 })).rejects.toThrow('readonly')
    await sql`pragma query_only = off`.execute(store.db)
    expect((await store.activity.pageRecords({ limit: 9 })).calls).toMatchObject([{ id }])
  })

  test('keep no reader waiting for a process that holds the lock for long, and are moved once it lets go', async () => {
    const { file, store } = await desk()
    const id = await record(store)
    unmove(file)
    const holder = new DatabaseSync(file)
    holder.exec('begin immediate')
    // Each would wait for five seconds, one after another.
    expect(await Promise.all([1, 2, 3].map(() => idsOf(store)))).toStrictEqual([[], [], []])
    expect(await verdictOf(store)).toBeUndefined()
    // What is written meanwhile asks for it as well, and changes nothing.
    holder.exec('rollback')
    const next = await record(store)
    await idsOf(store)
    holder.close()
    await eventually(() => expect(idsIn(file, log)).toStrictEqual([id, next]))
    expect(await idsOf(store)).toStrictEqual([id, next])
  }, 20_000)

  test('are moved by whoever opens the database next, also where nobody reads it', async () => {
    const { file, store } = await desk()
    const id = await record(store)
    await store.close()
    unmove(file)
    await opened({ file })
    await eventually(() => expect(idsIn(file, log)).toStrictEqual([id]))
  })

  test('are unknown to an older process that still runs, which finds no heads of chains any more', async () => {
    const { file, store } = await desk()
    const heads = `select seq, link from countersign_activity_heads where tenant = 'default'`
    await record(store)
    expect(() => read(file, heads)).toThrow('no such table: countersign_activity_heads')
    expect(await verdictOf(store)).toBeUndefined()
  })
})

describe.runIf(present === 'sqlite')('a row that cannot be moved, because somebody has written it', () => {
  const columns = (file: string, other: Readonly<Record<string, string>>): string =>
    read(file, `pragma table_info(${log})`)
      .map(({ name }) => other[String(name)] ?? String(name))
      .join(', ')

  test.each([
    ['is in the log already', {}, 'inserted'],
    ['has the id of another one', { position: '9', change: '9', begin_seq: '0', end_seq: '-1' }, 'inserted'],
    ['has the position of another one', { id: `'ac_forged'`, begin_seq: '0', end_seq: '-1' }, 'inserted'],
    ['has the number of another one', { id: `'ac_forged'`, position: '9', end_seq: '-1' }, 'inserted'],
  ])('fails whoever reads the log, and is named: it %s', async (_, other, kind) => {
    const { file, store } = await desk()
    const ids = [await record(store), await record(store)]
    await meddle(file, `insert into ${recent} select ${columns(file, other)} from ${log} where id = ?`, ids[0] ?? '')
    const named = `Row ${'id' in other ? 'ac_forged' : ids[0]} of countersign_activity_recent and row`
    await expect(store.activity.page({ limit: 9 })).rejects.toThrow(named)
    await expect(store.activity.page({ limit: 9 })).rejects.toThrow('what was not is evidence and stays')
    await expect(store.activity.changesSince({ change: 0, limit: 9 })).rejects.toThrow('UNIQUE')
    await expect(store.activity.erase({ tenant: 'default', subject: 'ada' })).rejects.toThrow('UNIQUE')
    await expect(store.activity.retain({ rows: 1 })).rejects.toThrow('UNIQUE')
    expect(await verdictOf(store)).toMatchObject({ kind })
    expect((await store.activity.verifyOne('default')).problem).toMatchObject({ kind })
    // Calls go on, and so does the log once somebody has put it right.
    ids.push(await record(store))
    meddleOnly(file, `delete from ${recent} where begin_seq < 5`)
    expect(await idsOf(store)).toStrictEqual(ids)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('fails them as well where its position is no number', async () => {
    const { file, store } = await desk()
    const ids = [await record(store), await record(store)]
    meddleRecent(file, `update ${recent} set position = 'x' where id = ?`, ids[0] ?? '')
    await expect(store.activity.page({ limit: 9 })).rejects.toThrow('mismatch')
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[0] })
  })

  test('fails who verifies, too, where it is of no chain', async () => {
    const { file, store } = await desk()
    await record(store)
    await meddle(file, `insert into ${recent} (id) values ('ac_forged')`)
    await expect(store.activity.page({ limit: 9 })).rejects.toThrow('NOT NULL')
    await expect(store.activity.verify()).rejects.toThrow('NOT NULL')
    expect((await store.activity.verifyOne('default')).problem).toBeUndefined()
  })
})

describe.runIf(present === 'sqlite')('whoever goes on from the highest change that he has seen', () => {
  const who = fc.constantFrom(0, 1)
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('begin' as const), who, tenant: fc.constantFrom('one', 'two') }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'event' as const), who, which: fc.nat(4) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('move' as const, 'index' as const), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), who }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('arrive' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), limit: fc.constantFrom(1, 3, 100) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('together' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const) }) },
  )

  /** Goes on from a page and the newest change, as operators' pages do. */
  const createWatcher = (from = 0, page: readonly CallBrief[] = []) => {
    let last = from
    const seen = new Map(page.map(({ id, status, change }) => [id, { status, change }]))
    return {
      seen,
      watch: async (store: Store, limit: number): Promise<number> => {
        const { calls, change } = await store.activity.changesSince({ change: last, limit })
        const numbers = calls.map((call) => call.change)
        expect(numbers).toStrictEqual(numbers.toSorted((one, other) => one - other))
        expect(numbers[0] ?? Infinity).toBeGreaterThan(last)
        expect(change).toBe(numbers.at(-1) ?? last)
        last = change
        for (const call of calls) seen.set(call.id, { status: call.status, change: call.change })
        return calls.length
      },
    }
  }

  test('misses nothing, and sees each row as it is at last; so does who searches, whoever writes and moves rows in which order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 40 }), async (steps) => {
        const file = join(place(), 'log.db')
        const clock = createClock()
        const open = () => opened({ file, now: clock.now })
        const stores = [await open(), await open()] as [Store, Store]
        // Moves nothing itself, so it sees each state between.
        const reader = await open()
        await sql`pragma query_only = on`.execute(reader.db)
        const [mover, onlooker] = [createWatcher(), createWatcher()]
        const later: ReturnType<typeof createWatcher>[] = []
        const ids: string[] = []
        const running: string[] = []
        const begin = async (store: Store, tenant = 'one'): Promise<void> => {
          const id = await store.activityLog.begin(entry({ principal: { tenant, subject: 'ada' }, args: '"willow"' }))
          ids.push(id)
          running.push(id)
        }
        for (const taken of steps) {
          switch (taken.do) {
            case 'begin':
              await begin(stores[taken.who], taken.tenant)
              break
            case 'end': {
              const [id] = running.splice(taken.which % Math.max(1, running.length), 1)
              if (id === undefined) break
              await stores[taken.who].activityLog.complete(id, completion({ result: '"maple"' }))
              break
            }
            case 'event': {
              const id = running[taken.which % Math.max(1, running.length)]
              if (id !== undefined) await stores[taken.who].activityLog.event(id, { name: 'mail.sent', data: '{}' })
              break
            }
            case 'move':
              await stores[taken.who].activity.newestChange()
              break
            case 'reopen':
              await stores[taken.who].close()
              stores[taken.who] = await open()
              break
            case 'index': {
              const tables = stores[taken.who].db.$extendTables<Tables>()
              await indexWords(tables, (work) => tables.transaction().execute(work), Infinity)
              break
            }
            case 'arrive': {
              const from = await reader.activity.newestChange()
              later.push(createWatcher(from, (await reader.activity.page({ limit: 500 })).calls))
              break
            }
            case 'watch':
              await onlooker.watch(reader, taken.limit)
              break
            case 'together':
              await Promise.all([
                begin(stores[0]),
                begin(stores[1]),
                mover.watch(stores[0], 100),
                onlooker.watch(reader, 100),
                begin(stores[0]),
              ])
              break
            case 'pass':
              clock.pass(1)
              break
            default:
              taken satisfies never
          }
          expect(await verdictOf(reader)).toBeUndefined()
          for (const tenant of ['one', 'two']) expect((await reader.activity.verifyOne(tenant)).problem).toBeUndefined()
        }
        await sql`pragma query_only = off`.execute(reader.db)
        while ((await mover.watch(stores[1], 3)) > 0);
        while ((await onlooker.watch(reader, 3)) > 0);
        const { calls } = await stores[0].activity.page({ limit: 500, order: 'oldest' })
        const there = new Map(calls.map(({ id, status, change }) => [id, { status, change }]))
        expect(new Set(there.keys())).toStrictEqual(new Set(ids))
        for (const tenant of ['one', 'two']) {
          const numbers = read(file, `select begin_seq from ${log} where tenant = '${tenant}' order by position`)
          expect(numbers).toStrictEqual(numbers.toSorted((a, b) => Number(a['begin_seq']) - Number(b['begin_seq'])))
        }
        expect(mover.seen).toStrictEqual(there)
        expect(onlooker.seen).toStrictEqual(there)
        for (const watcher of later) {
          while ((await watcher.watch(reader, 3)) > 0);
          expect(watcher.seen).toStrictEqual(there)
        }
        for (const [word, having] of [
          ['willow', ids],
          ['maple', ids.filter((id) => !running.includes(id))],
        ] as const) {
          const found = await stores[1].activity.page({ filter: { search: [word] }, limit: 500 })
          expect(found.calls.map(({ id }) => id).toSorted()).toStrictEqual(having.toSorted())
        }
        expect(await verdictOf(stores[1])).toBeUndefined()
        for (const store of [...stores, reader]) await store.close()
      }),
      { numRuns: runsOf(300) },
    )
  })
})
