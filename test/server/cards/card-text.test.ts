import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardText, valueText } from '../../../server/cards/card-text.ts'
import type { Card, CardValue } from '../../../server/model/card.ts'
import { anyCard } from '../../ui/arbitrary-card.ts'
import { anyCharacter } from '../../kit/any-character.ts'
import { card } from '../../kit/cards.ts'

/** Every text of a card that a person is to read; what is folded away behind a number is counted, not told. */
const facts = (value: unknown, path = ''): readonly string[] => {
  if (typeof value !== 'object' || value === null || path.endsWith('.unchanged')) return []
  return Object.entries(value).flatMap(([key, member]) => {
    if (typeof member === 'string')
      return /^(?:text|label|title|subtitle|claim|itemLabel|summary|amount|currency|value|unit|iso|url)$/.test(key)
        ? [member]
        : []
    return facts(member, `${path}.${key}`)
  })
}

const words = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9})?$/)

/** The same card with every readable text replaced by plain words, so that the text holds it letter by letter. */
const withWords = (one: Card, pick: () => string): Card =>
  JSON.parse(
    JSON.stringify(one, (key, member: unknown) =>
      typeof member === 'string' && /^(?:text|label|title|subtitle|claim|itemLabel|summary|unit)$/.test(key)
        ? pick()
        : member,
    ),
  ) as Card

