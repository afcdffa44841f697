// Servers write their schemas in every draft there is. Whatever the draft, arguments that break it are refused by field.
import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { checkerOf, inputSchemaOf } from '../../../server/gateway/argument-check.ts'
import { fromDraft4 } from '../../../server/gateway/older-schemas.ts'

const refusals = (schema: Record<string, unknown>, args: unknown): readonly string[] => {
  const parsed = inputSchemaOf(schema, checkerOf(schema)).safeParse(args)
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => `/${path.join('/')}`)
}

const drafts: Readonly<Record<string, string | undefined>> = {
  'draft 4': 'http://json-schema.org/draft-04/schema#',
  'draft 6': 'http://json-schema.org/draft-06/schema#',
  'draft 7': 'http://json-schema.org/draft-07/schema#',
  'draft 2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft 2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'no draft named': undefined,
}

describe.each(Object.entries(drafts))('%s', (_, dialect) => {
  const named = dialect === undefined ? {} : { $schema: dialect }

  test('types, enums, patterns and what is required are checked', () => {
    const schema = {
      ...named,
      type: 'object',
      properties: { id: { type: 'integer' }, kind: { enum: ['a', 'b'] }, code: { type: 'string', pattern: '^x' } },
      required: ['id'],
      additionalProperties: false,
    }
    expect(refusals(schema, { id: 1, kind: 'a', code: 'x1' })).toEqual([])
    expect(refusals(schema, { kind: 'c', code: 'y' }).toSorted()).toEqual(['/code', '/id', '/kind'])
    expect(refusals(schema, { id: 1, more: 1 })).toEqual(['/'])
  })

  test('references into the schema itself are followed', () => {
    const definitions = { positive: { type: 'number', minimum: 1 } }
    const schema = { ...named, type: 'object', properties: { n: { $ref: '#/definitions/positive' } }, definitions }
    expect(refusals(schema, { n: 0 })).toEqual(['/n'])
    expect(refusals(schema, { n: 1 })).toEqual([])
  })
})

test('exclusive limits are checked as draft 4 writes them, with or without its name, at any depth', () => {
  const limited = { minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: false, type: 'number' }
  for (const named of [{ $schema: drafts['draft 4'] }, {}]) {
    const schema = {
      ...named,
      id: 'http://example.com/tool',
      type: 'object',
      properties: { id: limited, list: { type: 'array', items: { anyOf: [limited, { type: 'string' }] } } },
    }
    expect(checkerOf(schema)().kind).toBe('compiled')
    expect(refusals(schema, { id: 0.1, list: [10, 'ten'] })).toEqual([])
    expect(refusals(schema, { id: 0 })).toEqual(['/id'])
    expect(refusals(schema, { id: 11 })).toEqual(['/id'])
    expect(refusals(schema, { list: [0] })).toEqual(['/list/0'])
  }
})

test('saying draft 4 anew changes no number that is taken', () => {
  const taken = (limit: number, strict: boolean, n: number): boolean => (strict ? n > limit : n >= limit)
  fc.assert(
    fc.property(fc.integer(), fc.boolean(), fc.integer(), (minimum, exclusiveMinimum, n) => {
      const schema = { type: 'object', properties: { n: { minimum, exclusiveMinimum } } }
      expect(refusals(schema, { n }).length === 0).toBe(taken(minimum, exclusiveMinimum, n))
      expect(fromDraft4(fromDraft4(schema))).toEqual(fromDraft4(schema))
    }),
  )
})

test("the schema that is listed is the server's own, its draft included", () => {
  const schema = {
    $schema: drafts['draft 4'],
    type: 'object',
    properties: { n: { minimum: 0, exclusiveMinimum: true } },
  }
  expect(z.toJSONSchema(inputSchemaOf(schema, checkerOf(schema)))).toEqual(schema)
})
