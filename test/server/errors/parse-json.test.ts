import { assert, constantFrom, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { holdsMoreValues, parseJson } from '../../../server/errors/parse-json.ts'

/** Values of a JSON document as a reader of it counts them, empty lists and objects with one place for a value. */
const valuesOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1
  const members = Object.values(value)
  return 1 + Math.max(1, members.length === 0 ? 1 : members.reduce((sum: number, each) => sum + valuesOf(each), 0))
}

test('a text is parsed as JSON.parse does, and anything else is refused as no JSON', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(parseJson(JSON.stringify(value))).toStrictEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) })
    }),
  )
  expect(parseJson('{"a":')).toStrictEqual({ ok: false, failure: 'not-json' })
})

test('values are counted as they are, whatever stands in texts and keys', () => {
  assert(
    property(
      jsonValue({ stringUnit: 'binary' }),
      string({ unit: constantFrom('"', '\\', ',', '[', '{') }),
      (value, text) => {
        const document = { [text]: value, text }
        const count = valuesOf(document)
        for (const written of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
          expect(holdsMoreValues(written, count)).toBe(false)
          expect(holdsMoreValues(written, count - 1)).toBe(true)
        }
      },
    ),
  )
})

test('a text with too many values is not parsed', () => {
  expect(parseJson(`[${'0,'.repeat(30_000)}0]`)).toStrictEqual({ ok: false, failure: 'too-many-values' })
})