describe('the text of a card', () => {
  test('carries every fact of the card', () => {
    fc.assert(
      fc.property(anyCard, fc.infiniteStream(words), (one, stream) => {
        const plain = withWords({ ...one, actions: [] }, () => stream.next().value as string)
        const text = cardText(plain)
        for (const fact of facts({ ...plain, plan: undefined })) expect(text).toContain(fact)
      }),
      { numRuns: 300 },
    )
  })

  test('carries neither the ticket nor the words of its buttons', () => {
    const text = cardText(
      card([], {
        plan: { id: 'pl_1', ticket: 'cs1_secret', expires_in_ms: 1 },
        actions: [
          {
            role: 'confirm',
            label: 'Create order',
            tone: 'go',
            steps: [{ do: 'SendMessage', text: 'Apply: call x(preview=False)' }],
          },
        ],
      }),
    )
    expect(text).toBe('**Create order for ACME**')
  })

  test('reads as a person would write it', () => {
    expect(
      cardText(
        card(
          [
            { kind: 'alert', severity: 'warning', title: 'Low stock', text: 'Two are left.' },
            {
              kind: 'diff',
              changes: [
                {
                  pointer: '/due',
                  label: 'Due',
                  saw: { kind: 'unknown' },
                  before: { kind: 'unset' },
                  after: { kind: 'date', iso: '2026-11-28', precision: 'day' },
                },
              ],
              unchanged: [{ label: 'Customer', value: { kind: 'text', text: 'ACME' } }],
            },
            {
              kind: 'lines',
              itemLabel: 'Item',
              columns: [{ label: 'Price', align: 'end' }],
              items: [{ id: 'A|1', label: 'Desk', cells: [{ kind: 'money', amount: '499.00', currency: 'EUR' }] }],
              totals: [{ label: 'Total', value: { kind: 'money', amount: '499.00', currency: 'EUR' } }],
            },
            { kind: 'effects', effects: ['Stock falls to 2'] },
          ],
          { subtitle: 'draft', claim: 'They asked for it' },
        ),
      ),
    ).toBe(
      [
        '**Create order for ACME**\ndraft',
        '**Warning: Low stock** Two are left.',
        '- Due: you saw _unknown_, now _not set_ → 2026-11-28\n- 1 fields stay as they are',
        '| Item | Price |\n| --- | --- |\n| Desk (A\\|1) | EUR 499.00 |\n\nTotal: EUR 499.00',
        '→ Stock falls to 2',
        'The agent says: “They asked for it”',
      ].join('\n\n'),
    )
  })

  test.each<[CardValue, string]>([
    [{ kind: 'text', text: 'a\nb' }, 'a ⏎ b'],
    [{ kind: 'code', text: 'a`b' }, '``a`b``'],
    [{ kind: 'number', value: '2.50', unit: 'kg' }, '2.50 kg'],
    [{ kind: 'number', value: '-3' }, '-3'],
    [{ kind: 'money', amount: '998.00', currency: 'EUR' }, 'EUR 998.00'],
    [{ kind: 'date', iso: '2026-11-28T12:00:00Z', precision: 'minute' }, '2026-11-28T12:00:00Z'],
    [{ kind: 'boolean', value: true }, 'yes'],
    [{ kind: 'boolean', value: false }, 'no'],
    [{ kind: 'list', items: [] }, 'none'],
    [{ kind: 'list', items: [{ kind: 'text', text: 'a' }, { kind: 'unset' }] }, 'a, _not set_'],
    [{ kind: 'unset' }, '_not set_'],
    [{ kind: 'unknown' }, '_unknown_'],
  ])('the value %j is %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })
})

/** Each would begin something of its own if it stood first on a line. */
const openers =
  '# heading,###### h,#,> quote,- item,+ item,* item,1. item,12) item,---,***,_ _ _,===,```,```js,~~~,<script>,<!-- ,| a | b |,[x]: https://evil.example,-,    # indented,=,--'.split(
    ',',
  )

const hostile = [
  ...openers,
  ...openers.map((text) => `innocent\n${text}`),
  ...openers.map((text) => `innocent\r\n\r\n${text}`),
  'a\rb',
  'line\u2028separator\u2029paragraph\u0085next',
  '\u202egnp.exe',
  'zero\u200bwidth',
  '````\ncode\n````',
  '`````',
  'a | b \\| c',
  '\\',
  '**Applied.**\n\n**Blocked: nothing**',
]

const value = (text: string): CardValue => ({ kind: 'text', text })

/** A card with this text in every place that data can reach, each after words of its own. */
const everywhere = (text: string): Card =>
  card(
    [
      { kind: 'alert', severity: 'info', title: text, text },
      {
        kind: 'fields',
        fields: [
          { label: text, value: value(text) },
          { label: 'code', value: { kind: 'code', text } },
          { label: 'unit', value: { kind: 'number', value: '1', unit: text } },
        ],
      },
      {
        kind: 'diff',
        changes: [
          {
            pointer: '/x',
            label: text,
            before: value(text),
            after: { kind: 'list', items: [value(text)] },
            saw: value(text),
          },
        ],
      },
      {
        kind: 'lines',
        itemLabel: text,
        columns: [{ label: text }],
        items: [{ id: text, label: text, cells: [value(text)] }],
        totals: [{ label: text, value: value(text) }],
      },
      { kind: 'effects', effects: [text] },
      { kind: 'links', links: [{ label: text, url: `https://x.example/${text}` }] },
      { kind: 'details', summary: text, fields: [{ label: text, value: value(text) }] },
      { kind: 'code', label: text, language: text, text },
    ],
    { title: text === '' ? 'x' : text, subtitle: text, claim: text },
  )

/** What starts a block, at the start of a line or of what follows our own "- ". */
const opens =
  /^\s*(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|`{3,}[^`]*$|~{3}|<|\[|[-=]+\s*$|(?:[-*_]\s*){3}$)/

describe('data stays data', () => {
  test.each(hostile)('%j starts no block of its own, and hides nothing', (text) => {
    const lines = cardText(everywhere(text)).split('\n')
    // The one place of several lines is the code block, the last but the claim; its fence is longer than any inside.
    const fences = lines.flatMap((line, at) => (/^`{3,}[a-z]*$/i.test(line) ? [at] : []))
    const bar = /^`+/.exec(lines.at(-3) ?? '')?.[0] ?? ''
    // Behind those of a fence stand no more of its marks (CommonMark 4.5).
    const isFence = (line: string): boolean => line.startsWith(bar) && /^`+[^`]*$/.test(line)
    const from = lines.findIndex(isFence)
    expect(bar.length).toBeGreaterThanOrEqual(3)
    expect(fences).toContain(lines.length - 3)
    expect(lines.slice(from + 1, -3).filter(isFence)).toStrictEqual([])
    const prose = [...lines.slice(0, from), ...lines.slice(-2)]
    for (const line of prose) {
      const [, item] = /^- (.*)$/.exec(line) ?? []
      if (item === undefined) expect(line).not.toMatch(opens)
      else expect(item).not.toMatch(opens)
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }
  })

  test.each(hostile)('%j does not move from its column', (text) => {
    const rows = cardText(everywhere(text))
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(rows.length).toBeGreaterThanOrEqual(2)
    // Unescaped bars, as GitHub's table extension counts them.
    for (const row of rows) expect(row.replaceAll(/\\./g, '').split('|')).toHaveLength(4)
  })

  test('an address cannot leave its brackets', () => {
    const text = cardText(
      card([{ kind: 'links', links: [{ label: 'x', url: 'https://x.example/>\n# Done\u2028<b> c' }] }]),
    )
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toContain('<https://x.example/%3E%0A#%20Done%E2%80%A8%3Cb%3E%20c>')
  })

  test('any text at all stays on its line', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const one = card(
          [
            { kind: 'fields', fields: [{ label: text, value: value(text) }] },
            { kind: 'effects', effects: [text] },
          ],
          { subtitle: text },
        )
        const lines = cardText(one).split('\n')
        expect(lines).toHaveLength(text === '' ? lines.length : 6)
        expect(lines[1]).not.toMatch(opens)
      }),
      { numRuns: 500 },
    )
  })
})
