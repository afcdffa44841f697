// The same error with other values must be one line of the list, and two errors two lines: else the list is as long as the
// log, or hides in one line what it is made for.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprintOf, isUnexplained } from '../../../server/errors/unexplained.ts'

const word = fc.constantFrom(
  'order',
  'cannot',
  'be',
  'read',
  'because',
  'tenant',
  'has',
  'no',
  'such',
  'and/or',
  "can't",
)
/** One of digits alone is a number to any reader. */
const hex = fc.stringMatching(/^[0-9a-f]{8,40}$/).map((text) => `${text}a0`)
const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,20}$/)

/** Values by kind: two of one kind are the same to a reader of the error. */
const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  number: fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }))
    .map((value) => value.toString().replace(/e.*/, '')),
  uuid: fc.uuid(),
  hex,
  id: fc.tuple(fc.constantFrom('ord', 'cus', 'pl'), hex).map(([kind, id]) => `${kind}_${id}`),
  quoted: fc
    .oneof(name, fc.lorem({ maxCount: 3 }))
    .chain((text) => fc.constantFrom(`"${text}"`, `'${text}'`, `\`${text}\``)),
  path: fc
    .array(name, { minLength: 1, maxLength: 5 })
    .chain((parts) => fc.constantFrom(`/${parts.join('/')}`, `./${parts.join('/')}`, `C:\\${parts.join('\\')}`)),
  url: fc.webUrl().map((url) => url.replaceAll(/['"`]/g, '')),
  mail: fc.tuple(name, name).map(([who, host]) => `${who}@${host}.example`),
  ip: fc.oneof(
    fc.ipV4(),
    fc.tuple(fc.ipV4(), fc.nat(65_535)).map(([ip, port]) => `${ip}:${port}`),
  ),
}

/** Two fillings of one sentence, each hole by two values of one kind. */
const twice = fc
  .array(
    fc.oneof(
      word.map((text) => [text, text] as const),
      fc.constantFrom(...Object.keys(values)).chain((kind) => fc.tuple(values[kind] ?? word, values[kind] ?? word)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => [parts.map(([one]) => one).join(' '), parts.map(([, other]) => other).join(' ')] as const)

describe('an error that no rule explains', () => {
  test('has the same fingerprint where a UUID has digits alone', () => {
    const [one, other] = ['00000000-0000-1000-8000-00000000009a', '00000000-0000-1000-8000-000000000000'].map((id) =>
      fingerprintOf(`no tenant ${id}`),
    )
    expect(one).toStrictEqual(other)
  })

  test('has one fingerprint whatever its numbers, ids, paths, addresses and quoted words are', () => {
    fc.assert(
      fc.property(twice, ([one, other]) => {
        expect(fingerprintOf(other)).toStrictEqual(fingerprintOf(one))
      }),
    )
  })

  test('has one fingerprint whatever its case and blanks are', () => {
    fc.assert(
      fc.property(twice, ([text]) => {
        expect(fingerprintOf(text.toUpperCase().replaceAll(' ', '\n  ')).fingerprint).toBe(
          fingerprintOf(text.replaceAll(' ', '\n')).fingerprint,
        )
      }),
    )
  })

  test('has another fingerprint than one that says something else', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.array(word, { minLength: 1, maxLength: 8 }),
        (one, other) => {
          fc.pre(one.join(' ') !== other.join(' '))
          expect(fingerprintOf(one.join(' ')).fingerprint).not.toBe(fingerprintOf(other.join(' ')).fingerprint)
        },
      ),
    )
  })

  test.for([
    ['No order SO-1042 of tenant "acme" in /var/data/orders.db', 'no order <id> of tenant <quoted> in <path>'],
    ['Error 403: PERMISSION_DENIED at https://api.example/v1/x?id=3', 'error <number> permission_denied at <url>'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect econnrefused <address>'],
    ['code=23505 detail: Key (id)=(7) already exists.', 'code= <number> detail key id <number> already exists'],
    ["It can't read a/b", "it can't read a/b"],
    [`bad ${'a:'.repeat(60)}b`, 'bad <id>'],
  ])('"%s" is listed as "%s"', ([text, sample]) => {
    expect(fingerprintOf(text ?? '').sample).toBe(sample)
  })

  test('is read for a bounded part and kept for a smaller one, also where it is hostile', () => {
    const hostile = ['"', "'", '`', '/', ':', '<', '@', '\ud800', 'a1 ']
    for (const each of hostile) expect(fingerprintOf(each.repeat(100_000)).sample.length).toBeLessThanOrEqual(300)
    expect(fingerprintOf('x '.repeat(5000)).fingerprint).toBe(fingerprintOf('x '.repeat(6000)).fingerprint)
  })

  test('is what a general rule found, and no other', () => {
    expect(
      ['tool.run', 'server.internal', 'upstream.unexplained', 'failures.upstream_error'].map(isUnexplained),
    ).toStrictEqual([true, true, true, true])
    expect(isUnexplained('plan.stale')).toBe(false)
  })
})
