import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases, usualRequests } from '../../../server/eval/cases.ts'
import { shareOf } from '../../../server/eval/measures.ts'
import { planOf, requestsOf } from '../../../server/eval/run.ts'
import { intervalOf, percent } from '../../../server/eval/report/report-words.ts'

describe('a share', () => {
  // Figures of Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i lies where Wilson says', (right, of, low, high) => {
    const share = shareOf(right, of)
    expect(share.low).toBeCloseTo(low, 4)
    expect(share.high).toBeCloseTo(high, 4)
  })

  test('is inside of its interval, and the interval inside of 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (of, some) => {
        const { rate = -1, low = -1, high = -1 } = shareOf(some % (of + 1), of)
        expect([low >= 0, low <= rate, rate <= high, high <= 1]).toEqual([true, true, true, true])
      }),
    )
  })

  test('of nothing is none', () => {
    expect(shareOf(0, 0)).toEqual({ right: 0, of: 0 })
    expect(intervalOf(shareOf(0, 0))).toBe('—')
  })

  test('that is not whole is not shown as whole', () => {
    expect([percent(0.999), percent(1), percent(0.001), percent(0), percent(0.954)]).toEqual([
      '>99 %',
      '100 %',
      '<1 %',
      '0 %',
      '95 %',
    ])
  })
})

describe('a plan', () => {
  test('plays all cases with the whole coaching, and some of them with each other wording', () => {
    const plan = planOf(cases, 2, undefined)
    const compared = cases.filter(({ isCompared }) => isCompared === true)
    expect(plan.filter(({ wording }) => wording === 'full')).toHaveLength(2 * cases.length)
    expect(plan.filter(({ wording }) => wording === 'none')).toHaveLength(2 * compared.length)
    expect(plan).toHaveLength(2 * cases.length + 8 * compared.length)
  })

  test('plays all cases with each wording that is named', () => {
    expect(planOf(cases, 1, ['none', 'full'])).toHaveLength(2 * cases.length)
  })

  test('says no fewer requests at the most than it usually takes', () => {
    expect(cases.filter((one) => usualRequests(one) > one.requests)).toEqual([])
    expect(requestsOf(planOf(cases, 2, undefined))).toEqual({ usual: 152, most: 344 })
  })
})
