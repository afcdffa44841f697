import { isDeepStrictEqual } from 'node:util'
import canonicalize from 'canonicalize'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../server/canonical-json.ts'
import { callDigest } from '../../../server/confirm/call-digest.ts'
import { anyJson } from './arbitrary.ts'

const wellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && wellFormed(member))
}

const json = anyJson.filter(wellFormed)

describe('canonical JSON is RFC 8785', () => {
  test('the sample of section 3.2.2 to 3.2.4', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(canonicalJson(JSON.parse(sample))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('keys are sorted by UTF-16 units, as the sample of section 3.2.3', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const order = [...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)
    expect(order).toStrictEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  // Appendix B: IEEE 754 bits and the text they must have.
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the number with the bits %s is %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, BigInt(`0x${bits}`))
    expect(canonicalJson(view.getFloat64(0))).toBe(text)
  })

  test('it says what the reference implementation says, for any JSON', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value))
      }),
      { numRuns: 500 },
    )
  })

  test('it is JSON of the same value, and a fixed point', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(isDeepStrictEqual(JSON.parse(text), value)).toBe(true)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['undefined in a list', [undefined]],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a lone surrogate', '\ud800'],
    ['a key with a lone surrogate', { '\udfff': 1 }],
  ])('%s is refused', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })

  test('a key with the value undefined is left out, as JSON.stringify does', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
  })
})

describe('the fingerprint of a call', () => {
  const digest = (args: string): string => callDigest('orders_create', 'definition', canonicalJson(JSON.parse(args)))

  test('does not depend on the order of keys, on blanks, or on how a number is written', () => {
    const one = digest('{"customer":"ACME","lines":[{"sku":"A","quantity":3}]}')
    expect(digest('{ "lines": [ { "quantity": 3.0, "sku": "A" } ], "customer": "ACME" }')).toBe(one)
    expect(digest('{"customer":"ACME","lines":[{"sku":"A","quantity":30e-1}]}')).toBe(one)
    expect(one).toMatch(/^[0-9a-f]{64}$/)
  })

  test('depends on every value, on the order of lists, on tool and definition', () => {
    const one = digest('{"a":[1,2]}')
    expect(digest('{"a":[2,1]}')).not.toBe(one)
    expect(digest('{"a":["1",2]}')).not.toBe(one)
    expect(digest('{"a":[1,2],"b":null}')).not.toBe(one)
    expect(callDigest('orders_delete', 'definition', '{"a":[1,2]}')).not.toBe(one)
    expect(callDigest('orders_create', 'another', '{"a":[1,2]}')).not.toBe(one)
  })

  test('a tool name cannot run over into a definition', () => {
    expect(callDigest('a","b', 'c', '{}')).not.toBe(callDigest('a', 'b","c', '{}'))
    expect(callDigest('a', 'b"]\n{}', '')).not.toBe(callDigest('a', 'b', '{}'))
  })
})
