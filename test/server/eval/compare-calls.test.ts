import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../server/canonical-json.ts'
import { differencesOf } from '../../../server/eval/compare-calls.ts'

/** Arguments as JSON carries them. */
const args = fc
  .dictionary(
    fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
    fc.jsonValue({ maxDepth: 4 }),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Readonly<Record<string, unknown>>)

/** The same value with its members in another order. */
function turned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(turned)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, turned(member)]),
  )
}

/** Every place of a value. */
const placesIn = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]))
    : []),
]

/** The value with another one at this place; `undefined` leaves the member out. */
function changedAt(value: unknown, [name, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  const members = Object.entries(value as object).map(
    ([own, member]) => [own, own === name ? changedAt(member, rest, change) : member] as const,
  )
  const left = members.filter(([, member]) => member !== undefined)
  return Array.isArray(value) ? left.map(([, member]) => member) : Object.fromEntries(left)
}

const changes: Readonly<Record<string, (old: unknown) => unknown>> = {
  'another type': (old) => (typeof old === 'string' ? { text: old } : JSON.stringify(old)),
  'null or a text for it': (old) => (old === null ? 'null' : null),
  'left out': () => undefined,
  'in a list': (old) => [old],
}

describe('two calls are compared as JSON values', () => {
  test('members in another order are no difference', () => {
    fc.assert(
      fc.property(args, (value) => {
        expect(differencesOf(value, turned(value) as typeof value)).toEqual([])
      }),
    )
  })

  test.each(Object.keys(changes))('any change at any place is one: %s', (name) => {
    fc.assert(
      fc.property(args, fc.nat(), (value, at) => {
        const places = placesIn(value).slice(1)
        const place = places[at % Math.max(1, places.length)]
        fc.pre(place !== undefined)
        const changed = changedAt(value, place ?? [], changes[name] ?? ((old) => old)) as typeof value
        expect(differencesOf(value, changed).length > 0).toBe(canonicalJson(changed) !== canonicalJson(value))
        expect(canonicalJson(changed)).not.toBe(canonicalJson(value))
      }),
    )
  })

  test('a member that is added is one', () => {
    fc.assert(
      fc.property(args, fc.jsonValue({ maxDepth: 1 }), (value, more) => {
        fc.pre(!('added' in value))
        expect(differencesOf(value, { ...value, added: JSON.parse(JSON.stringify(more)) })).toHaveLength(1)
      }),
    )
  })

  test.each<[string, unknown, unknown]>([
    ['a number that looks alike', 0.1, 0.10000000000000002],
    ['a number as a text', 1, '1'],
    ['an empty list for an empty object', [], {}],
    ['an empty text for null', '', null],
    ['a blank at the end', 'a', 'a '],
    ['another kind of blank', 'a b', 'a\u00a0b'],
    ['another composition of a letter', '\u00e9', 'e\u0301'],
  ])('%s is one', (_, expected, got) => {
    expect(differencesOf({ value: expected }, { value: got })).toHaveLength(1)
  })

  test.each<[string, string, string]>([
    ['one thousand', '1e3', '1000'],
    ['a whole number', '3.0', '3'],
    ['a letter as an escape', '"\\u00e9"', '"é"'],
  ])('another spelling is none: %s', (_, expected, got) => {
    expect(differencesOf({ value: JSON.parse(expected) }, { value: JSON.parse(got) })).toEqual([])
  })
})

test('behind a gateway the arguments in args_json are compared, and not the text that they stand in', () => {
  const call = (text: string) => ({ name: 'wiki:create_page', args_json: text })
  const confirmed = call('{"title":"a","labels":[]}')
  expect(differencesOf(confirmed, call('{ "labels": [], "title": "a" }'))).toEqual([])
  expect(differencesOf(confirmed, call('{"title":"b","labels":[]}'))).toEqual(['/args_json/title: "b" for "a"'])
  expect(differencesOf(confirmed, call('{"title":'))).toHaveLength(1)
})
