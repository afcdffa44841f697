// Each preview asks how long its tool takes; the record is looked through for that once in a while.
import { expect, test } from 'vitest'
import { keepTypicalDurations } from '../../../../server/compose/operations/typical-durations.ts'
import { createClock } from '../../../kit/clock.ts'

const of = { tenant: 'default', tool: 'orders_create' }

test('how long a tool takes is asked for once a minute, and every five seconds while nobody knows', async () => {
  const clock = createClock()
  let asked = 0
  let known: number | undefined
  const typical = keepTypicalDurations(() => Promise.resolve((asked++, known)), clock.now)
  expect([await typical(of), await typical(of), asked]).toStrictEqual([undefined, undefined, 1])
  known = 40
  clock.pass(4_999)
  expect([await typical(of), asked]).toStrictEqual([undefined, 1])
  clock.pass(1)
  expect([await typical(of), asked]).toStrictEqual([40, 2])
  known = 50
  clock.pass(59_999)
  expect([await typical(of), asked]).toStrictEqual([40, 2])
  expect([await typical({ ...of, tenant: 'other' }), asked]).toStrictEqual([50, 3])
  clock.pass(1)
  expect([await typical(of), asked]).toStrictEqual([50, 4])
})
