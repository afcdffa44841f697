// What arrives as the arguments of an upstream tool, and what is refused before the upstream sees it.
import { expect, test } from 'vitest'
import { readArguments } from '../../../server/gateway/arguments.ts'

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
