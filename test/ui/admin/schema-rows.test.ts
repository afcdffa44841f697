// A schema comes from somebody else's server: whatever it is, reading it ends, and every field that it names is there.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaRows } from '../../../ui/admin/tools/schema-rows.ts'

const paths = (schema: Readonly<Record<string, unknown>>) => schemaRows(schema).map(({ path }) => path)

test('nested fields stand after their parent, by the path that one would write', () => {
  const line = {
    type: 'object',
    properties: { sku: { type: 'string' }, quantity: { type: 'integer' } },
    required: ['sku'],
  }
  const schema = {
    type: 'object',
    properties: {
      customer: { type: 'string' },
      lines: { type: 'array', items: line },
      to: { anyOf: [line, { type: 'null' }] },
    },
    required: ['customer', 'lines'],
  }
  expect(paths(schema)).toStrictEqual([
    'customer',
    'lines',
    'lines[].sku',
    'lines[].quantity',
    'to',
    'to.sku',
    'to.quantity',
  ])
  expect(
    schemaRows(schema)
      .filter(({ required }) => required)
      .map(({ path }) => path),
  ).toStrictEqual(['customer', 'lines', 'lines[].sku', 'to.sku'])
  expect(schemaRows(schema)[1]?.type).toBe('list of object')
})

test('limits, choices and defaults are said; what every integer is limited to is not', () => {
  const schema = {
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 40, default: 'x' },
      state: { enum: ['open', 'done'] },
      count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      when: { type: 'string', format: 'date' },
      kind: { const: 'order' },
    },
  }
  expect(schemaRows(schema).map(({ type, rules }) => [type, ...rules])).toStrictEqual([
    ['string', 'characters, at least 1', 'characters, at most 40', 'default "x"'],
    ['one of', '"open", "done"'],
    ['integer', 'at least 1'],
    ['string', 'format date'],
    ['always', '"order"'],
  ])
})

test('references are followed, and one that leads back to itself ends', () => {
  const schema = {
    properties: { root: { $ref: '#/$defs/node' }, lost: { $ref: '#/$defs/nothing' } },
    $defs: { node: { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } } },
  }
  const found = paths(schema)
  expect(found.slice(0, 4)).toStrictEqual(['root', 'root.name', 'root.child', 'root.child.name'])
  expect(found).toContain('lost')
  expect(found.length).toBeLessThan(20)
})

test('any JSON at all is read to an end, with at most 300 rows', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('properties', 'items', 'anyOf', 'type', '$ref', 'enum', 'required', 'default'),
        fc.jsonValue(),
      ),
      (schema) => {
        expect(schemaRows(schema).length).toBeLessThanOrEqual(300)
      },
    ),
  )
})

test('every named property of an object has its row', () => {
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text !== '__proto__')
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
      const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]))
      expect(paths({ properties })).toStrictEqual(Object.keys(properties))
    }),
  )
})
