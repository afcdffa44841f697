// The promise of the three call tools: every row of the matrix, in both shapes, with its exact message.
import { describe, expect, test } from 'vitest'
import { variantFor, type Hints, type Variant } from '../../../../server/gateway/call-tools/call-with.ts'
import { checkIntent } from '../../../../server/gateway/call-tools/intent.ts'

const readOnly: Hints = { readOnlyHint: true }
const destructive: Hints = { destructiveHint: true }
const both: Hints = { readOnlyHint: true, destructiveHint: true }
const neither: Hints = { readOnlyHint: false, destructiveHint: false }
const anyHints = [undefined, {}, readOnly, destructive, both, neither]

const shapes = {
  nested: (operation: unknown, more: Record<string, unknown> = {}) => ({
    intent: { operation_type: operation, ...more },
  }),
  flat: (operation: unknown, more: Record<string, unknown> = {}) => ({
    intent_operation_type: operation,
    ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`intent_${key}`, value])),
  }),
} as const

const tool = 'github:delete_repo'
const marked = "Tool 'github:delete_repo' is marked destructive by server, use call_tool_destructive"

/** `true` for allowed, "warned" for allowed with a warning, otherwise the message. */
const rows: readonly (readonly [Variant, unknown, readonly (Hints | undefined)[], true | string])[] = [
  ['call_tool_read', 'read', [readOnly], true],
  ['call_tool_read', 'read', [destructive, both], marked],
  ['call_tool_read', 'read', [undefined, {}], true],
  ['call_tool_read', 'write', anyHints, 'Intent mismatch: tool is call_tool_read but intent declares write'],
  [
    'call_tool_read',
    'destructive',
    anyHints,
    'Intent mismatch: tool is call_tool_read but intent declares destructive',
  ],
  ['call_tool_write', 'write', [readOnly], 'warned'],
  ['call_tool_write', 'write', [destructive, both], marked],
  ['call_tool_write', 'write', [undefined, {}, neither], true],
  ['call_tool_write', 'read', anyHints, 'Intent mismatch: tool is call_tool_write but intent declares read'],
  [
    'call_tool_write',
    'destructive',
    anyHints,
    'Intent mismatch: tool is call_tool_write but intent declares destructive',
  ],
  ['call_tool_destructive', 'destructive', anyHints, true],
  [
    'call_tool_destructive',
    'read',
    anyHints,
    'Intent mismatch: tool is call_tool_destructive but intent declares read',
  ],
  [
    'call_tool_destructive',
    'write',
    anyHints,
    'Intent mismatch: tool is call_tool_destructive but intent declares write',
  ],
  ['call_tool_read', undefined, anyHints, 'intent.operation_type is required'],
  ['call_tool_write', undefined, anyHints, 'intent.operation_type is required'],
  ['call_tool_destructive', undefined, anyHints, 'intent.operation_type is required'],
]

