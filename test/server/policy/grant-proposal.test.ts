// "And the next ones like this": what is proposed from one approved call covers it, and implies nothing that it does not.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../full.ts'
import { compileCondition } from '../../../server/policy/grant-condition.ts'
import { proposeCondition } from '../../../server/policy/grant-proposal.ts'
import { shapeOf, type ArgumentShape } from '../../../server/policy/grant-shape.ts'
import { order as input, shape } from './order-shape.ts'

const proposed = (of: ArgumentShape, call: object) => {
  const result = proposeCondition(of, call as Readonly<Record<string, unknown>>)
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.next}`)
  return result.value
}
const compiled = (of: ArgumentShape, text: string) => {
  const result = compileCondition(of, text)
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.next}`)
  expect(result.value.text).toBe(text)
  return result.value.holds
}

describe('"and the next like this"', () => {
  test('a proposal is like the call: who, how much at most, and nothing that it left out', () => {
    const { condition, free } = proposed(shape, { customer: 'ACME', total: 437.5, lines: input.lines })
    expect(condition).toContain('customer == "ACME"')
    expect(condition).toContain('total >= 0 && total <= 437.5')
    expect(condition).toContain('size(lines) <= 2')
    expect(condition).toContain('x.quantity <= 2')
    expect(condition).toContain('!has(args.urgent)')
    expect(free).toContain('lines[].sku')
    const holds = compiled(shape, condition)
    expect(holds({ customer: 'ACME', total: 437.5, lines: input.lines })).toBe(true)
    expect(holds({ customer: 'ACME', total: 437.51, lines: input.lines })).toBe(false)
    expect(holds({ customer: 'ACME', total: -1, lines: input.lines })).toBe(false)
    expect(holds({ customer: 'Initech', total: 1, lines: input.lines })).toBe(false)
    expect(holds({ customer: 'ACME', total: 1, lines: input.lines, urgent: true })).toBe(false)
  })

  test('prose is left free, and said to be', () => {
    const note = 'The customer would like to have it on the third floor, by the lift.'
    expect(proposed(shape, { customer: note, total: 1 }).free).toContain('customer')
  })

  test('whatever was approved, the proposal compiles to itself and covers it', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.constantFrom('ACME', 'quote " and \\', 'line\nbreak', '12.50', 'ünïcødé'),
    )
    const line = fc.record({
      sku: text,
      quantity: fc.integer(),
      price: fc.double({ noNaN: true, noDefaultInfinity: true }),
    })
    const calls = fc.record(
      {
        customer: text,
        total: fc.double({ noNaN: true, noDefaultInfinity: true }),
        pieces: fc.maxSafeInteger(),
        urgent: fc.boolean(),
        amount: text,
        type: text,
        'first-name': text,
        note: fc.option(text),
        anything: fc.jsonValue(),
        tags: fc.array(text, { maxLength: 5 }),
        lines: fc.array(line, { maxLength: 5 }),
        labels: fc.dictionary(fc.string(), fc.integer(), { maxKeys: 3 }),
        address: fc.record({ city: text, zip: text }, { requiredKeys: [] }),
      },
      { requiredKeys: ['customer', 'total'] },
    )
    fc.assert(
      fc.property(calls, (given) => {
        // As a call arrives: JSON, without -0.
        const call = JSON.parse(JSON.stringify(given)) as Readonly<Record<string, unknown>>
        const result = proposeCondition(shape, call)
        // A call that is too long to be described is one for a person who writes the condition.
        if (!result.ok) return
        expect(compiled(shape, result.value.condition)(call)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

const string = { type: 'string' }
/** Written out, an object with this key would look like a promise. */
const thenIs = (schema: object): object => JSON.parse(`{"then":${JSON.stringify(schema)}}`) as object
const amount = { type: 'number' }
const internal = { properties: { kind: { const: 'internal' }, amount }, required: ['kind', 'amount'] }
const external = { properties: { kind: { const: 'external' }, iban: string, amount }, required: ['kind', 'iban'] }

describe('where the arguments are composed of several schemas', () => {
  test.each([
    ['anyOf', { type: 'object', anyOf: [internal, external] }],
    ['oneOf', { type: 'object', oneOf: [internal, external] }],
    ['allOf', { type: 'object', allOf: [internal, { properties: { iban: string } }] }],
    ['$ref', { $ref: '#/$defs/any', $defs: { any: { oneOf: [internal, external] } } }],
    ['if, then and else', { type: 'object', ...internal, if: { required: ['iban'] }, ...thenIs(external) }],
    ['dependentSchemas', { type: 'object', ...internal, dependentSchemas: { iban: external } }],
  ])('by %s, a proposal from a small call inside covers no large one outside', (_, composed) => {
    const of = shapeOf(composed)
    const call = { kind: 'internal', amount: 5 }
    const { condition } = proposed(of, call)
    expect(condition).toContain('!has(args.iban)')
    const holds = compiled(of, condition)
    expect(holds(call)).toBe(true)
    expect(holds({ ...call, amount: 5.01 })).toBe(false)
    expect(holds({ ...call, iban: 'DE02' })).toBe(false)
    expect(holds({ kind: 'external', iban: 'DE02', amount: 1_000_000 })).toBe(false)
  })

  test('by a schema that lies elsewhere, nothing is proposed, and `true` covers nothing that it may declare', () => {
    const of = shapeOf({ type: 'object', oneOf: [{ $ref: 'https://example.com/a.json' }] })
    const result = proposeCondition(of, { amount: 5 })
    expect(result).toMatchObject({ ok: false, failure: { message: expect.stringContaining('amount') } })
    expect(compiled(of, 'true')({ amount: 5 })).toBe(false)
    expect(compiled(of, 'true')({})).toBe(true)
  })
})

describe('an argument that nobody has declared', () => {
  test.each([
    ['beside the others', { customer: 'ACME', total: 1, discount: 99 }],
    ['inside of another', { customer: 'ACME', total: 1, address: { city: 'Ulm', floor: 3 } }],
    ['in a row', { customer: 'ACME', total: 1, lines: [{ sku: 'A', discount: 1 }] }],
    ['named __proto__', JSON.parse('{"customer":"ACME","total":1,"__proto__":{}}') as object],
  ])('%s is outside of every condition', (_, call) => {
    expect(compiled(shape, 'customer == "ACME"')(call)).toBe(false)
    expect(compiled(shape, 'true')(call)).toBe(false)
    expect(proposeCondition(shape, call as Readonly<Record<string, unknown>>).ok).toBe(false)
  })
})

test('a call that leaves out more than its condition could name is held to what it has', () => {
  const names = Array.from({ length: 90 }, (_, at) => `an_optional_argument_${at}`)
  const wide = shapeOf({ properties: Object.fromEntries(['id', ...names].map((name) => [name, string])) })
  const { condition } = proposed(wide, { id: '7' })
  expect(condition).toBe('id == "7" && only(args, ["id"])')
  expect(compiled(wide, condition)({ id: '7', an_optional_argument_89: 'x' })).toBe(false)
})

describe('of any schema and any approved call', () => {
  const choices = ['alpha', 'beta', `gamma ${'g'.repeat(80)}`]
  type Kind = 'choice' | 'prose' | 'number' | 'int' | 'bool' | 'choices' | 'object' | 'rows' | 'either'
  const row = { sku: string, kind: { enum: choices }, price: amount, 'unit-price': amount, gift: { type: 'boolean' } }
  const schemas: Readonly<Record<Kind, object>> = {
    choice: { enum: choices },
    prose: string,
    number: amount,
    int: { type: 'integer' },
    bool: { type: 'boolean' },
    choices: { type: 'array', items: { enum: choices } },
    object: { type: 'object', properties: row },
    rows: { type: 'array', items: { type: 'object', properties: row } },
    either: { anyOf: [{ enum: choices }, { type: 'object', properties: row }, { type: 'null' }] },
  }
  const price = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  const choice = fc.constantFrom(...choices)
  const prose = fc.string({ maxLength: 70 }).map((text) => `: ${text}`)
  const object = fc.record(
    { sku: prose, kind: choice, price, 'unit-price': price, gift: fc.boolean() },
    { requiredKeys: [] },
  )
  const values: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
    choice,
    prose,
    number: price,
    int: fc.integer({ min: -1000, max: 1000 }),
    bool: fc.boolean(),
    choices: fc.array(choice, { maxLength: 4 }),
    object,
    rows: fc.array(object, { maxLength: 3 }),
    either: fc.oneof(choice, object, fc.constant(null)),
  }
  const kinds = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'type', 'first-name', 'size'),
    fc.constantFrom(...(Object.keys(schemas) as Kind[])),
    { minKeys: 1, maxKeys: 5 },
  )
  const compositions = fc.constantFrom('plain', 'allOf', 'anyOf', 'oneOf', 'then', '$ref')
  const compose = (how: string, fields: Readonly<Record<string, Kind>>): object => {
    const properties = Object.entries(fields).map(([name, kind]) => [name, schemas[kind]] as const)
    const half = Math.ceil(properties.length / 2)
    const parts = [properties.slice(0, half), properties.slice(half)].map((some) => ({
      properties: Object.fromEntries(some),
    }))
    if (how === 'plain') return { type: 'object', properties: Object.fromEntries(properties) }
    if (how === 'then') return { type: 'object', ...parts[0], if: { required: ['a'] }, ...thenIs(parts[1] ?? {}) }
    if (how === '$ref') return { $ref: '#/$defs/it', $defs: { it: { properties: Object.fromEntries(properties) } } }
    return { type: 'object', [how]: parts }
  }
  const pair = fc.tuple(compositions, kinds).chain(([how, fields]) => {
    const call = fc.record(Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, values[kind]])), {
      requiredKeys: [],
    })
    // The other call shares as much with the approved one as chance will have it.
    return fc.record({
      schema: fc.constant(compose(how, fields)),
      approved: call,
      other: call,
      shared: fc.subarray(Object.keys(fields)),
      undeclared: fc.boolean(),
    })
  })

  /** Every value by where it stands; rows stand in one place. */
  const places = (value: unknown, path: string, found: Map<string, unknown[]>): Map<string, unknown[]> => {
    found.set(path, [...(found.get(path) ?? []), value])
    if (Array.isArray(value)) for (const item of value) places(item, `${path}[]`, found)
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) places(item, `${path}.${key}`, found)
    return found
  }

  test('a call that the proposal covers has no more arguments, no larger number and no other choice', () => {
    let covered = 0
    fc.assert(
      fc.property(pair, ({ schema: given, approved: one, other: two, shared, undeclared }) => {
        // As calls arrive: JSON, without -0.
        const json = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value)) as never
        const approved = json(one)
        const same = Object.entries(approved).filter(([name]) => shared.includes(name))
        const other = { ...json(two), ...Object.fromEntries(same), ...(undeclared ? { extra: 1 } : {}) }
        const of = shapeOf(given)
        const result = proposeCondition(of, approved)
        if (!result.ok) return
        const holds = compiled(of, result.value.condition)
        expect(holds(approved)).toBe(true)
        if (!holds(other)) return
        covered += 1
        const seen = places(approved, '', new Map())
        for (const [path, found] of places(other, '', new Map())) {
          const known = seen.get(path) ?? []
          expect(known, `${path} in ${result.value.condition}`).not.toStrictEqual([])
          const most = Math.max(...known.map((each) => (typeof each === 'number' ? Math.abs(each) : 0)))
          for (const each of found) {
            if (typeof each === 'number') expect(Math.abs(each)).toBeLessThanOrEqual(most)
            if (choices.includes(each as string)) expect(known).toContain(each)
          }
        }
      }),
      { numRuns: runsOf(2000) },
    )
    expect(covered).toBeGreaterThan(runsOf(50))
  })
})
