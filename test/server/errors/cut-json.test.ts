import { assert, constantFrom, integer, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { cutJson, spanOf } from '../../../server/errors/cut-json.ts'

/** Values and levels of a JSON document as a reader of it counts them. */
const measure = (value: unknown): { readonly values: number; readonly levels: number } => {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 }
  const inner = Object.values(value).map(measure)
  return {
    values: inner.reduce((sum, each) => sum + each.values, 1),
    levels: 1 + Math.max(0, ...inner.map((each) => each.levels)),
  }
}

const documents = jsonValue({ stringUnit: 'binary', maxDepth: 5 })
const oddText = string({ unit: constantFrom('"', '\\', ',', '[', '{', ']', '}', ':') })

test('a text within both limits is left as it is, and one value or level more is not', () => {
  assert(
    property(documents, oddText, (value, text) => {
      const document = { [text]: value, text }
      const { values, levels } = measure(document)
      for (const written of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
        expect(cutJson(written, { values, levels })).toBeUndefined()
        expect(cutJson(written, { values: values - 1, levels })).toMatchObject({ over: 'values' })
        expect(cutJson(written, { values, levels: levels - 1 })).toMatchObject({ over: 'levels' })
      }
    }),
  )
})

test('what is left of a text that was cut is JSON within the limits, and begins as the text does', () => {
  assert(
    property(documents, integer({ min: 1, max: 20 }), integer({ min: 0, max: 4 }), (value, values, levels) => {
      const cut = cutJson(JSON.stringify(value), { values, levels })
      if (cut === undefined) return
      const left = measure(JSON.parse(cut.text))
      expect(left.values).toBeLessThanOrEqual(values)
      expect(left.levels).toBeLessThanOrEqual(levels)
      const shallow = cutJson(JSON.stringify(value), { values, levels: 99 })?.text ?? ''
      expect(JSON.stringify(value).startsWith(shallow.replace(/[\]}]*$/, ''))).toBe(true)
    }),
  )
})

test.each<readonly [string, number, number, string, 'values' | 'levels']>([
  ['[1,2,3,4]', 3, 9, '[1,2]', 'values'],
  ['{"a":[1,{"b":2,"c":3}],"d":4}', 5, 9, '{"a":[1,{"b":2}]}', 'values'],
  ['[[],[],[]]', 3, 9, '[[],[]]', 'values'],
  ['{"a":{"b":{"c":[1]}},"d":4}', 99, 2, '{"a":{"b":null},"d":4}', 'levels'],
  ['[ [ [ ] ] , 1 ]', 99, 1, '[ null , 1 ]', 'levels'],
])('%s with at most %i values in %i levels is %s', (text, values, levels, left, over) => {
  expect(cutJson(text, { values, levels })).toStrictEqual({ text: left, over })
})

test('the place of a member in the text is that of the value that JSON.parse gives it', () => {
  assert(
    property(documents, documents, oddText, (value, other, key) => {
      for (const space of [0, 3]) {
        const text = JSON.stringify({ [`${key}x`]: other, params: { other, [key]: value }, last: 1 }, null, space)
        const span = spanOf(text, ['params', key])
        expect(JSON.parse(text.slice(span?.start, span?.end))).toStrictEqual(JSON.parse(JSON.stringify(value)))
      }
    }),
  )
  const twice = '{"params":{"a":1},"p\\u0061rams":{"a":2,"a":3}}'
  const span = spanOf(twice, ['params', 'a'])
  expect(twice.slice(span?.start, span?.end)).toBe('3')
})

test.each(['', '[]', '{"params":', '{"params":[1]}', '{"params":{"b":1}}', '{"params" {}}', '{"params":{"a":[1'])(
  'no member is found in %s',
  (text) => {
    expect(spanOf(text, ['params', 'a'])).toBeUndefined()
  },
)
