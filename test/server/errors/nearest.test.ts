// Names that are near are found by less than a comparison of each, and are the same.
import { assert, constantFrom, property, string, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { nearest, Vocabulary } from '../../../server/errors/nearest.ts'

/** Levenshtein's distance, as it is defined. */
const distance = (a: string, b: string): number =>
  a === '' || b === ''
    ? a.length + b.length
    : Math.min(
        distance(a.slice(1), b) + 1,
        distance(a, b.slice(1)) + 1,
        distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
      )

const name = string({ unit: constantFrom('a', 'b', 'A', 'é', '_', '1'), maxLength: 5 })

const near = (wanted: string, known: readonly string[]): readonly string[] =>
  known
    .map((one) => ({ one, off: distance(wanted.toLowerCase(), one.toLowerCase()) }))
    .filter(({ off }) => off <= 2)
    .toSorted((a, b) => a.off - b.off || (a.one < b.one ? -1 : 1))
    .map(({ one }) => one)

test('all names within two letters are found, nearest first, and no others', () => {
  assert(
    property(name, uniqueArray(name, { maxLength: 6 }), (wanted, known) => {
      expect(nearest(wanted, known, 10)).toEqual(near(wanted, known))
      expect(nearest(wanted, known, 10, known[0])).toEqual(near(wanted, known.slice(1)))
      expect(nearest(wanted, new Vocabulary(known).likely(wanted), 10)).toEqual(near(wanted, known))
    }),
    { numRuns: 60 },
  )
})

test('a vocabulary has its names, and leaves most others out at once', () => {
  const words = new Vocabulary(['return', 'yield', 'import', 'retain'])
  expect(words.has('yield')).toBe(true)
  expect(words.has('yeild')).toBe(false)
  expect(words.likely('retrun')).toEqual(['return', 'retain'])
})
