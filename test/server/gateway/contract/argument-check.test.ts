// Servers write their schemas in every draft there is. Whatever the draft, arguments that break it are refused by field.
import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { checkerOf, compilesForClients, inputSchemaOf } from '../../../../server/gateway/contract/argument-check.ts'
import { linearPattern } from '../../../../server/gateway/rules/linear-pattern.ts'
import { fromDraft4 } from '../../../../server/gateway/contract/older-schemas.ts'

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

describe.each(Object.entries(drafts))('arguments by a schema of %s', (_, dialect) => {
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
    expect(checkerOf(schema)({}).unchecked).toBeUndefined()
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

describe('patterns of a server', () => {
  const withPattern = (...patterns: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, { type: 'string', pattern }])),
  })
  const unchecked = (schema: Record<string, unknown>, args: unknown): string | undefined =>
    checkerOf(schema)(args).unchecked

  test('that backtrack for ever are run in linear time, each as itself', () => {
    const schema = withPattern('^(a+)+$', '(x+x+)+y', '^b$')
    // An engine that backtracks would take longer than the universe lasts; in linear time it is far from any deadline.
    const long = `${'a'.repeat(2_000)}!`
    expect(refusals(schema, { p0: long, p1: 'x'.repeat(2_000), p2: 'b' })).toEqual(['/p0', '/p1'])
    expect(refusals(schema, { p0: 'aaa', p1: 'xxy', p2: 'a' })).toEqual(['/p2'])
    expect(unchecked(schema, { p0: long })).toBeUndefined()
  })

  test('that cannot be run so let everything pass and are named; the rest is checked', () => {
    const schema = withPattern('^(?!x)', '(a)\\1', 'a{1000}{1000}', '^b$')
    expect(refusals(schema, { p0: 'x', p1: 'b', p2: 'b', p3: 'c' })).toEqual(['/p3'])
    expect(unchecked(schema, { p3: 'b' })).toMatch(/^Not run: 3 patterns that may take for ever \("\^\(\?!x\)"/)
  })

  test('that cannot be run refuse nothing where a schema turns them round', () => {
    const turned = { type: 'object', properties: { a: { not: { pattern: '^(?!x)' } }, b: { type: 'integer' } } }
    expect(refusals(turned, { a: 'y', b: 'no integer' })).toEqual([])
    expect(unchecked(turned, {})).toMatch(/^The schema of the tool is not usable: it rests on a pattern/)
  })

  test('look at a bounded number of characters; what is longer is left to the server', () => {
    const schema = withPattern('^[a-z ]*$')
    expect(unchecked(schema, { p0: 'a '.repeat(500_000) })).toBe('Its patterns look at no more than 100000 characters.')
    expect(refusals(schema, { p0: 'A' })).toEqual(['/p0'])
  })

  test('that look no further say so to whoever must know that all was checked', () => {
    const schema = withPattern('^[a-z ]*$')
    const asked: (string | undefined)[] = []
    const input = inputSchemaOf(schema, checkerOf(schema), [], (_, { limit }) => {
      asked.push(limit)
      return limit === undefined ? [] : [{ path: [], allowed: limit }]
    })
    expect(input.safeParse({ p0: 'a' }).success).toBe(true)
    expect(input.safeParse({ p0: 'a '.repeat(60_000) }).error?.issues[0]?.message).toMatch(/at most 100000 characters/)
    expect(asked[0]).toBeUndefined()
  })

  test('find the spaces of ECMAScript, inside and outside classes', () => {
    for (const space of [' ', '\t', '\v', '\n', '\u00a0', '\ufeff', '\u2003', '\u2028', '\u3000'])
      for (const pattern of ['^\\s$', '^[\\s-]$', '^[^\\Sx]$'])
        expect([pattern, linearPattern(pattern)?.test(space)]).toEqual([pattern, new RegExp(pattern, 'u').test(space)])
    expect(linearPattern('^\\S$')?.test('\u00a0')).toBe(false)
  })
})

