// Names of places in a JSON value: what is signed under one name must be one thing.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyName, pathLabel, type Place } from '../../../server/cards/path-label.ts'
import { showInvisible } from '../../../server/cards/invisible-characters.ts'
import { anyCharacter } from '../../kit/any-character.ts'

test.each<[Place, string]>([
  [['customer'], 'customer'],
  [['lines', 1, 'sku'], 'lines[2].sku'],
  [['First name'], 'First name'],
  [['path'], 'path'],
  [['', 'path'], '//path'],
  [['a.b'], '/a.b'],
  [['a › b'], '/a\\u0020\\u203A\\u0020b'],
  [['lines[2]', 'sku'], '/lines[2]/sku'],
  [['a/b', 'c~d'], '/a~1b/c~0d'],
  [['pa\u200Bth'], '/pa\\u200Bth'],
  [['e\u0301'], '/e\\u0301'],
  [['a', 'b\\u0020'], '/a/b\\u005Cu0020'],
])('%j is called %s', (place, name) => {
  expect(pathLabel(place)).toBe(name)
})

const tricky = fc.oneof(
  fc.constantFrom(
    '',
    'path',
    'a',
    'b',
    'a.b',
    'a › b',
    'a[1]',
    '[1]',
    '/a',
    'a/b',
    'a~1b',
    '\\u0020',
    ' ',
    'a ',
    'a: b',
    '0',
    '1',
  ),
  fc.string({
    unit: fc.constantFrom('a', '.', '[', '1', ']', '/', '~', ' ', '›', '\\', '\u200B', 'é', 'e\u0301', 'ﬁ'),
    maxLength: 5,
  }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
)

/** Every leaf of a value by its place. */
const leavesOf = (value: unknown, place: Place = []): Place[] =>
  typeof value !== 'object' || value === null
    ? [place]
    : Array.isArray(value)
      ? value.flatMap((item, index) => leavesOf(item, [...place, index]))
      : Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...place, key]))

const anyObject = fc.dictionary(
  tricky,
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant('x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(tricky, tie('value'), { maxKeys: 4 }),
    ),
  })).value,
  { maxKeys: 5 },
)

/** As a reader sees it: in one spelling, runs of spaces as one, whatever is invisible gone. */
const asSeen = (name: string): string =>
  showInvisible(name)
    .replace(/\[U\+[0-9A-F]+\]/g, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()

test('two different leaves of one value never have one name, nor two that look the same', () => {
  fc.assert(
    fc.property(anyObject, (value) => {
      const names = leavesOf(value).map(pathLabel)
      expect(new Set(names.map(asSeen)).size).toBe(names.length)
    }),
    { numRuns: 2_000 },
  )
})

test('two different keys never have one name, nor one that holds a separator unquoted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(tricky, { maxLength: 8 }), (keys) => {
      const names = keys.map(keyName)
      expect(new Set(names.map(asSeen)).size).toBe(keys.length)
      for (const name of names) expect(name).toMatch(/^"[!-~]*"$|^[^"./[\]›\\]+$/u)
    }),
    { numRuns: 2_000 },
  )
})
