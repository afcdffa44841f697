// `toStrictEqual` looks at `constructor`, which in these values may be somebody's data.
import { deepStrictEqual as expectSame } from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../full.ts'
import {
  formatApply,
  formatCancel,
  formatPreview,
  formatValue,
  parseApply,
  parseMessage,
  type Argument,
  type Parsed,
} from '../../../server/confirm/message.ts'
import { anyArguments, anyJson, anyTool, hostileStrings } from './arbitrary.ts'

/** Nothing that a chat, a terminal or a model could drop, reorder or take for the end of the line. */
const treacherous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u

const ticket = 'cs1_0123456789abcdefghjkmnpqrs'

const order: readonly Argument[] = [
  ['customer', 'ACME'],
  ['lines', [{ sku: 'DESK-01', quantity: 2 }]],
  ['rationale', 'The customer ordered two desks.'],
  ['ticket', ticket],
]

/** The same arguments as an own-property record, which is how a parsed message carries them. */
const asRecord = (args: readonly Argument[], ...more: readonly Argument[]): Record<string, unknown> =>
  Object.fromEntries([...args, ...more])

const message = (parsed: Parsed): unknown => (parsed.ok ? parsed.value : parsed.failure.message)

/** Whatever `parseMessage` accepts is exactly what `formatX` writes of what it read. */
const rewritten = (parsed: Parsed & { readonly ok: true }): string => {
  const { value } = parsed
  if (value.kind === 'cancel') return formatCancel(value.noun, value.planId)
  const args = Object.entries(value.args)
  if (value.kind === 'preview') return formatPreview(value.tool, args)
  const [previewName] = args.at(-1) ?? []
  return formatApply(value.tool, args.slice(0, -1), previewName)
}

describe('the three messages, as they stand in a chat', () => {
  test('an Apply message', () => {
    expect(formatApply('orders_create', order)).toBe(
      `Apply: call orders_create(customer="ACME", lines=[{"sku":"DESK-01","quantity":2}], rationale="The customer ordered two desks.", ticket="${ticket}", preview=False)`,
    )
  })

  test('a Preview message', () => {
    expect(
      formatPreview('orders_get', [
        ['id', 'SO-1'],
        ['rationale', 'Because.'],
      ]),
    ).toBe('Preview: call orders_get(id="SO-1", rationale="Because.")')
    expect(formatPreview('cache_rebuild', [])).toBe('Preview: call cache_rebuild()')
  })

  test('a Cancel message', () => {
    expect(formatCancel('the sales order', 'pl_0123456789abcdef')).toBe(
      'Cancel: do not apply the sales order (pl_0123456789abcdef).',
    )
  })

  test('an upstream tool with a preview of its own gets ours under another name', () => {
    const text = formatApply(
      'render',
      [
        ['preview', true],
        ['ticket', ticket],
      ],
      'countersign_preview',
    )
    expect(text).toBe(`Apply: call render(preview=true, ticket="${ticket}", countersign_preview=False)`)
    expect(message(parseApply(text))).toStrictEqual({
      kind: 'apply',
      tool: 'render',
      args: { preview: true, ticket, countersign_preview: false },
    })
  })
})

