// An input takes what its schema names, however the schema says it.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseWith, type ToolSchema } from '../../../../server/tools/schemas/tool-schema.ts'
import { standard } from '../../../kit/schemas.ts'

const object = (properties: Readonly<Record<string, unknown>>, more: object = {}): ToolSchema => ({
  type: 'object',
  properties,
  ...more,
})
const named = { type: 'object', properties: { name: { type: 'string' } } }

const conditional: unknown = JSON.parse(
  '{"if":{"properties":{"k":{"const":1}},"required":["k"]},"then":{"properties":{"a":{}}},"else":{"properties":{"b":{}}}}',
)

test.each<[string, ToolSchema, unknown, unknown]>([
  ['an argument', object({ a: {} }), { a: 1 }, { a: 1, constructor: 1 }],
  ['an argument of none', { type: 'object' }, {}, { a: 1 }],
  ['a part', object({ to: named }), { to: { name: 'a' } }, { to: { name: 'a', admin: true } }],
  ['a part in arktype', ark({ to: { name: 'string' } }), { to: { name: 'a' } }, { to: { name: 'a', admin: true } }],
  [
    'a part that may be null',
    ark({ to: ark({ name: 'string' }).or('null') }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a value of a record',
    ark({ by: { '[string]': { n: 'number' } } }),
    { by: { x: { n: 1 } } },
    { by: { x: { n: 1, admin: true } } },
  ],
  [
    'an item of a list',
    object({ list: { type: 'array', items: named } }),
    { list: [{ name: 'a' }] },
    { list: [{ name: 'a', admin: true }] },
  ],
  [
    'an item of a tuple, or of its rest',
    ark({ list: [{ a: 'string' }, '...', ark({ b: 'string' }).array()] }),
    { list: [{ a: 'x' }, { b: 'y' }] },
    { list: [{ a: 'x' }, { b: 'y', a: 'x' }] },
  ],
  [
    'a part that is a reference to a reference',
    object({ to: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: named } }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part with more beside its reference',
    object({ to: { $ref: '#/$defs/a', properties: { age: {} } } }, { $defs: { a: named } }),
    { to: { name: 'a', age: 7 } },
    { to: { name: 'a', age: 7, admin: true } },
  ],
  [
    'one of two forms',
    object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 1 },
    { a: 1, admin: true },
  ],
  [
    'parts that several schemas name',
    object({ a: {} }, { allOf: [{ properties: { b: {} } }] }),
    { a: 1, b: 1 },
    { a: 1, b: 1, admin: true },
  ],
  [
    'a part with the name of a member of every object',
    object({ to: { anyOf: [named, { type: 'null' }] } }),
    { to: { name: 'a' } },
    { to: { name: 'a', toString: 'x' } },
  ],
  [
    'a part of which its own schema says it, as every object is',
    object({ to: { anyOf: [named, { type: 'null' }], unevaluatedProperties: false } }),
    { to: { name: 'a' } },
    { to: { name: 'a', hasOwnProperty: 'x' } },
  ],
  [
    'a part that is a reference to an anchor',
    object({ to: { $ref: '#to' } }, { $defs: { a: { $anchor: 'to', ...named } } }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part that is a reference to an address',
    object({ to: { $ref: 'https://x.test/a' } }, { $defs: { a: { $id: 'https://x.test/a', ...named } } }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part whose address counts from that of the schema',
    object({ to: { $ref: 'https://x.test/a' } }, { $id: 'https://x.test/all', $defs: { a: { $id: 'a', ...named } } }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part that is a reference which counts from that address',
    object(
      { to: { $ref: 'in/a#it' } },
      {
        $id: 'https://x.test/all',
        $defs: { a: { $id: '/in/a', $defs: { it: { $anchor: 'it', ...named } } } },
      },
    ),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part that is a reference with an escape',
    object({ to: { $ref: '#/$defs/a%20b' } }, { $defs: { 'a b': named } }),
    { to: { name: 'a' } },
    { to: { name: 'a', admin: true } },
  ],
  [
    'a part of what stands outside of all schemas',
    object({ to: { $ref: '#/components/to' } }, { components: { to: object({ by: named }) } }),
    { to: { by: { name: 'a' } } },
    { to: { by: { name: 'a', admin: true } } },
  ],
  [
    'the schema again',
    object({ n: {}, kids: { type: 'array', items: { $ref: '#' } } }),
    { n: 1, kids: [{ n: 2, kids: [] }] },
    { n: 1, kids: [{ n: 2, kids: [{ admin: true }] }] },
  ],
  [
    'the schema again, by its address',
    object({ n: {}, kid: { $ref: 'https://x.test/root' } }, { $id: 'https://x.test/root' }),
    { n: 1, kid: { n: 2 } },
    { n: 1, kid: { n: 2, admin: true } },
  ],
  [
    'a part of a type in arktype that holds itself',
    ark.scope({ Node: { n: 'string', 'kids?': 'Node[]' }, In: { root: 'Node' } }).export().In,
    { root: { n: 'a', kids: [{ n: 'b' }] } },
    { root: { n: 'a', kids: [{ n: 'b', admin: true }] } },
  ],
  [
    'a part that two schemas of one object describe',
    toStandardJsonSchema(
      v.intersect([
        v.object({ to: v.object({ a: v.string(), at: v.object({ x: v.number() }) }) }),
        v.object({ to: v.object({ b: v.string(), at: v.object({ y: v.number() }) }) }),
      ]),
    ),
    { to: { a: 'x', b: 'y', at: { x: 1, y: 2 } } },
    { to: { a: 'x', b: 'y', at: { x: 1, y: 2, z: 3 } } },
  ],
  [
    'items that two schemas of one list describe',
    object({ list: { allOf: [{ items: { properties: { a: {} } } }, { items: { properties: { b: {} } } }] } }),
    { list: [{ a: 1, b: 2 }] },
    { list: [{ a: 1, b: 2, admin: true }] },
  ],
  [
    'a part that has more than the one that it refers to',
    object({
      a: { type: 'object', properties: { q: {} } },
      b: { allOf: [{ $ref: '#/properties/a' }, { properties: { r: {} } }] },
    }),
    { a: { q: 1 }, b: { q: 1, r: 2 } },
    { a: { q: 1 }, b: { q: 1, r: 2, admin: true } },
  ],
  ['a part with a condition', object({ to: conditional }), { to: { k: 1, a: 2 } }, { to: { k: 2, b: 1 } }],
  [
    'what a member asks for',
    object({ to: { properties: { a: {} }, dependentSchemas: { a: { properties: { b: {} } } } } }),
    { to: { a: 1, b: 1 } },
    { to: { b: 1 } },
  ],
  [
    'names by a pattern of a library, whose flags are not told',
    standard((given) => ({ value: given }), object({ by: { type: 'object', patternProperties: { '^x-': {} } } })),
    { by: { 'X-a': 1 } },
    { by: { 'y-a': 1 } },
  ],
])('takes no member that it does not name: %s', (_, schema, sound, strange) => {
  expect(parseWith(schema, 'input', sound)).toMatchObject({ success: true, data: sound })
  const refused = parseWith(schema, 'input', strange)
  expect(refused.success || refused.error.issues.map(({ code }) => code)).toContain('unrecognized_keys')
})

test.each<[string, ToolSchema]>([
  ['says additionalProperties', object({}, { additionalProperties: true })],
  ['says it of their values', object({}, { additionalProperties: { type: 'number' } })],
])('takes other members where it %s', (_, schema) => {
  expect(parseWith(schema, 'input', { a: 1 }).success).toBe(true)
})

test('takes anything inside of an object of which it names nothing', () => {
  const given = { data: { a: { b: 1 } } }
  expect(parseWith(object({ data: { type: 'object' } }), 'input', given).success).toBe(true)
  expect(parseWith(ark({ data: 'object' }), 'input', given).success).toBe(true)
})
