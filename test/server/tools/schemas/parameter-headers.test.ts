import { expect, test } from 'vitest'
import {
  headerMismatch,
  headersOf,
  parameterHeaders,
  withoutParameterHeaders,
} from '../../../../server/tools/schemas/parameter-headers.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

test.each<readonly [string, Record<string, unknown>]>([
  ['an empty name', object({ a: { type: 'string', 'x-mcp-header': '' } })],
  ['a name that is no text', object({ a: { type: 'string', 'x-mcp-header': 1 } })],
  ['a name with a blank', object({ a: { type: 'string', 'x-mcp-header': 'My Region' } })],
  ['a name with a colon', object({ a: { type: 'string', 'x-mcp-header': 'Region:1' } })],
  ['a name with a line break', object({ a: { type: 'string', 'x-mcp-header': 'Region\r\nX: 1' } })],
  ['a letter that is not ASCII', object({ a: { type: 'string', 'x-mcp-header': 'Région' } })],
  ['a number', object({ a: { type: 'number', 'x-mcp-header': 'A' } })],
  ['an object', object({ a: { type: 'object', 'x-mcp-header': 'A' } })],
  ['several types', object({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } })],
  ['no type', object({ a: { 'x-mcp-header': 'A' } })],
  ['the same name twice', object({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } })],
  ['all arguments', object({}, { 'x-mcp-header': 'All' })],
  ['items', object({ a: { type: 'array', items: region } })],
  ['a part of a union', object({ a: { anyOf: [region] } })],
  ['a condition', object({}, { if: object({ a: region }) })],
  ['a definition', object({}, { $defs: { a: region } })],
  ['members by pattern', object({}, { patternProperties: { '^a': region } })],
])('refuses %s', (_, schema) => {
  expect(parameterHeaders(schema).ok).toBe(false)
})

test('takes what is no annotation for none', () => {
  const named = object({ 'x-mcp-header': { type: 'number' }, a: { type: 'string', default: { 'x-mcp-header': 1 } } })
  expect(parameterHeaders(named)).toEqual({ ok: true, value: [] })
})

test('a schema nested a hundred thousand times is read', () => {
  let schema: Record<string, unknown> = region
  for (let depth = 0; depth < 100_000; depth++) schema = { not: schema }
  expect(parameterHeaders(schema).ok).toBe(false)
})

/** An argument so many names down. */
const nested = (depth: number): Record<string, unknown> => {
  let schema: Record<string, unknown> = region
  for (let at = 0; at < depth; at++) schema = { properties: { a: schema } }
  return schema
}

test('an argument may have a header of its own as deep as a definition may be', () => {
  expect(parameterHeaders(nested(64))).toMatchObject({ ok: true, value: [{ path: Array<string>(64).fill('a') }] })
})

test('what lies deeper has none, and is read without a path of its own at each level', () => {
  expect(parameterHeaders(nested(65))).toEqual({ ok: false, failure: 'it has x-mcp-header deeper than 64 levels' })
  // With a copy of the path at each level this took five thousand million names.
  expect(parameterHeaders(nested(100_000)).ok).toBe(false)
})

const declaredOf = (schema: Record<string, unknown>) => {
  const declared = parameterHeaders(schema)
  if (!declared.ok) throw new Error(declared.failure)
  return declared.value
}

const declared = declaredOf(
  object({
    region,
    where: object({ priority: { type: 'integer', 'x-mcp-header': 'Priority' } }),
    loud: { type: 'boolean', 'x-mcp-header': 'Loud' },
    query: { type: 'string' },
  }),
)

test('says arguments in headers, and nothing of those that are not given', () => {
  expect(headersOf(declared, { region: 'us-west1', where: { priority: 42 }, loud: false, query: 'x' })).toEqual({
    'Mcp-Param-Region': 'us-west1',
    'Mcp-Param-Priority': '42',
    'Mcp-Param-Loud': 'false',
  })
  expect(headersOf(declared, { region: null, where: {} })).toEqual({})
  expect(headersOf(declared, { where: { priority: 2 ** 60 }, region: { toString: 'x' } })).toEqual({})
  expect(headersOf(declared, undefined)).toEqual({})
})

// The examples of the specification.
test.each([
  ['us-west1', 'us-west1'],
  ['us west 1', 'us west 1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', '=?base64??='],
])('writes %j so that HTTP hands it on', (value, header) => {
  expect(headersOf(declared, { region: value })).toEqual({ 'Mcp-Param-Region': header })
  expect(headerMismatch(declared, { region: value }, new Headers({ 'mcp-param-region': header }))).toBeUndefined()
})

test.each<readonly [string, object, Record<string, string>]>([
  ['a header that is missing', { region: 'a' }, {}],
  ['a header that says something else', { region: 'a' }, { 'mcp-param-region': 'b' }],
  ['another letter case', { region: 'a' }, { 'mcp-param-region': 'A' }],
  ['what is not in Base64', { region: 'a' }, { 'mcp-param-region': '=?base64?Y?=' }],
  ['another number', { where: { priority: 42 } }, { 'mcp-param-priority': '43' }],
  ['a text that only counts as the same number', { region: '42' }, { 'mcp-param-region': '42.0' }],
])('finds %s', (_, args, headers) => {
  expect(headerMismatch(declared, args, new Headers(headers))).toMatch(/Mcp-Param-/)
})

test('compares integers as numbers, and looks for no header of what is not given', () => {
  expect(
    headerMismatch(declared, { where: { priority: 42 } }, new Headers({ 'mcp-param-priority': '42.0' })),
  ).toBeUndefined()
  expect(headerMismatch(declared, { region: null }, new Headers({ 'mcp-param-region': 'left over' }))).toBeUndefined()
  expect(headerMismatch(declared, {}, new Headers())).toBeUndefined()
})

test('a schema without its headers is the same in all else', () => {
  const list = object({ 'x-mcp-header': { type: 'string' }, a: region }, { required: ['a'] })
  expect(withoutParameterHeaders(list)).toEqual(
    object({ 'x-mcp-header': { type: 'string' }, a: { type: 'string' } }, { required: ['a'] }),
  )
  const plain = object({ a: { type: 'string' } })
  expect(withoutParameterHeaders(plain)).toBe(plain)
})
