// What a schema has spoken of is known whatever else did not fit beside it. What `as-ajv.test.ts` found stands here.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { Schema } from '../../../../server/tools/schemas/json-schema.ts'
import { answerCheck, argumentCheck } from '../../../../server/tools/schemas/schema-check.ts'

const choice = [{ required: ['a1'] }, { required: ['b'] }]

test.each<[string, Schema, unknown]>([
  [
    'patterns of names beside a choice',
    { type: 'object', patternProperties: { '^a': {} }, anyOf: choice, unevaluatedProperties: false },
    { a1: 2 },
  ],
  [
    'a choice under a name that is not there',
    {
      type: 'object',
      properties: { z: {}, k: {} },
      dependentSchemas: { k: { anyOf: choice } },
      unevaluatedProperties: false,
    },
    { z: 2 },
  ],
  [
    'a choice where nothing fits',
    // As text, since the linter takes an object with a member `then` for a promise.
    JSON.parse('{"if":{"unevaluatedProperties":false,"anyOf":[{}],"not":true},"then":{"allOf":[{}]}}') as Readonly<
      Record<string, unknown>
    >,
    null,
  ],
])('%s is taken, as plain Ajv takes it', (_, root, value) => {
  expect(new Ajv2020({ strict: false, logger: false, ownProperties: true, allErrors: true }).compile(root)(value)).toBe(
    true,
  )
  expect(answerCheck(root)(value)).toEqual([])
  expect(argumentCheck({ type: 'object', properties: { q: root } }, false)({ q: value })).toEqual([])
})

test('beside patterns of names, a reference that does not fit is said to be wrong', () => {
  const root: Schema = {
    $defs: { named: { required: ['n'], anyOf: [{ properties: { n: {} } }] } },
    $ref: '#/$defs/named',
    patternProperties: { '^a': {} },
    unevaluatedProperties: false,
  }
  expect(answerCheck(root)({ a1: 2 })).toEqual([expect.objectContaining({ path: ['n'] })])
  expect(answerCheck(root)({ a1: 2, n: 1 })).toEqual([])
})

test('a member with the name of one that all objects have is not spoken of by itself', () => {
  const root: Schema = { properties: { z: {} }, anyOf: [{ required: ['z'] }], unevaluatedProperties: false }
  expect(answerCheck(root)({ z: 1, toString: 1 })).toEqual([expect.objectContaining({ keys: ['toString'] })])
})

test.each([
  ['a reference', { $ref: '#/$defs/a' }],
  ['a choice', { anyOf: [{ $ref: '#/$defs/a' }, { required: ['b'] }] }],
])('a member of which nobody has spoken is refused beside %s, whatever it is called', (_, part) => {
  const $defs = { a: { type: 'object', patternProperties: { '^a': {} } } }
  const check = answerCheck({ type: 'object', ...part, $defs, unevaluatedProperties: false })
  expect(check({ a1: 1 })).toEqual([])
  for (const name of ['toString', 'constructor', 'other'])
    expect([name, check({ a1: 1, [name]: 2 }).length]).toEqual([name, 1])
})
