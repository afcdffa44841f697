// What others wrote stays words in a chat that renders Markdown.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardText } from '../../../server/cards/card-text.ts'
import { dataText } from '../../../server/cards/data-text.ts'
import { invisible, showInvisible, showInvisibleInLines } from '../../../server/cards/invisible-characters.ts'
import { markdownBlocks } from '../../../server/cards/markdown-blocks.ts'
import type { Card, CardBlock, CardValue } from '../../../server/model/card.ts'
import { anyCard } from '../../ui/arbitrary-card.ts'
import { aliveInChat, shownInChat } from '../../kit/alive-in-chat.ts'
import { anyCharacter } from '../../kit/any-character.ts'
import { card } from '../../kit/cards.ts'
import { runsOf } from '../../full.ts'

const link = '[Sign in again](https://evil.example)'
const words = (text: string): CardValue => ({ kind: 'text', text })

/** What of others is written in each place, taken in turn. */
const everywhere = (next: () => string): Card => {
  const field = () => ({ label: next(), value: words(next()) })
  const change = () => ({
    pointer: '/x',
    label: next(),
    saw: words(next()),
    before: { kind: 'code' as const, text: next() },
    after: { kind: 'list' as const, items: [words(next()), { kind: 'code' as const, text: next() }, words(next())] },
  })
  return card(
    [
      { kind: 'text', text: next() },
      { kind: 'alert', severity: 'warning', title: next(), text: next() },
      { kind: 'fields', fields: [field(), { label: next(), value: { kind: 'number', value: '1', unit: next() } }] },
      {
        kind: 'diff',
        changes: [change()],
        records: [{ change: 'added', label: next(), id: next(), fields: [field()], changes: [change()] }],
      },
      {
        kind: 'lines',
        itemLabel: next(),
        columns: [{ label: next() }, { label: next() }],
        items: [{ id: next(), label: next(), cells: [words(next()), { kind: 'code', text: next() }] }],
        totals: [field()],
      },
      {
        kind: 'table',
        label: next(),
        columns: [{ label: next() }, { label: next() }],
        rows: [[words(next()), words(next())]],
        totals: [field()],
      },
      {
        kind: 'pages',
        list: 'l',
        label: next(),
        columns: [{ label: next() }],
        total: 2,
        rows: [{ key: '1', cells: [words(next())] }],
        rest: next(),
      },
      { kind: 'effects', effects: [next(), next()] },
      {
        kind: 'people',
        label: next(),
        count: 9,
        sample: [{ name: next(), address: next() }, { name: next() }],
        domains: [{ name: next(), count: 1 }],
      },
      { kind: 'steps', steps: [{ label: next(), state: 'planned', note: next() }] },
      { kind: 'progress', label: next(), done: 1, total: 2 },
      { kind: 'metrics', metrics: [{ label: next(), value: words(next()), before: words(next()) }] },
      { kind: 'picture', label: next(), alt: next(), data: '', width: 1, height: 1 },
      { kind: 'code', label: next(), text: next() },
      {
        kind: 'details',
        summary: next(),
        fields: [field()],
        text: next(),
        blocks: [{ kind: 'effects', effects: [next()] }],
      },
      { kind: 'text', text: next() },
    ],
    { title: next(), subtitle: next(), claim: next() },
  )
}

/** Of those that can be seen: the others stand there by their numbers. */
const charactersOf = (text: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const character of text.match(/\S/gu) ?? [])
    if (!invisible.test(character)) counts[character] = (counts[character] ?? 0) + 1
  return counts
}

