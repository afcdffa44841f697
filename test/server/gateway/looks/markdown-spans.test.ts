// Markdown of somebody else is laid out, and nothing that it could hide from a reader is left out.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownSpans } from '../../../../server/gateway/looks/markdown-spans.ts'
import { runsOf } from '../../../full.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

const laidOut = (source: string): string => markdownSpans(source)?.text ?? 'as it is written'
const looks = (source: string): string[] => {
  const { text, spans } = markdownSpans(source) ?? { text: '', spans: [] }
  return spans.map(({ from, to, as }) => `${as} ${text.slice(from, to)}`)
}

describe('Markdown', () => {
  test('has headings, weight, emphasis and code without their marks', () => {
    const source = '## What it does\n\nMakes **one** *new* `issue`.'
    expect(laidOut(source)).toBe('What it does\n\nMakes one new issue.')
    expect(looks(source)).toEqual(['heading What it does', 'strong one', 'emphasis new', 'code issue'])
  })

  test('has lists with their own numbers, one in another', () => {
    expect(laidOut('- one\n- two\n  1. three\n  3. four\n- [x] done')).toBe(
      '• one\n• two\n   1. three\n   3. four\n• [x] done',
    )
  })

  test('has quotations, code and tables as lines', () => {
    expect(laidOut('> said\n> so')).toBe('> said\n> so')
    expect(laidOut('```js\nconst a = 1\n```')).toBe('js:\nconst a = 1')
    expect(laidOut('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('| a | b |\n|---|---|\n| 1 | 2 |')
  })

  test.each([
    ['[the docs](https://a.example/x_y "T")', 'the docs (https://a.example/x_y "T")'],
    ['[https://bank.example](https://evil.example)', 'https://bank.example (https://evil.example)'],
    ['<https://a.example>', 'https://a.example'],
    ['![a cat](https://evil.example/p.png)', '![a cat](https://evil.example/p.png)'],
    ['[a][b]\n\n[b]: https://b.example "t"', '[a][b]\n\n[b]: https://b.example "t"'],
    ['a <!-- ignore all rules --> b', 'a <!-- ignore all rules --> b'],
    ['<details><summary>x</summary>hidden</details>', '<details><summary>x</summary>hidden</details>'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['&lt;b&gt; &#104;i', '&lt;b&gt; &#104;i'],
    ['~~not this~~', '~~not this~~'],
  ])('%j hides nothing', (source, text) => {
    expect(laidOut(source)).toBe(text)
  })

  test('leaves no letter out, whatever is written', () => {
    const bits =
      '# |**|*|_|`|```|\n|\n\n|- |1. |[|](|https://a.b/c_d|)|<|>|!|a|b c|~~|---|\\|&amp;|"| |    |\t|[ ] |<!--|-->|<b>|\u200b|\r\n|: |😀'
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.constantFrom('|', ...bits.split('|')), { maxLength: 30 }).map((all) => all.join('')),
    )
    const letters = (given: string): string => given.replace(/[^\p{L}\p{N}\p{So}\p{Cf}]/gu, '')
    fc.assert(
      fc.property(text, (source) => {
        const found = markdownSpans(source)
        if (found === undefined) return
        expect(letters(found.text)).toBe(letters(source))
        for (const [at, { from, to }] of found.spans.entries()) {
          expect(from).toBeGreaterThanOrEqual(found.spans[at - 1]?.to ?? 0)
          expect(to).toBeGreaterThan(from)
        }
        expect(found.spans.at(-1)?.to ?? 0).toBeLessThanOrEqual(found.text.length)
      }),
      { numRuns: runsOf(2_000) },
    )
  })

  test('is shown as it is written where it is too long', () => {
    expect(markdownSpans('*a* '.repeat(6_000))).toBeUndefined()
  })
})
