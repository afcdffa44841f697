// Which reasons are looked at of a record that is too long to read.
import { expect, test } from 'vitest'
import { sampleRationales } from '../../../../server/store/activity/figures/rationale-sample.ts'
import type { Tables } from '../../../../server/store/tables.ts'
import { createClock, DAY } from '../../../kit/clock.ts'
import { opened } from '../store-fixture.ts'
import { record } from './rows.ts'

test('each slice of time has its share of the sample, counted by calls or, in a long record, by the numbers of its entries', async () => {
  const clock = createClock()
  const store = await opened({ file: ':memory:', now: clock.now })
  const since = clock.now()
  for (const [name, times] of [
    ['early', 3],
    ['late', 9],
  ] as const) {
    for (let n = 0; n < times; n += 1) await record(store, { rationale: `${name} ${n}` })
    clock.pass(DAY)
  }
  const slices = [0, 1, 2].map((at) => ({ tenant: 'default', since: since + at * DAY, until: since + (at + 1) * DAY }))
  // Rows are moved to where they are read.
  await store.activity.newestChange()
  for (const mostCounted of [1000, 0]) {
    const said = await sampleRationales(store.db.$extendTables<Tables>(), slices, 4, mostCounted)
    expect(said.map(({ text }) => text)).toStrictEqual(['early 0', 'late 0', 'late 1', 'late 2'])
  }
})
