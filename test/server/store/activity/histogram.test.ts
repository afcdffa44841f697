// When rows were written, by what became of them: the same filters as of the list, in at most sixty-one bars, whatever the
// length of the time.
import { expect, test } from 'vitest'
import type { ActivityFilter } from '../../../../server/store/store.ts'
import { DAY, HOUR, MINUTE } from '../../../kit/clock.ts'
import { openedWithClock } from '../store-fixture.ts'
import { record } from './rows.ts'

test('rows are counted by time and outcome, as the filters and the words leave them', async () => {
  const { clock, store } = await openedWithClock()
  const begin = clock.now()
  for (let at = 0; at < 12; at++) {
    const refused = at % 4 === 0
    await record(
      store,
      { tool: at % 2 === 0 ? 'even' : 'odd', args: `{"note":"number${at}"}` },
      refused ? { outcome: 'refused', error: { code: 'frozen', message: 'No.' } } : {},
    )
    clock.pass(10 * MINUTE)
  }
  const bars = async (filter: ActivityFilter) => {
    const { bars: found, since, until, barsFrom, step, countedFrom } = await store.activity.histogram(filter)
    expect(countedFrom).toBeUndefined()
    expect([(until - barsFrom) / step <= 61, barsFrom <= since]).toEqual([true, true])
    for (const { at } of found) expect([at >= barsFrom, at < until, (at - barsFrom) % step]).toEqual([true, true, 0])
    const sum = (outcome: string) => found.reduce((rows, bar) => rows + (bar.outcome === outcome ? bar.rows : 0), 0)
    return { since, step, ok: sum('ok'), refused: sum('refused'), first: found[0] }
  }
  expect(await bars({})).toMatchObject({ ok: 9, refused: 3, step: 5 * MINUTE, first: { outcome: 'refused', rows: 1 } })
  expect(await bars({ tools: ['odd'] })).toMatchObject({ ok: 6, refused: 0 })
  expect(await bars({ statuses: ['refused'] })).toMatchObject({ ok: 0, refused: 3 })
  expect(await bars({ search: ['number1'] })).toMatchObject({ ok: 3, refused: 0 })
  expect(await bars({ since: begin + HOUR, until: begin + HOUR + 1 })).toMatchObject({ ok: 1, step: 1000 })
  expect(await bars({ since: begin - 800 * DAY })).toMatchObject({ ok: 9, refused: 3, step: 14 * DAY })
  expect((await bars({ tenants: ['nobody'] })).ok).toBe(0)
})
