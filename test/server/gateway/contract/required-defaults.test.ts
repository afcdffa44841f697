// What a schema requires and gives a default for may be left out: it is filled, once, the same each time, and nothing
// else is touched.
import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { checkerOf, inputSchemaOf } from '../../../../server/gateway/contract/argument-check.ts'
import { fillRequired } from '../../../../server/gateway/contract/required-defaults.ts'

const parse = (schema: Record<string, unknown>, args: unknown): unknown => {
  const parsed = inputSchemaOf(schema, checkerOf(schema)).safeParse(args)
  return parsed.success ? parsed.data : parsed.error.issues.map(({ path }) => `/${path.join('/')}`)
}

const clip = { type: 'object', properties: { unit: { type: 'string', default: 'px' } }, required: ['unit'] }

test.each([
  ['a required argument', { type: { default: 'png' } }, ['type'], {}, { type: 'png' }],
  ['not one that may be missing', { type: { default: 'png' } }, [], {}, {}],
  ['not over what is given', { type: { default: 'png' } }, ['type'], { type: 'jpeg' }, { type: 'jpeg' }],
  [
    'false, zero and null as well',
    { a: { default: false }, b: { default: 0 }, c: { default: null } },
    ['a', 'b', 'c'],
    {},
    { a: false, b: 0, c: null },
  ],
  ['inside of what is given', { clip }, [], { clip: {} }, { clip: { unit: 'px' } }],
  ['nothing inside of what is not', { clip }, [], {}, {}],
  ['inside of what is filled', { clip: { ...clip, default: {} } }, ['clip'], {}, { clip: { unit: 'px' } }],
  [
    'inside of lists',
    { all: { type: 'array', items: clip } },
    [],
    { all: [{}, { unit: 'cm' }] },
    { all: [{ unit: 'px' }, { unit: 'cm' }] },
  ],
] as const)('%s is filled', (_, properties, required, args, filled) => {
  expect(parse({ type: 'object', properties, required }, args)).toEqual(filled)
})

test('references and allOf are followed; a choice is not, because nobody said which', () => {
  const $defs = { clip }
  expect(parse({ properties: { clip: { $ref: '#/$defs/clip' } }, $defs }, { clip: {} })).toEqual({
    clip: { unit: 'px' },
  })
  expect(parse({ allOf: [clip] }, {})).toEqual({ unit: 'px' })
  expect(parse({ anyOf: [clip] }, {})).toContain('/unit')
})

test('a default that its own schema refuses is refused, by its place', () => {
  expect(parse({ properties: { n: { type: 'number', default: 'x' } }, required: ['n'] }, {})).toEqual(['/n'])
})

test('a schema that fills itself without end comes to an end', () => {
  const a = { $ref: '#', default: {} }
  const endless = { type: 'object', properties: { a, b: a }, required: ['a', 'b'] }
  expect(JSON.stringify(fillRequired(endless, {})).length).toBeLessThan(100_000)
})

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const objects = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })

test('filling twice is filling once, keeps what was given, and never changes the arguments in place', () => {
  const schemas = fc.tuple(fc.dictionary(names, fc.record({ default: fc.jsonValue({ maxDepth: 1 }) })), fc.array(names))
  fc.assert(
    fc.property(schemas, objects, ([properties, required], args) => {
      const before = JSON.stringify(args)
      const schema = { type: 'object', properties, required }
      const once = fillRequired(schema, args) as Record<string, unknown>
      expect(JSON.stringify(args)).toBe(before)
      expect(fillRequired(schema, once)).toEqual(once)
      for (const key of Object.keys(args)) expect(once[key]).toEqual(args[key])
    }),
  )
})