test('a schema that branches at each level of the arguments is given up, and checks the next arguments again', () => {
  const node = {
    anyOf: Array.from({ length: 8 }, () => ({ properties: { a: { $ref: '#/$defs/node' } }, required: ['x'] })),
  }
  const properties = { a: { $ref: '#/$defs/node' }, n: { type: 'integer' } }
  const schema = { type: 'object', properties, $defs: { node } }
  const nested = Array.from({ length: 40 }).reduce<unknown>((inner) => ({ a: inner }), {})
  const check = checkerOf(schema)
  expect(check(nested).unchecked).toBe('Checking them with its schema takes longer than 50 ms.')
  expect(check({ x: 1 }).unchecked).toBeUndefined()
  expect(refusals(schema, { x: 1, n: 'no integer' })).toEqual(['/n'])
})

test('a schema that takes too long to compile checks nothing, and the next one is compiled as ever', () => {
  const branches = Array.from({ length: 900 }, (_, at) => ({ properties: { k: { const: at } }, required: ['k'] }))
  const schema = { type: 'object', oneOf: branches.map((branch) => ({ oneOf: [branch, ...branches] })) }
  const check = checkerOf(schema)
  for (let call = 0; call < 5; call++)
    expect(check({ k: 1 }).unchecked).toBe('The schema of the tool is not usable: compiling it takes longer than 75 ms')
  expect(refusals(schema, { k: -1 })).toEqual([])
  expect(refusals({ type: 'object', properties: { n: { type: 'integer' } } }, { n: 'no integer' })).toEqual(['/n'])
})

test('an argument that is longer than the pattern of a rule may look through is refused with the place and the limit', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' }, text: {} } }
  const rules = [
    { if: { path: { matches: '^/etc/' } }, risk: 'forbidden' as const },
    { if: { '/text': { matches: '(?:a|d).{200}end' } }, risk: 'high' as const },
  ]
  const issuesOf = (args: unknown): readonly (readonly [PropertyKey[], string])[] =>
    inputSchemaOf(schema, checkerOf(schema), rules)
      .safeParse(args)
      .error?.issues.map(({ path, message }) => [path, message]) ?? []
  expect(issuesOf({ path: '/etc/passwd', text: 'ad'.repeat(4000), more: 'x'.repeat(900_000) })).toEqual([])
  const says = expect.stringMatching(/^at most \d+ characters, because a rule of the operator looks through it$/)
  expect(issuesOf({ path: '/'.repeat(900_000) })).toEqual([[['path'], says]])
  expect(issuesOf({ path: '/', text: 'ad'.repeat(50_000) })).toEqual([[['text'], says]])
  // What is no text is matched as its JSON, and that counts.
  expect(issuesOf({ text: ['ad'.repeat(50_000)] })).toEqual([[['text'], says]])
})

test('a check with a large pattern is ended, however short the schema and the arguments are', () => {
  // Seconds of work: where the processor is busy with something else, a check is given eight times as long.
  const lengths = [891, 892, 893, 894, 895, 896, 897, 898, 899, 900]
  const properties = Object.fromEntries(
    lengths.map((length) => [`a${length}`, { type: 'string', pattern: `(?:a|d).{900}\\S{${length}}!` }]),
  )
  const text = `!${'ad'.repeat(4500)}`
  const args = Object.fromEntries(lengths.map((length) => [`a${length}`, text]))
  expect(checkerOf({ type: 'object', properties })(args).unchecked).toMatch(/longer than 50 ms/)
})

test('a small schema compiles for clients on a machine that is slow to do it', () => {
  const slow = {
    // As where something else has the processor.
    get type() {
      for (const end = performance.now() + 100; performance.now() < end;);
      return 'integer'
    },
  }
  expect(compilesForClients({ type: 'object', properties: { count: slow } })).toBe(true)
})
