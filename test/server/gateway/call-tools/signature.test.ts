// A schema on one line: what a call needs is in it whatever else there is no room for, and no schema is too strange.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { signatureOf } from '../../../../server/gateway/call-tools/signature.ts'

const object = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const text = { type: 'string' }

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['{}', { type: 'object' }],
  ['{path: string}', object({ path: text }, ['path'])],
  ['{path: string, head?: number}', object({ head: { type: 'number' }, path: text }, ['path'])],
  ['{mode?: "fast" | "safe" = "safe"}', object({ mode: { enum: ['fast', 'safe'], default: 'safe' } })],
  ['{kind: "a"}', object({ kind: { const: 'a' } }, ['kind'])],
  ['{at?: string (date-time)}', object({ at: { type: 'string', format: 'date-time' } })],
  ['{id?: string | number}', object({ id: { type: ['string', 'number'] } })],
  ['{ids?: (string | number)[]}', object({ ids: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } })],
  [
    '{edits: {old: string, new?: string}[]}',
    object({ edits: { type: 'array', items: object({ new: text, old: text }, ['old']) } }, ['edits']),
  ],
  ['{labels?: {[name]: string}}', object({ labels: { type: 'object', additionalProperties: text } })],
  [
    '{to: {street: string}}',
    object({ to: { $ref: '#/$defs/a' } }, ['to'], { $defs: { a: object({ street: text }, ['street']) } }),
  ],
  ['{"a b": any, undeclared: any}', object({ 'a b': true }, ['a b', 'undeclared'])],
])('%s', (signature, schema) => {
  expect(signatureOf(schema, 500)).toBe(signature)
})

test('where there is little room, what may be left out is only named, and then not even that', () => {
  const schema = object({ path: text, mode: { enum: ['first', 'second'] }, depth: { type: 'integer' } }, ['path'])
  expect(signatureOf(schema, 45)).toBe('{path: string, and optional: mode, depth}')
  expect(signatureOf(schema, 20)).toBe('{path}')
})

test('a schema that refers to itself comes to an end', () => {
  const node = object({
    left: { $ref: '#' },
    right: { anyOf: [{ $ref: '#' }, { type: 'array', items: { $ref: '#' } }] },
  })
  expect(signatureOf(node, 400).length).toBeLessThanOrEqual(400)
  expect(signatureOf(object({ a: { items: { $ref: '#/properties/a' }, type: 'array' } }), 400)).toBe('{optional: a}')
})

test('any object is read as a schema, on one line and within its length', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 20, max: 400 }), (schema, longest) => {
      const signature = signatureOf(schema, longest)
      expect(signature.length).toBeLessThanOrEqual(longest)
      expect(signature).not.toContain('\n')
    }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 10 }), (names) => {
      const schema = object(Object.fromEntries(names.map((name) => [name, text])), names)
      for (const name of names) expect(signatureOf(schema, 320)).toContain(`${name}: string`)
    }),
  )
})
