// One tenant's chain, checked while others write: what is said must be true whatever moves meanwhile.
import { expect, test } from 'vitest'
import { opened, place } from '../store-fixture.ts'
import { join } from 'node:path'
import { meddle, record } from './rows.ts'

test('a chain that is written to while it is walked is whole, up to the head that it had', async () => {
  const store = await opened({ file: join(place(), 'a.db') })
  for (let at = 0; at < 30; at++) await record(store)
  const [report] = await Promise.all([
    store.activity.verifyOne('default'),
    ...Array.from({ length: 20 }, () => record(store)),
    store.activity.erase({ tenant: 'default', subject: 'ada' }),
  ])
  expect(report).toMatchObject({ tenant: 'default', problem: undefined })
  expect(report.entries).toBeGreaterThanOrEqual(60)
})

test('a row that somebody has changed is named, and another tenant is none the worse', async () => {
  const file = join(place(), 'b.db')
  const store = await opened({ file })
  await record(store)
  const id = await record(store)
  await record(store, { principal: { tenant: 'other', subject: 'eve' } })
  await meddle(file, 'update countersign_activity set tool = ? where id = ?', 'orders_list', id)
  expect((await store.activity.verifyOne('default')).problem).toMatchObject({ kind: 'changed', id })
  expect((await store.activity.verifyOne('other')).problem).toBeUndefined()
})

test('a tenant without a record has a chain of nothing', async () => {
  const store = await opened({ file: ':memory:' })
  expect(await store.activity.verifyOne('nobody')).toMatchObject({ entries: 0, problem: undefined })
})
