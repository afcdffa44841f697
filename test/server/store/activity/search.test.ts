// Words in the texts of the record, the same on every database: whatever somebody types, as the beginnings of words that
// all occur, also in rows that are older than the index, and in none whose texts are gone.
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { wordsIn } from '../../../../server/store/store.ts'
import type { Place, Store } from '../../../../server/store/store.ts'
import type { Tables } from '../../../../server/store/tables.ts'
import { MINUTE } from '../../../kit/clock.ts'
import { fillActivity } from '../../../bench/fill-activity.ts'
import { everything } from '../../../postgres.ts'
import { opened, openedWithClock, place } from '../store-fixture.ts'
import { completion, entry, record, verdictOf } from './rows.ts'

const found = async (store: Store, text: string, limit = 10): Promise<readonly string[]> => {
  const ids: string[] = []
  let after: Place | undefined
  do {
    const page = await store.activity.page({
      filter: { search: wordsIn(text) },
      limit,
      ...(after === undefined ? {} : { after }),
    })
    ids.push(...page.calls.map(({ id }) => id))
    after = page.next
  } while (after !== undefined)
  return ids
}

const wordsKept = async (store: Store): Promise<number> => {
  const { rows } = await sql<{
    readonly n: number | string
  }>`select count(*) as n from countersign_activity_words`.execute(store.db)
  return Number(rows[0]?.n)
}

describe('a search', () => {
  test('finds rows by the beginnings of words that all occur, wherever they stand, the newest first', async () => {
    const store = await opened({ file: ':memory:' })
    const acme = await record(store, {
      args: JSON.stringify({ customer: 'Müller & Söhne', note: 'first line\nsecond line', path: 'C:\\temp' }),
      rationale: 'It came back.',
    })
    const order = await record(
      store,
      { tool: 'orders_delete', args: '{"id":"SO-1042"}' },
      { result: '{"total":"840.00","etag":"12e34ab"}' },
    )
    const failed = await record(
      store,
      { principal: { tenant: 'default', subject: 'Влад' } },
      { outcome: 'failed', result: undefined, error: { code: 'unknown_order', message: 'There is no order 東京.' } },
    )
    for (const [text, expected] of [
      ['mull', [acme]],
      ['SÖHNE müller', [acme]],
      ['second', [acme]],
      ['nsecond', []],
      ['temp', [acme]],
      ['ack', []],
      ['so-1042', [order]],
      ['1042 so 840', [order]],
      ['1042 acme', []],
      ['order', [failed, order, acme]],
      ['unknown_order', [failed]],
      ['влад 東', [failed]],
      ['came', [acme]],
      ['12e34ab', [order]],
      ['12e34', [order]],
      ['34ab', []],
      ['phone', [failed, order]],
    ] as const)
      expect([text, await found(store, text)]).toStrictEqual([text, expected])
  })

  test('takes every sign that somebody types for no more than it is', async () => {
    const store = await opened({ file: ':memory:' })
    const id = await record(store, { args: '{"note":"or not near and"}' })
    for (const text of [
      '"',
      '*',
      "o'r",
      '(or',
      'or)',
      'NOT or',
      'or NEAR(and',
      '^or',
      'or AND',
      'words:or',
      ':*|!&<->',
      '%',
      '\\',
      'or -- x',
    ])
      await expect(found(store, text)).resolves.toBeDefined()
    expect(await found(store, 'OR "not" (and)')).toStrictEqual([id])
    expect(wordsIn(`"*'()^:-%\\ \u0000`)).toStrictEqual([])
  })

  test('goes with the other filters, page by page, in both orders, and follows what is new', async () => {
    const { clock, store } = await openedWithClock()
    const ids: string[] = []
    for (let at = 0; at < 30; at++) {
      clock.pass(MINUTE)
      const kind = at % 2 === 0 ? 'even' : 'odd'
      ids.push(await record(store, { args: `{"kind":"${kind}"}`, tool: at % 3 === 0 ? 'third' : 'other' }))
    }
    const wanted = ids.filter((_, at) => at % 6 === 0)
    const filter = { search: ['even'], tools: ['third'] }
    expect((await store.activity.page({ filter, limit: 3 })).calls.map(({ id }) => id)).toStrictEqual(
      wanted.toReversed().slice(0, 3),
    )
    const records = await store.activity.pageRecords({ filter, limit: 10, order: 'oldest' })
    expect(records.calls.map(({ id }) => id)).toStrictEqual(wanted)
    const since = clock.now() - 10 * MINUTE
    const late = await store.activity.page({ filter: { ...filter, since }, limit: 9 })
    expect(late.calls.map(({ id }) => id)).toStrictEqual(wanted.slice(-1))
    expect(await found(store, 'even', 4)).toStrictEqual(ids.filter((_, at) => at % 2 === 0).toReversed())
    const change = await store.activity.newestChange()
    const fresh = await record(store, { args: '{"kind":"even"}', tool: 'third' })
    await record(store, { args: '{"kind":"odd"}', tool: 'third' })
    expect((await store.activity.changesSince({ change, filter, limit: 9 })).calls.map(({ id }) => id)).toStrictEqual([
      fresh,
    ])
    expect((await found(store, 'even'))[0]).toBe(fresh)
  })

  test('finds the end of a row whose beginning it has found, and rows by the hundred that were never searched', async () => {
    const file = join(place(), 'log.db')
    const [store, other] = [await opened({ file }), await opened({ file })]
    const running = await store.activityLog.begin(entry({ args: '{"note":"begun"}' }))
    expect(await found(store, 'begun')).toStrictEqual([running])
    expect(await found(store, 'ended')).toStrictEqual([])
    await store.activityLog.complete(running, completion({ result: '{"note":"ended"}' }))
    const ids = [running]
    for (let at = 0; at < 120; at++) ids.unshift(await record(store, { args: `{"note":"ended ${at}"}` }))
    expect(await found(other, 'ended', 50)).toStrictEqual(ids)
    expect(await found(store, 'begun ended')).toStrictEqual([running])
  })
})

