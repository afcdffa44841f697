// The interval of a difference is what keeps operators from acting on chance, so it has to be right where there is little
// data and where all or none are resolved.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf, type Share } from '../../../../server/operations/insights/interval.ts'

const share = fc
  .integer({ min: 1, max: 5000 })
  .chain((of) => fc.record({ hits: fc.integer({ min: 0, max: of }), of: fc.constant(of) }))

const between = (one: Share, other: Share) => {
  const found = differenceOf(one, other)
  if (found === undefined) throw new Error('Nothing to compare.')
  return found
}

test('contains the difference that was seen, and lies between none and all', () => {
  fc.assert(
    fc.property(share, share, (one, other) => {
      const { difference, low, high } = between(one, other)
      expect(difference).toBe(one.hits / one.of - other.hits / other.of)
      expect(low).toBeLessThanOrEqual(difference)
      expect(high).toBeGreaterThanOrEqual(difference)
      expect(low).toBeGreaterThanOrEqual(-1)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThan(high)
    }),
  )
})

test('is the mirror image when the two change places', () => {
  fc.assert(
    fc.property(share, share, (one, other) => {
      const [there, back] = [between(one, other), between(other, one)]
      expect(there.low).toBeCloseTo(-back.high, 12)
      expect(there.high).toBeCloseTo(-back.low, 12)
    }),
  )
})

test('is narrower with more data of the same shares', () => {
  fc.assert(
    fc.property(share, share, fc.integer({ min: 2, max: 50 }), (one, other, times) => {
      const more = ({ hits, of }: Share): Share => ({ hits: hits * times, of: of * times })
      const [few, many] = [between(one, other), between(more(one), more(other))]
      expect(many.high - many.low).toBeLessThan(few.high - few.low)
    }),
  )
})

test('of nothing is none', () => {
  const nothing = { hits: 0, of: 0 }
  const some = { hits: 1, of: 2 }
  expect([differenceOf(nothing, some), differenceOf(some, nothing), differenceOf(nothing, nothing)]).toStrictEqual([
    undefined,
    undefined,
    undefined,
  ])
})

// Newcombe's own table (1998, table II, method 10).
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('of %i of %i and %i of %i is that of the paper', (hits, of, others, ofOthers, low, high) => {
  const found = between({ hits, of }, { hits: others, of: ofOthers })
  expect([found.low, found.high]).toStrictEqual([expect.closeTo(low, 4), expect.closeTo(high, 4)])
})
