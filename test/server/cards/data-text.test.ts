import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataText } from '../../../server/cards/data-text.ts'

const hostile = ['# h', '- x', '```', '> q', '1. x', '---', 'a | b \\| c', '\\', '<b>', '[x]: https://evil.example']

describe('the text of a read', () => {
  test('is a list of fields, and a table where every row has the same ones', () => {
    expect(
      dataText({
        total: 2,
        orders: [
          { id: 'SO-1', sum: { amount: '998.00', currency: 'EUR' }, paid: true },
          { id: 'SO-2', sum: { amount: '1.00', currency: 'EUR' }, paid: null },
        ],
        empty: [],
      }),
    ).toBe(
      [
        '- total: 2',
        'orders (2):\n\n| id | sum | paid |\n| --- | --- | --- |\n| SO-1 | EUR 998.00 | yes |\n| SO-2 | EUR 1.00 | _not set_ |\n',
        '- empty: none',
      ].join('\n'),
    )
  })

  test('leaves nothing out: every word and number of the data is in it', () => {
    const leaf = fc.oneof(fc.stringMatching(/^[a-z]{3,9}$/), fc.integer())
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value')),
        fc.dictionary(fc.stringMatching(/^[a-z]{3,9}$/), tie('value')),
      ),
    })).value
    const leaves = (value: unknown): string[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)]
    fc.assert(
      fc.property(json, (value) => {
        const text = dataText(value)
        for (const one of leaves(value)) expect(text).toContain(one)
      }),
    )
  })

  test('holds a text of very many marks of code', () => {
    const text = `x\n${'` '.repeat(150_000)}`
    expect(dataText({ v: text })).toBe(`- v:\n\n\`\`\`\n${text}\n\`\`\`\n`)
  })

  test.each(hostile)('%j stays in its row, its column and its line', (text) => {
    const table = dataText({ rows: [{ [text]: text, b: text }] })
    for (const row of table.split('\n').filter((line) => line.startsWith('| ')))
      expect(row.replaceAll(/\\./g, '').split('|')).toHaveLength(4)
    for (const line of dataText({ [text]: text, list: [text, [text]] }).split('\n')) {
      const item = /^\s*- (.*)$/.exec(line)?.[1] ?? line
      expect(item).not.toMatch(/^(?:#{1,6}\s|>|[-+*]\s|\d+[.)]\s|`{3,}[^`]*$|<|\[x\]:|---)/)
    }
  })
})
