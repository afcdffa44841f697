// Schemas with choices that hold themselves, as filters and expressions do: a call is checked however deep it goes, and whoever
// made it is told what to change in the form that was meant.
import { scope } from 'arktype'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../../server/tools/schemas/json-schema.ts'
import { answerCheck, argumentCheck } from '../../../../server/tools/schemas/schema-check.ts'
import { selfContained } from '../../../../server/tools/schemas/self-contained.ts'
import { parseWith, type ToolSchema } from '../../../../server/tools/schemas/tool-schema.ts'
import { toPointer } from '../../../../server/errors/pointer.ts'

/** What is wrong with arguments: each place, and what is allowed there. */
function wrongIn(schema: ToolSchema, args: unknown): readonly (readonly [string, unknown])[] {
  const result = parseWith(schema, 'input', args)
  if (result.success) return []
  return result.error.issues.map((issue): [string, unknown] => {
    if (issue.code === 'unrecognized_keys') return [toPointer([...issue.path, ...issue.keys]), 'nothing']
    return [toPointer(issue.path), issue.message]
  })
}

const object = (properties: Readonly<Record<string, unknown>>, more: object = {}): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})

const one = { $ref: '#/$defs/one' }
const ofOne = (one: unknown): ToolSchema => ({
  type: 'object',
  properties: { f: { $ref: '#/$defs/one' } },
  $defs: { one },
})

const expressions = (more: object): ToolSchema =>
  ofOne({
    anyOf: [
      object({ kind: { const: 'not' }, arg: one }, more),
      object({ kind: { const: 'neg' }, arg: one }, more),
      object({ kind: { const: 'leaf' }, v: { type: 'number' } }, more),
    ],
  })

const inArktype = scope({
  not: { kind: "'not'", arg: 'one' },
  neg: { kind: "'neg'", arg: 'one' },
  leaf: { kind: "'leaf'", v: 'number' },
  one: 'not | neg | leaf',
  root: { f: 'one' },
}).export().root

function wrapped(times: number, leaf: object): { readonly f: object } {
  let found = leaf
  for (let level = 0; level < times; level++) found = { kind: 'not', arg: found }
  return { f: found }
}

describe.each<[string, ToolSchema]>([
  ['open', expressions({})],
  ['closed', expressions({ additionalProperties: false })],
  ['closed by what nobody names', expressions({ unevaluatedProperties: false })],
  ['in arktype', inArktype],
])('forms that hold themselves, %s', (_, schema) => {
  // With one more look at each level, sixty levels would never end.
  test.each([0, 4, 18, 60])(
    'are checked %i levels deep, and what is wrong is told of the form that was meant',
    (levels) => {
      const at = `/f${'/arg'.repeat(levels)}`
      expect(wrongIn(schema, wrapped(levels, { kind: 'leaf', v: 1 }))).toEqual([])
      expect(wrongIn(schema, wrapped(levels, { kind: 'leaf', v: 'x' }))).toEqual([
        [`${at}/v`, 'a value of type number'],
      ])
      expect(wrongIn(schema, wrapped(levels, { kind: 'leaf', v: 1, z: 1 }))).toEqual([[`${at}/z`, 'nothing']])
    },
  )
})

test.each([{}, { additionalProperties: false }])('forms without a kind are told apart by what they hold', (more) => {
  const list = { type: 'array', items: one }
  const filters = ofOne({
    oneOf: [object({ and: list }, more), object({ or: list }, more), object({ eq: { type: 'number' } }, more)],
  })
  const and = Array.from({ length: 10 }, (_, at) => ({ or: [{ eq: at % 2 === 0 ? 1 : 'text' }] }))
  expect(wrongIn(filters, { f: { and } })).toEqual(
    [1, 3, 5, 7, 9].map((at) => [`/f/and/${at}/or/0/eq`, 'a value of type number']),
  )
})

test('what two schemas of one value say of it is told once', () => {
  const short = { $ref: '#/$defs/short' }
  const both: ToolSchema = {
    type: 'object',
    properties: { f: { allOf: [short, short] } },
    $defs: { short: { type: 'string', maxLength: 2 } },
  }
  expect(wrongIn(both, { f: 'abc' })).toEqual([['/f', 'text of at most 2 characters']])
})

test('a form that fits in part says which members it names, to a form that has the others', () => {
  const either = {
    anyOf: [
      { properties: { a: {} }, required: ['a'] },
      { properties: { b: {} }, required: ['b'] },
    ],
  }
  const schema: ToolSchema = {
    type: 'object',
    properties: {
      f: { allOf: [{ $ref: '#/$defs/either' }], properties: { q: {} }, unevaluatedProperties: { type: 'number' } },
    },
    $defs: { either },
  }
  expect(wrongIn(schema, { f: { a: 'x', q: 'x', z: 1 } })).toEqual([])
  expect(wrongIn(schema, { f: { a: 'x', q: 'x', z: 'x' } })).toEqual([['/f/z', 'a value of type number']])
})