describe('among thousands of rows', () => {
  test('an operator of one tenant sees the only row there at once, however many others of them have the word', async () => {
    const store = await opened({ file: ':memory:' })
    await fillActivity(store, 6000, 3)
    await sql`update countersign_activity set tenant = 'elsewhere' where position = 1`.execute(store.db)
    expect(await found(store, 'customer', 2000)).toHaveLength(6000)
    for (const text of ['customer', 'c']) {
      const page = await store.activity.page({ filter: { search: [text], tenants: ['elsewhere'] }, limit: 10 })
      expect([page.calls.map(({ id }) => id), page.next]).toStrictEqual([['ac_0000000000001'], undefined])
    }
  })

  test('no row comes twice and none is left out where thousands change between two pages', async () => {
    const store = await opened({ file: ':memory:' })
    await fillActivity(store, 6000, 3)
    // So many words that they are not all made with one page.
    const many = Array.from({ length: 500 }, (_, at) => `word${at}`).join(' ')
    await sql`update countersign_activity set rationale = ${many}`.execute(store.db)
    const filter = { search: ['customer'] }
    const ids: string[] = []
    let next: Place | undefined
    do {
      const page = await store.activity.page({ filter, limit: 500, ...(next === undefined ? {} : { after: next }) })
      ids.push(...page.calls.map(({ id }) => id))
      if (ids.length === 1000 && page.calls.length > 0)
        await sql`update countersign_activity set change = change + 100000 where position <= 5400`.execute(store.db)
      next = page.next
    } while (next !== undefined)
    expect(ids).toHaveLength(6000)
    expect(new Set(ids).size).toBe(6000)
  })
})

describe('words', () => {
  test('of an erased person are gone from the files and found by nobody; those of others stay', async () => {
    const file = join(place(), 'log.db')
    const store = await opened({ file })
    const bob = { principal: { tenant: 'default', subject: 'bob' } }
    for (let at = 0; at < 20; at++) {
      await record(store, { args: `{"note":"unmistakable${at} shared"}` })
      await record(store, { ...bob, args: `{"note":"ordinary${at} shared"}` })
    }
    expect(await found(store, 'unmistakable')).toHaveLength(20)
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    expect(await everything(file)).not.toContain('unmistakable')
    expect(await found(store, 'unmistakable')).toHaveLength(0)
    expect(await found(store, 'shared')).toHaveLength(20)
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('are not made of rows that are erased while they are read', async () => {
    const file = join(place(), 'log.db')
    const store = await opened({ file })
    for (let at = 0; at < 120; at++) await record(store, { args: `{"note":"unmistakable${at}"}` })
    await Promise.all([found(store, 'unmistakable'), store.activity.erase({ tenant: 'default', subject: 'ada' })])
    expect(await found(store, 'unmistakable')).toStrictEqual([])
    expect(await everything(file)).not.toContain('unmistakable')
  })

  test('of rows that a process has removed or erased which knows no words are gone after a sweep', async () => {
    const file = join(place(), 'log.db')
    const store = await opened({ file })
    const [removed, erased, kept] = [
      await record(store, { args: '{"note":"removed"}' }),
      await record(store, { args: '{"note":"erased"}' }),
      await record(store, { args: '{"note":"staying"}' }),
    ]
    expect(await found(store, 'erased')).toStrictEqual([erased])
    const log = store.db.$extendTables<Pick<Tables, 'countersign_activity'>>()
    await log.deleteFrom('countersign_activity').where('id', '=', removed).execute()
    await log.updateTable('countersign_activity').set({ erased_at: 1, args: null }).where('id', '=', erased).execute()
    await store.sweep()
    expect(await found(store, 'erased')).toStrictEqual([])
    expect(await found(store, 'staying')).toStrictEqual([kept])
    expect(await wordsKept(store)).toBe(1)
  })

  test('of rows that retention has removed are gone with them', async () => {
    const store = await opened({ file: ':memory:' })
    const ids: string[] = []
    for (let at = 0; at < 6; at++) ids.unshift(await record(store, { args: `{"note":"kept${at}"}` }))
    expect(await found(store, 'kept')).toHaveLength(6)
    while ((await store.activity.retain({ rows: 2 })) > 0);
    expect(await found(store, 'kept')).toStrictEqual(ids.slice(0, 2))
    expect(await found(store, 'kept0')).toStrictEqual([])
  })
})