describe('where a card is text, what others wrote is words:', () => {
  test.each([
    ['a link', link, '`[Sign` in `again](https://evil.example)`'],
    ['a picture', '![](https://evil.example/p.png)', '`![](https://evil.example/p.png)`'],
    ['HTML', '<a href=x>b</a>', '`<a` `href=x>b</a>`'],
    ['an address', 'see https://evil.example/ now', 'see `https://evil.example/` now'],
    ['an address without its scheme', 'see //evil.example/ and www.a.b', 'see `//evil.example/` and `www.a.b`'],
    ['a mailbox', 'write to a@b.co', 'write to `a@b.co`'],
    ['an address with backslashes in it', 'see https:/\\/a.b/x now', 'see `https:/\\/a.b/x` now'],
    ['one without its scheme', 'see www\\.a.b now', 'see `www\\.a.b` now'],
    ['a mailbox with a backslash in it', 'write to a\\@b.co', 'write to `a\\@b.co`'],
    ['a letter by its number', 'a &#91; b', 'a `&#91;` b'],
    ['marks of code that would open what holds it', '` [a](https://b.co)', '`` ` `` `[a](https://b.co)`'],
    ['a backslash before what holds it', 'a\\`[x](https://b.co)`', '`` a\\`[x](https://b.co)` ``'],
    [
      'a link between quotation marks',
      `he said: “${link}”`,
      'he said: “`[Sign` in `again](https://evil.example)`”',
      'he said: `“[Sign` in `again](https://evil.example)”`',
    ],
    ['code beside what is held', '`x`[a](`b`)', '`` `x`[a](`b` ``)', '`` `x`[a](`b`) ``'],
  ])('%s', (_, text, shown, inField = shown) => {
    expect(cardText(card([{ kind: 'alert', severity: 'info', title: text }]))).toContain(`**Note: ${shown}**`)
    expect(cardText(card([{ kind: 'fields', fields: [{ label: 'x', value: words(text) }] }]))).toContain(
      `\n- x: ${inField}`,
    )
    expect(aliveInChat(cardText(everywhere(() => text)))).toStrictEqual([])
  })

  test('and only the addresses of links that the tool itself offers lead anywhere', () => {
    const links: CardBlock = { kind: 'links', links: [{ label: link, url: 'https://own.example/a`b' }] }
    expect(aliveInChat(cardText(card([links])))).toStrictEqual([
      'marked: <a href="https://own.example/a%60b">',
      'marked: </a>',
      'micromark: <a href="https://own.example/a%60b">',
      'micromark: </a>',
      'markdown-it: <a href="https://own.example/a%60b">',
      'markdown-it: </a>',
    ])
  })

  test('words, brackets and marks of code are as they were where nothing comes alive', () => {
    const text = 'a ` b, c[0] (d) and **e**'
    const one = card([{ kind: 'text', text }], { title: text, subtitle: text, claim: text })
    expect(cardText(one)).toBe([`**${text}**\n${text}`, text, `The agent says: “${text}”`].join('\n\n'))
  })

  test('identifiers, weight, lists and file names stay as they are', () => {
    const text = 'Delete `a.txt`, **main.rs** and README.md, e.g. at 12:30\n- [x] one/two: 3 & 4 <5\n- <= 6'
    expect(cardText(card([{ kind: 'text', text }], { claim: link }))).toContain(text)
  })

  /** Parts of Markdown, and characters that readers of it take for something else. */
  const marks =
    '[ ] ( ) ]( ]: ! ![ < > ` `` ``` ~ ~~~ * ** _ __ \\ \\\\ | \\| # - 1. > a b http://e.x https: // www.e.x www . e.x //e.x ' +
    'https:/\\/e.x www\\.e.x a\\@b.co a@b.co @ mailto: <b> </a> <!-- --> &lt; &#96; &#91; &amp; [a] [a](b) [^1] "t" |-|-| :-|- -|- | : 0 é “'
  const blanks = ['\n', '\n\n', ' ', '    ', '\t', '\r', '\\\n', '  \n', '\u200B', '\u00A0', '\u2028']
  const openers = ['[a]: b', '[^1]: z', '<a href=x>', '- ', '1. ', '> ', '# ', '[x] ', '- [ ] ']
  const lines = ['|-|-|', ':-', '~~~', '```'].map((line) => `\n${line}\n`)
  const piece = fc.oneof(
    fc.constantFrom(...marks.split(' '), ...blanks, ...openers, ...lines),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  )
  const markdownish = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

  test('whatever it is made of, on any block, and all characters of it are there', () => {
    fc.assert(
      fc.property(fc.infiniteStream(markdownish), (stream) => {
        const written: string[] = []
        const text = cardText(
          everywhere(() => {
            written.push(stream.next().value as string)
            return written.at(-1) ?? ''
          }),
        )
        expect(aliveInChat(text)).toStrictEqual([])
        const shown = charactersOf(text)
        for (const [character, count] of Object.entries(charactersOf(written.join('\n'))))
          expect(shown[character] ?? 0).toBeGreaterThanOrEqual(count)
      }),
      { numRuns: runsOf(300) },
    )
  })

  test('on any card at all', () => {
    const isOwn = ({ kind }: CardBlock): boolean => kind === 'links'
    fc.assert(
      fc.property(anyCard, (one) => {
        expect(aliveInChat(cardText({ ...one, blocks: one.blocks.filter((block) => !isOwn(block)) }))).toStrictEqual([])
      }),
      { numRuns: runsOf(300) },
    )
  })

  test('also what was Markdown before', () => {
    fc.assert(
      fc.property(markdownish, markdownish, (text, other) => {
        const blocks = markdownBlocks(text)
        expect(aliveInChat(cardText(card([...blocks, ...everywhere(() => other).blocks])))).toStrictEqual([])
      }),
      { numRuns: runsOf(300) },
    )
  })

  test('and what a read answers', () => {
    fc.assert(
      fc.property(fc.array(markdownish, { minLength: 12, maxLength: 12 }), (texts) => {
        const [a = '', b = '', c = '', d = '', e = '', f = '', ...rest] = texts
        const data = {
          [a]: b,
          rows: [
            { [c]: d, x: e },
            { [c]: f, x: a },
          ],
          list: [...rest, [a, { b }]],
          [d]: { [e]: f, sum: { amount: a, currency: b } },
        }
        expect(aliveInChat(dataText(data))).toStrictEqual([])
      }),
      { numRuns: runsOf(300) },
    )
  })

  test('a word of a read is the same whatever stands in other records', () => {
    const texts = ['O`Brien', '```js x```', 'path\\`q`', '`a``b', 'C:\\', '` `']
    const data = Object.fromEntries(texts.map((one, at) => [`k${at}`, one]))
    const lines = [
      '- k0: ``O`Brien``',
      '- k1: ```` ```js ```` ```` x``` ````',
      '- k2: `` path\\`q` ``',
      '- k3: ``` `a``b ```',
      '- k4: `C:\\`',
      '- k5: `` ` `` `` ` ``',
    ]
    expect(dataText(data)).toBe(lines.join('\n'))
    expect(dataText({ ...data, other: 'a@b.co' })).toBe([...lines, '- other: `a@b.co`'].join('\n'))
  })

  test('and a chat shows each word that a read answers letter by letter', () => {
    fc.assert(
      fc.property(fc.array(markdownish, { maxLength: 6 }), fc.constantFrom({}, { other: 'a@b.co' }), (texts, other) => {
        const read = dataText({ ...Object.fromEntries(texts.map((one, at) => [`k${at}`, one])), ...other })
        for (const shown of shownInChat(read))
          for (const one of texts)
            for (const word of (one.includes('\n') ? showInvisibleInLines(one) : showInvisible(one)).split(/\s+/))
              expect(shown).toContain(word)
      }),
      { numRuns: runsOf(300) },
    )
  })
})