test('a default of a form is not filled in, whether the form stands in the choice or behind a reference', () => {
  const form = { type: 'object', properties: { a: { default: 5 } } }
  const filled = { type: 'object', properties: { b: { default: 6 } } }
  const schema: ToolSchema = {
    type: 'object',
    properties: { f: { anyOf: [{ $ref: '#/$defs/form' }, form] }, g: { $ref: '#/$defs/filled' } },
    $defs: { form, filled },
  }
  expect(parseWith(schema, 'input', { f: {}, g: {} })).toMatchObject({ data: { f: {}, g: { b: 6 } } })
  expect(parseWith(schema, 'input', { f: {}, g: {} })).not.toMatchObject({ data: { f: { a: 5 } } })
})

test('a member that no form has, and one that goes with another, are told in words', () => {
  const closed = (name: string) => ({ type: 'object', properties: { [name]: {} }, additionalProperties: false })
  expect(wrongIn(ofOne({ anyOf: [closed('a'), closed('b')] }), { f: { z: 1 } })).toContainEqual([
    '/f',
    'an object without z',
  ])
  expect(wrongIn({ type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual([
    ['/b', 'a value, because a is given'],
  ])
})

const forms = Array.from({ length: 40 }, (_, at) => ({
  type: 'object',
  properties: { kind: { const: `k${at}` }, of: { type: 'array', items: one } },
  required: ['kind'],
}))

test.each<[string, readonly unknown[], unknown]>([
  [
    'fits no form',
    Array.from({ length: 9000 }, () => ({})),
    ['/f/of/0', expect.stringContaining('an object with kind')],
  ],
  ['is no object', Array.from({ length: 9000 }, (_, at) => at), ['/f/of/0', 'a value of type object']],
  ['fits the last form', Array.from({ length: 3300 }, () => ({ kind: 'k39', of: [] })), undefined],
])('of a list in forms that hold themselves in which each item %s, each is looked at a few times', (_, of, wrong) => {
  // Where each form looked at the list, and again at each item, this took longer than a test may.
  const found = wrongIn(ofOne({ anyOf: forms }), { f: { kind: 'k0', of } })
  expect(found[0]).toEqual(wrong)
})

test('what was called is forgotten when it has been checked, whether it fits or not', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const checks = [argumentCheck(selfContained(ofOne({ anyOf: forms }) as Schema), false)]
  checks.push(answerCheck(selfContained(ofOne({ anyOf: forms }) as Schema)))
  const call = (kind: string): WeakRef<object> => {
    const value = { f: { kind, of: [{ kind: 'k1' }] } }
    for (const check of checks) expect(check(value).length > 0).toBe(kind === 'none')
    return new WeakRef(value.f)
  }
  const gone = [call('k0'), call('none')]
  await setImmediate()
  collect()
  expect(gone.map((each) => each.deref())).toStrictEqual([undefined, undefined])
})

describe('a member that only a form which fails has', () => {
  const left = { type: 'object', properties: { l: { type: 'object', properties: { q: { type: 'string' } } } } }
  const right = { type: 'object', properties: { r: {} } }
  const choice = (more: object): ToolSchema => ({
    type: 'object',
    properties: { a: { anyOf: [left, right], ...more } },
  })

  test.each([{}, { unevaluatedProperties: false }])('is right where only what is inside of it is wrong: %o', (more) => {
    expect(wrongIn(choice(more), { a: { l: { q: 'x' }, r: 1 } })).toEqual([])
    expect(wrongIn(choice(more), { a: { l: { q: 1 } } })).toEqual([['/a/l/q', 'a value of type string']])
    expect(wrongIn(choice(more), { a: { l: 5 } })).toEqual([['/a/l', 'a value of type object']])
    expect(wrongIn(choice(more), { a: { l: { q: 1 }, z: 1 } })).toContainEqual(['/a/z', 'nothing'])
  })

  test.each([{}, { unevaluatedProperties: false }])('is too many where another form is meant: %o', (more) => {
    const kinds: ToolSchema = {
      type: 'object',
      properties: {
        a: {
          anyOf: [object({ kind: { const: 'a' }, x: { type: 'string' } }), object({ kind: { const: 'b' } })],
          ...more,
        },
      },
    }
    expect(wrongIn(kinds, { a: { kind: 'b', x: 1 } })).toEqual([['/a/x', 'nothing']])
  })
})

/** A schema in which each part says what the next one says in as many ways as `ways` makes of it. */
const diamond = (ways: (next: object) => object): ToolSchema => ({
  type: 'object',
  properties: { f: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      ways(at === 39 ? { type: ['string', 'object'], properties: { a: {} } } : { $ref: `#/$defs/d${at + 1}` }),
    ]),
  ),
})

test.each<[string, ToolSchema]>([
  ['of them each', diamond((next) => ({ anyOf: [next, { allOf: [next, next] }] }))],
  ['all of them', diamond((next) => ({ allOf: [next, next] }))],
  ['just one of them', diamond((next) => ({ oneOf: [next, { allOf: [next, { type: 'number' }] }] }))],
])('a schema that says a thing of a value in many ways looks at it once, %s', (_, schema) => {
  expect(wrongIn(schema, { f: 'x' })).toEqual([])
  expect(wrongIn(schema, { f: { a: 1 } })).toEqual([])
  expect(wrongIn(schema, { f: { b: 1 } })).toEqual([['/f/b', 'nothing']])
})
