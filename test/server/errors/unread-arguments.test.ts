import { expect, test } from 'vitest'
import { boundedArguments, parseArguments, UnreadArguments } from '../../../server/errors/unread-arguments.ts'

const list = (length: number): string => `[${'0,'.repeat(length - 1)}0]`
const nest = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

test.each([
  ['10,000 arguments', `{${Array.from({ length: 10_000 }, (_, at) => `"x${at}":0`).join(',')}}`],
  ['a list and its 9,999 values', `{"a":${list(9999)}}`],
  ['63 lists in one another', `{"a":${nest(63)}}`],
  ['one text of a megabyte', `{"a":"${'[{'.repeat(500_000)}"}`],
])('%s are read whole', (_, text) => {
  const whole = JSON.parse(text) as unknown
  expect(parseArguments(text)).toStrictEqual(whole)
  expect(boundedArguments(whole)).toBe(whole)
})

test.each<readonly [string, string, string, RegExp]>([
  [
    '10,001 arguments',
    `{${Array.from({ length: 10_001 }, (_, at) => `"x${at}":0`).join(',')}}`,
    '',
    /at most 10000 values in all/,
  ],
  ['a list and its 10,000 values', `{"a":${list(10_000)}}`, '', /at most 10000 values/],
  ['65 lists in one another', `{"a":${nest(65)}}`, `/a${'/0'.repeat(64)}`, /at most 64 levels/],
  ['a hundred thousand lists', `{"a":${nest(100_000)}}`, `/a${'/0'.repeat(64)}`, /at most 64 levels/],
  ['many values behind a deep nest', `{"a":${nest(100_000)},"b":${list(30_000)}}`, `/a${'/0'.repeat(64)}`, /64 levels/],
  ['a long list that is the arguments', list(30_000), '', /an object of named arguments/],
])('%s are not read: the place and the limit are named', (_, text, pointer, allowed) => {
  const read = boundedArguments(parseArguments(text))
  expect(read).toBeInstanceOf(UnreadArguments)
  expect(read).toMatchObject({ why: { pointer, allowed: expect.stringMatching(allowed) } })
  expect(JSON.stringify(read).length).toBeLessThan(1000)
})

test('values that somebody else has parsed are refused with the same words', () => {
  for (const text of [`{"a":${list(30_000)}}`, `{"a":${nest(70)}}`, list(30_000)]) {
    const read = boundedArguments(JSON.parse(text))
    expect(read).toMatchObject({ why: (boundedArguments(parseArguments(text)) as UnreadArguments).why })
    expect(JSON.stringify(read).length).toBeLessThan(1000)
  }
})
