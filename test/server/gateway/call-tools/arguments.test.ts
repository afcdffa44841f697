// What arrives as the arguments of an upstream tool, and what is refused before the upstream sees it.
import { expect, test } from 'vitest'
import { readArguments } from '../../../../server/gateway/call-tools/arguments.ts'

test('the text of one JSON object is its arguments; an object that came as one is taken; nothing means none', () => {
  expect(readArguments('{"a": [1, "x"]}')).toEqual({ ok: true, value: { a: [1, 'x'] } })
  expect(readArguments({ a: 1 })).toEqual({ ok: true, value: { a: 1 } })
  for (const nothing of [undefined, null, '']) expect(readArguments(nothing)).toEqual({ ok: true, value: {} })
})

test.each([
  ['{"a": 1,}', /^args_json is not JSON: line 1, column 9/],
  ["{'a': 1}", /^args_json is not JSON: line 1, column 2/],
  ['{"a": "unfinished', /^args_json is not JSON: line 1/],
  ['[1, 2]', /^args_json is a list, not a JSON object$/],
  ['"text"', /^args_json is a string, not a JSON object$/],
  ['null', /^args_json is null, not a JSON object$/],
  [7, /^args_json is a number, not a JSON object$/],
])('refuses %s with the reason and an example', (given, message) => {
  const read = readArguments(given)
  expect(read).toMatchObject({ ok: false, failure: { guidance: expect.stringContaining('{"path": "notes.txt"}') } })
  expect(read.ok ? '' : read.failure.message).toMatch(message)
})

test.each<readonly [string, string, RegExp]>([
  ['three megabytes of text', `{"a":"${'x'.repeat(3_000_000)}"}`, /3000008 characters; at most 2097152 are read/],
  ['thirty thousand values', `{"a":[${'0,'.repeat(30_000)}0]}`, /holds more than 10000 values$/],
  [
    'a hundred thousand lists in one another',
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    /deeper nest at \/a\/0/,
  ],
  ['a hundred thousand lists that do not end', '['.repeat(100_000), /^args_json is not JSON: line 1/],
  ['a million lines and a mistake', `${'\n'.repeat(1_000_000)}{"a"}`, /^args_json is not JSON: line 1000001, column 5/],
])('refuses %s with the limit or the place, without its content', (_, given, message) => {
  const read = readArguments(given)
  expect(read.ok ? '' : read.failure.message).toMatch(message)
  expect(JSON.stringify(read).length).toBeLessThan(2000)
})
