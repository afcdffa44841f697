// Forms from schemas nobody has seen: what is filled in must reach the server unchanged, and what is not must be absent.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { emptyValue, fieldsOf, settle, type Field, type NamedField } from '../../../ui/playground/tools/schema.ts'

const fieldsFor = (schema: unknown): readonly NamedField[] => {
  const fields = fieldsOf(schema)
  if (fields === undefined) throw new Error('no form')
  return fields
}
const only = (schema: Record<string, unknown>): NamedField => {
  const [field] = fieldsFor({ type: 'object', properties: { it: schema } })
  if (field === undefined) throw new Error('no field')
  return field
}

describe('fields from a schema', () => {
  test.each<[string, Record<string, unknown>, Field['kind']]>([
    ['a string', { type: 'string' }, 'text'],
    ['an integer', { type: 'integer' }, 'number'],
    ['an enum', { enum: ['a', 'b'] }, 'choice'],
    ['a union of constants', { anyOf: [{ const: 1 }, { const: 'x' }] }, 'choice'],
    ['a nullable string', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text'],
    ['a nullable number in short', { type: ['number', 'null'] }, 'number'],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: {} } }, 'rows'],
    ['an object', { type: 'object', properties: { a: {} } }, 'group'],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'json'],
    ['a real union', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'json'],
    ['no type at all', {}, 'json'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'json'],
    ['a reference to nowhere with a type beside it', { $ref: '#/$defs/none', type: 'string' }, 'json'],
  ])('%s becomes %s', (_name, schema, kind) => {
    expect(only(schema).field.kind).toBe(kind)
  })

  test.each<[string, Record<string, unknown>, boolean]>([
    ['note', { type: 'string', maxLength: 200 }, false],
    ['note', { type: 'string', maxLength: 201 }, true],
    ['name', { type: 'string' }, false],
    ['email_body', { type: 'string' }, true],
    ['code', { type: 'string', pattern: '^[A-Z]{3}$' }, false],
    ['page', { type: 'string', contentMediaType: 'text/html' }, true],
    ['description', { anyOf: [{ type: 'string' }, { type: 'null' }] }, true],
  ])('%s as %j has several lines: %s', (name, schema, long) => {
    const [field] = fieldsFor({ type: 'object', properties: { [name]: schema } })
    expect(field?.field).toMatchObject({ kind: 'text', long })
  })

  test('a schema that refers to itself ends as a box for JSON instead of never', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { child: { $ref: '#/$defs/node' } } } },
    }
    expect(JSON.stringify(fieldsOf(schema))).toContain('"json"')
  })

  test('what is not an object with properties has no form', () => {
    for (const schema of [undefined, null, 'x', [], { type: 'object' }, { type: 'string' }])
      expect(fieldsOf(schema)).toBeUndefined()
  })

  test('a default makes a field optional and is shown, not sent', () => {
    const schema = z.toJSONSchema(z.object({ limit: z.int().default(20) }))
    const [limit] = fieldsFor(schema)
    expect([limit?.required, limit?.fallback]).toEqual([false, 20])
    expect(settle({ kind: 'group', fields: fieldsFor(schema) }, {})).toEqual({})
  })

  test('a pattern that browsers cannot read is left to the server', () => {
    expect(only({ type: 'string', pattern: '^[a-z]+$' }).pattern).toBe('^[a-z]+$')
    expect(only({ type: 'string', pattern: '^[a-z&&]+(' }).pattern).toBeUndefined()
  })
})

describe('values of a form', () => {
  const order = z.object({
    customer: z.string(),
    lines: z.array(z.object({ sku: z.string(), quantity: z.int(), note: z.string().optional() })).min(1),
    contact: z.string().nullable().optional(),
    address: z.object({ city: z.string().optional() }).optional(),
  })
  const group = { kind: 'group', fields: fieldsFor(z.toJSONSchema(order)) } as const

  test('whatever was filled in arrives unchanged', () => {
    const text = fc.string({ minLength: 1 })
    const filled = fc.record(
      {
        customer: text,
        lines: fc.array(
          fc.record({ sku: text, quantity: fc.integer(), note: text }, { requiredKeys: ['sku', 'quantity'] }),
        ),
        contact: fc.option(text),
      },
      { requiredKeys: ['customer', 'lines'] },
    )
    fc.assert(
      fc.property(filled, (value) => {
        expect(settle(group, value)).toEqual(value)
      }),
    )
  })

  test('empty optional fields are left out, a field cleared with null is not', () => {
    expect(settle(group, { customer: 'ACME', lines: [], contact: '', address: { city: '' } })).toEqual({
      customer: 'ACME',
      lines: [],
    })
    expect(settle(group, { customer: 'ACME', lines: [], contact: null })).toMatchObject({ contact: null })
  })

  test('a list that needs an entry starts with one', () => {
    expect(emptyValue(group)).toMatchObject({ lines: [{}] })
  })
})