describe.each(['nested', 'flat'] as const)('with the intent in the %s shape', (shape) => {
  const ask = (variant: Variant, args: Record<string, unknown>, hints: Hints | undefined, strict = true) =>
    checkIntent({ variant, tool, hints, args, settings: { shape, strict_server_validation: strict } })

  const cases = rows.flatMap(([variant, declared, hints, expected]) =>
    hints.map((hint) => ({ variant, declared, hint, says: JSON.stringify(hint) ?? 'nothing', expected })),
  )

  test.each(cases)('$variant declared as $declared, where the server says $says: $expected', (row) => {
    const args = row.declared === undefined ? {} : shapes[shape](row.declared)
    const answer = ask(row.variant, args, row.hint)
    if (row.expected === true) expect(answer).toMatchObject({ ok: true, value: { warnings: [] } })
    else if (row.expected === 'warned')
      expect(answer).toMatchObject({
        ok: true,
        value: { warnings: [`Tool '${tool}' is marked read-only by server, call_tool_read would do`] },
      })
    else expect(answer).toMatchObject({ ok: false, failure: { message: row.expected } })
  })

  test('both shapes are understood, whichever is advertised', () => {
    for (const other of Object.values(shapes))
      expect(ask('call_tool_read', other('read'), readOnly)).toMatchObject({
        ok: true,
        value: { intent: { operation_type: 'read' } },
      })
  })

  test('a setting turns the contradiction with the annotations into a warning, and nothing else', () => {
    expect(ask('call_tool_write', shapes[shape]('write'), destructive, false)).toMatchObject({
      ok: true,
      value: { warnings: [marked] },
    })
    expect(ask('call_tool_write', shapes[shape]('read'), destructive, false)).toMatchObject({
      ok: false,
      failure: { message: 'Intent mismatch: tool is call_tool_write but intent declares read' },
    })
    expect(ask('call_tool_write', {}, destructive, false)).toMatchObject({ ok: false })
  })

  test('every failure carries a code, details and what to do next', () => {
    for (const args of [{}, shapes[shape]('write'), shapes[shape]('remove')])
      expect(ask('call_tool_read', args, undefined)).toMatchObject({
        ok: false,
        failure: {
          code: expect.stringMatching(/^intent_/),
          details: expect.any(Object),
          guidance: expect.stringMatching(/\.$/),
        },
      })
    expect(ask('call_tool_read', shapes[shape]('read'), destructive)).toMatchObject({
      failure: { code: 'annotation_mismatch', details: { use: 'call_tool_destructive' } },
    })
  })

  test('a reason of ten characters counts as the rationale, one of a thousand is the longest', () => {
    const withReason = (reason: unknown) => ask('call_tool_read', shapes[shape]('read', { reason }), undefined)
    expect(withReason('too short')).toMatchObject({
      ok: true,
      value: { rationale: undefined, intent: { reason: 'too short' } },
    })
    expect(withReason('long enough')).toMatchObject({ ok: true, value: { rationale: 'long enough' } })
    expect(withReason(' '.repeat(20))).toMatchObject({ ok: true, value: { rationale: undefined } })
    expect(withReason('x'.repeat(1000))).toMatchObject({ ok: true })
    expect(withReason('x'.repeat(1001))).toMatchObject({
      ok: false,
      failure: { message: 'intent.reason has 1001 characters: at most 1000 are allowed' },
    })
    expect(withReason(7)).toMatchObject({ ok: false, failure: { message: 'intent.reason must be text' } })
  })

  test('the sensitivity of the data is kept, and checked', () => {
    expect(ask('call_tool_read', shapes[shape]('read', { data_sensitivity: 'private' }), undefined)).toMatchObject({
      ok: true,
      value: { intent: { operation_type: 'read', data_sensitivity: 'private' } },
    })
    expect(ask('call_tool_read', shapes[shape]('read', { data_sensitivity: 'secret' }), undefined)).toMatchObject({
      ok: false,
      failure: {
        message: "Invalid intent.data_sensitivity 'secret': must be public, internal, private or unknown",
      },
    })
  })

  test('an operation that does not exist is named', () => {
    expect(ask('call_tool_read', shapes[shape]('delete'), undefined)).toMatchObject({
      ok: false,
      failure: {
        code: 'intent_invalid',
        message: "Invalid intent.operation_type 'delete': must be read, write or destructive",
      },
    })
    for (const empty of ['', null])
      expect(ask('call_tool_read', shapes[shape](empty), undefined)).toMatchObject({
        failure: { message: 'intent.operation_type is required' },
      })
  })
})

const nestedSettings = { shape: 'nested', strict_server_validation: true } as const
const question = (args: Record<string, unknown>) =>
  checkIntent({ variant: 'call_tool_read', tool, hints: undefined, args, settings: nestedSettings })

test('an intent that is given twice must say the same twice', () => {
  expect(question({ intent: { operation_type: 'read' }, intent_operation_type: 'read' })).toMatchObject({ ok: true })
  expect(question({ intent: { operation_type: 'read' }, intent_operation_type: 'destructive' })).toMatchObject({
    ok: false,
    failure: { message: 'intent.operation_type and intent_operation_type say different things' },
  })
})

test('an intent that came as JSON text is read; one that is no object is refused', () => {
  expect(question({ intent: '{"operation_type":"read"}' })).toMatchObject({ ok: true })
  for (const intent of ['read', '[1]', 7, ['read']])
    expect(question({ intent })).toMatchObject({
      ok: false,
      failure: { message: 'intent must be an object with operation_type' },
    })
})

test('the rating names the door, and annotations that say "destructive" are above it', () => {
  for (const hints of [undefined, {}, readOnly, neither]) {
    expect(variantFor(hints, { operation: 'read' })).toBe('call_tool_read')
    expect(variantFor(hints, { operation: 'write' })).toBe('call_tool_write')
  }
  for (const hints of [destructive, both])
    expect(variantFor(hints, { operation: 'destructive' })).toBe('call_tool_destructive')
})

test('nobody is told to read through what contradicts its "read-only"', () => {
  const ask = (callWith: Variant) =>
    checkIntent({
      variant: 'call_tool_write',
      tool,
      hints: readOnly,
      callWith,
      args: { intent: { operation_type: 'write' } },
      settings: nestedSettings,
    })
  expect(ask('call_tool_read')).toMatchObject({ value: { warnings: [expect.stringContaining('call_tool_read')] } })
  expect(ask('call_tool_write')).toMatchObject({ value: { warnings: [] } })
})
