// Whoever signs in a chat that renders Markdown reads each character of the data: a path without its asterisks would be another
// one. So this asks what readers of Markdown show, not what stands in the text.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardText } from '../../../server/cards/card-text.ts'
import { dataText } from '../../../server/cards/data-text.ts'
import type { Card, CardBlock, CardValue } from '../../../server/model/card.ts'
import { linesInChat } from '../../kit/alive-in-chat.ts'
import { runsOf } from '../../full.ts'

const card = (blocks: readonly CardBlock[]): Card => ({
  version: 1,
  kind: 'preview',
  tool: 'orders_create',
  source: 'Order desk',
  title: 'Create order',
  blocks,
  actions: [],
  state: 'ready',
})

const words = (text: string): CardValue => ({ kind: 'text', text })
const code = (text: string): CardValue => ({ kind: 'code', text })

/** Each reader shows these lines, and nothing else. */
function expectLines(text: string, lines: readonly string[]): void {
  const expected = lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))
  for (const [reader, shown] of Object.entries(linesInChat(text)))
    expect(shown, `${reader} of ${text}`).toStrictEqual(expected)
}

/** Data in every place that a card has for it, and how it is read there. */
const places: Readonly<Record<string, (a: string, b: string) => readonly [CardBlock, ...(readonly string[])]>> = {
  fields: (a, b) => [
    {
      kind: 'fields',
      fields: [
        { label: a, value: words(b) },
        { label: 'code', value: code(a) },
        { label: 'list', value: { kind: 'list', items: [words(a), code(b), words(a)] } },
        { label: b, value: { kind: 'number', value: '1', unit: a } },
        { label: a, value: { kind: 'unset' } },
      ],
    },
    `${a}: ${b}`,
    `code: ${a}`,
    `list: ${a}, ${b}, ${a}`,
    `${b}: 1 ${a}`,
    `${a}: not set`,
  ],
  diff: (a, b) => [
    {
      kind: 'diff',
      changes: [{ pointer: '/x', label: a, saw: words(b), before: words(a), after: code(b) }],
      records: [{ change: 'added', label: a, id: b, fields: [{ label: b, value: words(a) }] }],
    },
    `${a}: you saw ${b}, now ${a} → ${b}`,
    `added: ${a} (${b}) — ${b}: ${a}`,
  ],
  table: (a, b) => [
    {
      kind: 'table',
      label: a,
      columns: [{ label: a }, { label: b }],
      rows: [
        [words(a), words(b)],
        [code(b), code(a)],
      ],
      totals: [{ label: b, value: words(a) }],
    },
    a,
    a,
    b,
    a,
    b,
    b,
    a,
    `${b}: ${a}`,
  ],
  lines: (a, b) => [
    {
      kind: 'lines',
      itemLabel: a,
      columns: [{ label: b }],
      items: [{ id: a, label: b, cells: [code(a)] }],
      totals: [],
    },
    a,
    b,
    `${b} (${a})`,
    a,
  ],
  people: (a, b) => [
    { kind: 'people', label: a, count: 1, sample: [{ name: b, address: a }], domains: [{ name: b, count: 1 }] },
    `${a}: 1`,
    `${b} ${a}`,
    `${b}: 1`,
  ],
  metrics: (a, b) => [
    { kind: 'metrics', metrics: [{ label: a, value: words(b), before: words(a) }] },
    `${a}: ${a} → ${b}`,
  ],
}

/** The same for what a read answers. JSON is read as JSON: its own marks of code are written by their number there. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('`', '\\u0060')

const reads: Readonly<Record<string, (a: string, b: string) => readonly [unknown, ...(readonly string[])]>> = {
  'of a record': (a, b) => [{ a, inner: { b } }, `a: ${a}`, 'inner:', `b: ${b}`],
  'of rows': (a, b) => [{ rows: [{ a, b }] }, 'rows (1):', 'a', 'b', a, b],
  'of a list': (a, b) => [[a, { b }, [a, [b]]], a, '2:', `b: ${b}`, json([a, [b]])],
  'of lists in a record': (a, b) => [
    { rows: [[a, b]], inner: { list: [b, a] } },
    'rows (1):',
    json([a, b]),
    'inner:',
    'list (2):',
    b,
    a,
  ],
}

/** Something that would come alive. Beside it all of a text is read with care, and without it as well. */
const others = ['', 'a@b.co', '[x](https://evil.example)', '*', '`', '~', '_x_', '\\']

function expectShown(a: string, b: string, other: string): void {
  for (const place of Object.values(places)) {
    const [block, ...lines] = place(a, b)
    const beside: CardBlock = { kind: 'fields', fields: [{ label: 'other', value: words(other) }] }
    expectLines(cardText(card([block, beside])), ['Create order', ...lines, `other: ${other}`])
  }
  for (const read of Object.values(reads)) {
    const [value, ...lines] = read(a, b)
    expectLines(dataText(value), lines)
    if (!Array.isArray(value))
      expectLines(dataText({ ...(value as object), other: other || 'x' }), [...lines, `other: ${other || 'x'}`])
  }
}

describe('in a chat that renders Markdown each word of data is read letter by letter:', () => {
  test.each([
    'O`Brien and D`Arcy',
    'file.txt.~1~',
    '~x and y~',
    '~~keep~~',
    'src/*.ts and lib/*.ts',
    '__pycache__',
    '\\\\srv\\share\\_private',
    '\\d+\\.\\d+',
    'C:\\',
    'a|b* c`d',
    'a\\|b',
    'a\\\\|b',
    'a`\\|`b',
    '\\|',
    '*\\|*',
    'https://a.b/\\|\\\\|c',
    '```js x```',
    'path\\`q`',
    '`a``b',
    '` `',
    'say "hi"',
    '[ ] x',
    '[x](y',
    'plain_words 2 * 3',
  ])('%j', (text) => {
    for (const other of ['', 'a@b.co']) {
      expectShown(text, 'x', other)
      expectShown(text, text, other)
    }
  })

  test('in a text of more words than anybody reads lines are identifiers', () => {
    const text = `${'*a '.repeat(9_000)}\`b\\|`
    for (const other of ['x', 'a@b.co']) {
      const shown = dataText({ x: text, y: text, z: 'c_ d', other })
      expect(shown).toContain('\n- z: `c_` d\n')
      expect(shown).toContain(`\n- y: \`\`${text}\`\`\n`)
      expect(shown).toMatch(/^- x: `\*a` `\*a` /)
      expectLines(shown, [`x: ${text}`, `y: ${text}`, 'z: c_ d', `other: ${other}`])
    }
  })

  const piece = fc.constantFrom(...'`~|\\*_[]()"\'!.-:/ab1 '.split(''), '``', '~~', '\\|', '\\\\|', '**', '__', ' [x] ')
  const data = fc
    .array(piece, { minLength: 1, maxLength: 10 })
    .map((pieces) => pieces.join('').trim())
    .filter((text) => text !== '')

  test('whatever it is made of, and whatever stands in other records', () => {
    fc.assert(
      fc.property(data, data, fc.constantFrom(...others), (a, b, other) => {
        expectShown(a, b, other)
      }),
      { numRuns: runsOf(300) },
    )
  })
})