describe('format and parse are inverse', () => {
  test('Apply, for any tool and any JSON', () => {
    fc.assert(
      fc.property(anyTool, anyArguments, (tool, args) => {
        fc.pre(args.every(([name]) => name !== 'preview'))
        const text = formatApply(tool, args)
        expectSame(message(parseApply(text)), { kind: 'apply', tool, args: asRecord(args, ['preview', false]) })
        expect(text.endsWith('preview=False)')).toBe(true)
        expect(text).not.toMatch(treacherous)
      }),
      { numRuns: 500 },
    )
  })

  test('Preview, for any tool and any JSON', () => {
    fc.assert(
      fc.property(anyTool, anyArguments, (tool, args) => {
        const text = formatPreview(tool, args)
        expectSame(message(parseMessage(text)), { kind: 'preview', tool, args: asRecord(args) })
        expect(text).not.toMatch(treacherous)
      }),
      { numRuns: 300 },
    )
  })

  test('Cancel, for any noun phrase', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (noun) => {
        const text = formatCancel(noun, 'pl_0123456789abcdef')
        expect(text).not.toMatch(treacherous)
        const parsed = parseMessage(text)
        if (parsed.ok) expect(rewritten(parsed)).toBe(text)
      }),
    )
    expect(message(parseMessage(formatCancel('the\nsales\u202e  order', 'pl_1')))).toStrictEqual({
      kind: 'cancel',
      noun: 'the sales order',
      planId: 'pl_1',
    })
  })

  test.each(hostileStrings.map((text) => [text.length > 60 ? `${text.slice(0, 20)}… ×${text.length}` : text, text]))(
    'the hostile string %j is data and nothing else, as value and as key',
    (_, hostile) => {
      const args: readonly Argument[] = [
        ['customer', hostile],
        [hostile, { [hostile]: [hostile] }],
        ['ticket', ticket],
      ]
      const text = formatApply('orders_create', args)
      expect(text).not.toMatch(treacherous)
      expect(text.split('\n')).toHaveLength(1)
      expect(message(parseApply(text))).toStrictEqual({
        kind: 'apply',
        tool: 'orders_create',
        args: asRecord(args, ['preview', false]),
      })
    },
  )

  test('a key named __proto__ stays an own key, at the top and below', () => {
    const args: readonly Argument[] = [['__proto__', JSON.parse('{"__proto__":{"admin":true}}')]]
    const parsed = parseApply(formatApply('t', args))
    const read = parsed.ok && parsed.value.kind === 'apply' ? parsed.value.args : {}
    expect(Object.keys(read)).toStrictEqual(['__proto__', 'preview'])
    expect(Object.hasOwn(read, 'admin')).toBe(false)
    expect('admin' in read).toBe(false)
    expect(JSON.stringify(Object.getOwnPropertyDescriptor(read, '__proto__')?.value)).toBe(
      '{"__proto__":{"admin":true}}',
    )
  })
})

describe('a message has one reading', () => {
  const valid = formatApply('orders_create', [
    ['customer', 'AC"ME\u200b'],
    ['lines', [{ sku: 'DESK-01', quantity: 2.5, '10': null }]],
    ['ticket', ticket],
  ])

  const alphabet = [
    '',
    '"',
    '\\',
    ',',
    ' ',
    ')',
    '(',
    '=',
    '0',
    '1',
    'a',
    '{',
    ']',
    '\n',
    '\u202e',
    '\u00a0',
    'False',
    'preview=False',
  ]

  test('every insertion, deletion and replacement is refused or is another message, written as it would be', () => {
    for (let at = 0; at <= valid.length; at++)
      for (const unit of alphabet)
        for (const drop of [0, 1]) {
          const mutant = valid.slice(0, at) + unit + valid.slice(at + drop)
          const parsed = parseMessage(mutant)
          if (parsed.ok) expect(rewritten(parsed)).toBe(mutant)
        }
  })

  test('any text at all is refused, or is exactly what the formatter writes', () => {
    const pieces = fc.constantFrom(
      'Apply: call ',
      'Preview: call ',
      'Cancel: do not apply ',
      't',
      '(',
      ')',
      ', ',
      'a=',
      '"a"=',
      '1',
      '-0',
      '1.0',
      '1e5',
      '"x"',
      '[]',
      '{"a":1}',
      'preview=False',
      'False',
      'pl_1',
      '.',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join('')
        const parsed = parseMessage(text)
        if (parsed.ok) expect(rewritten(parsed)).toBe(text)
      }),
      { numRuns: runsOf(3000) },
    )
  })

  test.each([
    ['text after the call', 'Apply: call t(a=1, preview=False) and then', 'Nothing may follow'],
    ['a second call', 'Apply: call t(preview=False)\nApply: call u(preview=False)', 'Nothing may follow'],
    ['a line break at the end', 'Apply: call t(preview=False)\n', 'Nothing may follow'],
    ['text before the call', ' Apply: call t(preview=False)', 'starts with'],
    ['another word', 'apply: call t(preview=False)', 'starts with'],
    ['nothing', '', 'starts with'],
    ['no call', 'Apply: call ', 'tool name'],
    ['a tool name with a blank', 'Apply: call t u(preview=False)', 'tool name'],
    ['a tool name of 129 characters', `Apply: call ${'t'.repeat(129)}(preview=False)`, 'tool name'],
    ['a name twice', 'Apply: call t(a=1, a=1, preview=False)', 'appears twice'],
    ['a name twice, once in quotes', 'Apply: call t(a=1, "a"=1, preview=False)', 'Expected an argument name'],
    ['preview twice', 'Apply: call t(preview=False, preview=False)', 'Expected'],
    ['a key twice inside a value', 'Apply: call t(a={"x":1,"x":2}, preview=False)', 'not written as'],
    ['preview not last', 'Apply: call t(preview=False, a=1)', 'Expected'],
    ['no preview', 'Apply: call t(a=1)', 'preview=False'],
    ['preview in small letters', 'Apply: call t(a=1, preview=false)', 'preview=False'],
    ['a raw line break in a value', 'Apply: call t(a="x\ny", preview=False)', 'not written as'],
    ['a raw bidi mark in a value', 'Apply: call t(a="\u202e", preview=False)', 'not written as'],
    ['an escape that needs none', String.raw`Apply: call t(a="\u0041", preview=False)`, 'not written as'],
    ['an escape in capitals', String.raw`Apply: call t(a="\u200B", preview=False)`, 'not written as'],
    ['blanks in JSON', 'Apply: call t(a=[1, 2], preview=False)', 'not written as'],
    ['3.0', 'Apply: call t(a=3.0, preview=False)', 'not written as'],
    ['-0', 'Apply: call t(a=-0, preview=False)', 'not written as'],
    ['an integer that a float rounds', 'Apply: call t(a=9007199254740993, preview=False)', 'not written as'],
    ['no comma', 'Apply: call t(a=1 preview=False)', 'Expected'],
    ['a comma without blank', 'Apply: call t(a=1,preview=False)', 'Expected'],
    ['an open string', 'Apply: call t(a="x, preview=False)', 'Expected a JSON value'],
    ['an open list', 'Apply: call t(a=[1, preview=False)', 'Expected a JSON value'],
    ['False for another name', 'Apply: call t(x=False)', 'Expected a JSON value'],
    ['False for another name, last', 'Apply: call t(a=1, b=False)', 'Expected a JSON value'],
    ['False before the end', 'Apply: call t(preview=False, countersign_preview=False)', 'Expected a JSON value'],
    ['True', 'Apply: call t(a=True, preview=False)', 'Expected a JSON value'],
    ['arguments of a Cancel', 'Cancel: do not apply the order (pl_1). Apply it.', 'starts with'],
    ['two lines of a Cancel', 'Cancel: do not apply the\norder (pl_1).', 'starts with'],
    ['False in a Preview', 'Preview: call t(preview=False)', 'Expected a JSON value'],
  ])('%s is refused', (_, text, why) => {
    const parsed = parseMessage(text)
    expect(parsed.ok ? 'accepted' : parsed.failure.message).toContain(why)
  })

  test('a refusal names the place', () => {
    const parsed = parseMessage('Apply: call t(a=1, b=oops, preview=False)')
    expect(parsed).toMatchObject({ ok: false, failure: { at: 21, message: expect.stringContaining('"b"') as string } })
  })

  test('a Preview or a Cancel is not an Apply', () => {
    expect(parseApply('Preview: call t()').ok).toBe(false)
    expect(parseApply('Cancel: do not apply the order (pl_1).').ok).toBe(false)
  })

  test('a value of 100 KB, and one that is nested deeply, are read back', () => {
    const long = formatApply('t', [['text', '"\\\u202e'.repeat(33_000)]])
    expect(parseApply(long).ok).toBe(true)
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown
    expect(message(parseApply(formatApply('t', [['deep', deep]])))).toMatchObject({ args: { deep } })
  })
})

describe('what cannot be written is refused when it is written', () => {
  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('%s has no JSON', (_, value) => {
    expect(() => formatValue(value)).toThrow(TypeError)
  })

  test('a tool name that the grammar cannot carry', () => {
    expect(() => formatApply('orders create', [])).toThrow('not a tool name')
    expect(() => formatPreview('t(', [])).toThrow('not a tool name')
    expect(() => formatApply('', [])).toThrow('not a tool name')
    expect(() => formatApply('t', [], 'dry_run')).toThrow('cannot end an Apply message')
  })

  test('any JSON value is written so that JSON reads it back', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expectSame(JSON.parse(formatValue(value)), value)
      }),
      { numRuns: 300 },
    )
  })
})
