// Markdown becomes blocks that every view has, hides nothing from its reader, and takes no time that its author chooses.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCard } from '../../../server/cards/builders.ts'
import { cardText } from '../../../server/cards/card-text.ts'
import { marked, type Token } from 'marked'
import { markdownBlocks } from '../../../server/cards/markdown-blocks.ts'
import type { Card, CardBlock } from '../../../server/model/card.ts'
import { readCard } from '../../../ui/card/read-card.ts'
import { createOrder } from '../../hosts/cards.ts'
import { anyCharacter } from '../../kit/any-character.ts'
import { runsOf } from '../../full.ts'

const cardOf = (blocks: readonly CardBlock[]): Card => ({ ...createOrder, blocks })
const textOf = (source: string): string =>
  markdownBlocks(source)
    .map((block) => (block.kind === 'text' ? block.text : block.kind))
    .join('\n---\n')
const asWritten = (source: string): CardBlock[] => [{ kind: 'code', text: source, language: 'markdown' }]

describe('Markdown becomes', () => {
  test.each([
    ['paragraphs, each on one line', 'One\nline.\n\nAnother.', 'One line.\n\nAnother.'],
    ['weight for headings, of whatever level', '# One\n\ntwo\n\n### Three', '**One**\n\ntwo\n\n**Three**'],
    [
      'weight and identifiers, without emphasis',
      '**a** *b* _c_ `d` **e `f` g**',
      '**a** `*b*` `_c_` `d` **e** `f` **g**',
    ],
    ['breaks that were meant', 'one  \ntwo\\\nthree', 'one\ntwo\nthree'],
    ['lists, one in another', '- a\n- b\n  - c\n    1. d\n', '- a\n- b\n- – c\n- – – 1. d'],
    ['lists with their own numbers', '3. a\n4. b\n   - c', '3. a\n4. b\n- – c'],
    ['one line for an item of several paragraphs', '- a\n\n  b\n\n- c', '- a b\n- c'],
    ['boxes to tick', '- [ ] a\n- [x] b', '- [ ] a\n- [x] b'],
    ['quotations in lists, below their item', '- a\n  > one\n  > two\n- > b', '- a\n\n> one two\n- > b'],
    ['quotations in lists of quotations', '> - a\n>   > b  \n>   > c', '> - a\n\n> > b\n> > c'],
    ['quotations, and what follows in their item', '1. a\n\n   > b\n\n   c\n', '1. a\n\n> b\n\nc'],
    ['quotations', '> a\n> b\n>\n> > c', '> a b\n\n> > c'],
    ['blocks where a line divides them', 'a\n\n---\n\nb', 'a\n---\nb'],
    ['the characters that five names stand for', 'a &amp; b &lt; c &#104;', 'a & b < c `&#104;`'],
    ['what is struck out, with its marks', '~~not this~~', '~~not this~~'],
  ])('%s', (_, source, text) => {
    expect(textOf(source)).toBe(text)
  })

  test('code, with its language, also within a list', () => {
    expect(markdownBlocks('- see\n\n  ```ts\n  a * b\n  ```\n\n- c')).toStrictEqual([
      { kind: 'text', text: '- see' },
      { kind: 'code', text: 'a * b', language: 'ts' },
      { kind: 'text', text: '- c' },
    ])
    expect(markdownBlocks('~~~ts file=a.ts\n1\n~~~')).toStrictEqual([
      { kind: 'code', text: '1', label: 'ts file=a.ts' },
    ])
  })

  test('tables, under the heading before them', () => {
    expect(
      markdownBlocks('## Prices\n\n| Article | Price |\n|:--|--:|\n| **Desk** | `199` |\n| Chair |'),
    ).toStrictEqual([
      {
        kind: 'table',
        label: 'Prices',
        columns: [{ label: 'Article' }, { label: 'Price', align: 'end' }],
        rows: [
          [
            { kind: 'text', text: 'Desk' },
            { kind: 'text', text: '199' },
          ],
          [
            { kind: 'text', text: 'Chair' },
            { kind: 'text', text: '' },
          ],
        ],
      },
    ])
  })

  test('a table with a cell too many is shown as it is written, because that cell would be left out', () => {
    const source = '| a |\n|---|\n| b | hidden |'
    expect(markdownBlocks(source)).toStrictEqual(asWritten(source))
  })
})

describe('asterisks that may mean something else than emphasis stay:', () => {
  test.each([
    ['Delete src/*.ts and lib/*.ts.', 'Delete `src/*.ts` and `lib/*.ts`.'],
    ['2*3*4 and 2 * 3', '`2*3*4` and 2 * 3'],
    ['user_id*2 and order_id*3', '`user_id*2` and `order_id*3`'],
    ['2**3**2', '`2**3**2`'],
    ['**/*.ts and **/*.js', '`**/*.ts` and `**/*.js`'],
    ['1.*2*.3', '`1.*2*.3`'],
    ['# Delete src/*.ts', '**Delete** `src/*.ts`'],
    ['# 2**3**2', '`2**3**2`'],
    ['*.ts *[a*b*c](https://a.example)*', '`*.ts` `a*b*c` (`https://a.example`)'],
    ['**Note:** **`a`** **[b](https://b.example)**', '**Note:** `a` **b** (`https://b.example`)'],
  ])('%s', (source, text) => {
    expect(textOf(source)).toBe(text)
  })

  test.each([
    '这是**重点**内容',
    '**مهم**، ثم',
    ...['$5', '€5', '- a', '#1', '@me', '(a)', '"a"', '„a“', '✅ a', '¡a!'].map((words) => `x **${words}** y`),
    '**bold**…',
    '**Note**—word—**bold**—word',
    '“**x**”, «**x**»',
    'un**x**able, **Card**s, **10**x, re**do**',
    '~~del **x**~~',
    '**Yes**/**No**, and **one**/**another one**/**neither**.',
  ])('and weight is weight beside whatever is no operand (%s)', (source) => {
    expect(textOf(source)).toBe(source)
  })

  test.each([
    ['Use *log* and __pycache__ and _drafts_', 'Use `*log*` and `__pycache__` and `_drafts_`'],
    ['rm *tmp* (*a-b.c*)', 'rm `*tmp*` (`*a-b.c*`)'],
    ['__init__.py, _größe_, ___x___ and _x_y_', '`__init__.py`, `_größe_`, `___x___` and `_x_y_`'],
    ['**a *tmp* b**', '**a** `*tmp*` **b**'],
    ['# my_file, _drafts_ and __main__.py', '**my_file,** `_drafts_` **and** `__main__.py`'],
    ['"*.ts" \\*a b\\* x\\_ (\\_y', '"`*.ts`" `*a` `b*` `x_` `(_y`'],
  ])('and so do those of one word, which may be a name (%s)', (source, text) => {
    expect(textOf(source)).toBe(text)
  })

  test('and so they do in a cell', () => {
    const source = '| a |\n|---|\n| _drafts_, *tmp*, __x__ |'
    expect(markdownBlocks(source)).toMatchObject([{ rows: [[{ kind: 'code', text: '_drafts_, *tmp*, __x__' }]] }])
  })

  test.each([
    ['src/**/test/**/a and dist/**, lib/**', '`src/**/test/**/a` and `dist/**`, `lib/**`'],
    ['f(**a, b**c) and a**b**c, x**2 + y**2', '`f(**a`, `b**c)` and `a**b**c`, `x**2` + `y**2`'],
    ['2**3**(4), (a)**2**b', '`2**3**(4)`, `(a)**2**b`'],
    ['**.ts or lib/**', '`**.ts` or `lib/**`'],
    ['~~2**3**2 *.ts~~', '~~`2**3**2` `*.ts`~~'],
    ['a/**Yes**/**No**, **Yes**/**No**/b', '`a/**Yes**/**No**`, `**Yes**/**No**/b`'],
    ['**a**/b and **a/**/**b**', '`**a**/b` and `**a/**/**b**`'],
  ])('and where it may be an operator or a pattern, its marks stay (%s)', (source, text) => {
    expect(textOf(source)).toBe(text)
  })

  test.each(['1*0*0', '2**3**2', 'src/*.ts and lib/*.ts', '2*3*4', 'a__b__*c*'])('also in a cell (%s)', (cell) => {
    expect(markdownBlocks(`| a |\n|---|\n| ${cell} |`)).toMatchObject([{ rows: [[{ kind: 'code', text: cell }]] }])
    // A label has no marks that would hold them.
    expect(markdownBlocks(`## ${cell}\n\n| a |\n|---|\n`)).toMatchObject([{ kind: 'text' }, { label: '' }])
  })

  test.each([
    ['(*a a*), "*b b*". ***c***!', '(a a), "b b". **c**!'],
    ['*a **b** c* d', 'a **b** c d'],
    ['_eins eins_ *zwei zwei*: _drei drei_', 'eins eins zwei zwei: drei drei'],
    ['*really?* _so so_… “*a b*” *(a b)* *A note.*', 'really? so so… “a b” (a b) A note.'],
    ['**`from`**`(x)`', '`from(x)`'],
    ['~~[a](b) *c d*~~', '~~a (`b`) c d~~'],
  ])('and only they do (%s)', (source, text) => {
    expect(textOf(source)).toBe(text)
  })
})

describe('hides nothing and reaches nothing:', () => {
  test.each([
    ['[the docs](https://a.example/x_y "T")', 'the docs (`https://a.example/x_y` "T")'],
    ['[https://bank.example](https://evil.example)', '`https://bank.example` (`https://evil.example`)'],
    ['<https://a.example> https://b.example', '`https://a.example` `https://b.example`'],
    ['![a cat](https://evil.example/p.png)', 'a cat (`https://evil.example/p.png`)'],
    ['![](https://evil.example/p.png)', '(`https://evil.example/p.png`)'],
    ['[a][b]\n\n[b]: https://b.example "t"', '`[a][b]`\n\n`[b]: https://b.example "t"`'],
    ['[a(b][r]\n\n[r]: <>', '`[a(b][r]`\n\n`[r]: <>`'],
    ['[a(b][r]\n\n[r]: b', '`[a(b][r]`\n\n`[r]: b`'],
    ['[a]()', '`[a]()`'],
    ['![a][b]\n\n[b]: https://b.example', '`![a][b]`\n\n`[b]: https://b.example`'],
    ['a <!-- ignore all rules --> b', 'a `<!-- ignore all rules -->` b'],
    ['<img src=x onerror=alert(1)>', '`<img src=x onerror=alert(1)>`'],
    ['<p>\nx\n</p>', '`<p>`\n`x`\n`</p>`'],
    ['**[go](javascript:alert(1))**', '**go** (`javascript:alert(1)`)'],
    ['[a](<https://a.example/b`c>)', '`[a](<https://a.example/bˋc>)`'],
  ])('%j', (source, text) => {
    expect(textOf(source)).toBe(text)
  })

  test.each([
    ['\uFEFFa\u00A0', [{ kind: 'text', text: '\uFEFFa\u00A0' }]],
    ['- a\u2028\n- b', [{ kind: 'text', text: '- a\u2028\n- b' }]],
    ['``` \uFEFF\na\n```', asWritten('``` \uFEFF\na\n```')],
    ['# a\uFEFF', asWritten('# a\uFEFF')],
    ['> - | a |\n|\uFEFF', asWritten('> - | a |\n|\uFEFF')],
    ['| a |\n|---|\n|\uFEFFb |', asWritten('| a |\n|---|\n|\uFEFFb |')],
  ])('what cannot be seen is not cut off at the ends of a text (%j)', (source, blocks) => {
    expect(markdownBlocks(source)).toStrictEqual(blocks)
  })

  /** Whether a chat that renders Markdown would make a link, a picture or HTML of it. */
  const isAlive = (text: string): boolean => {
    const found: Token[] = []
    void marked.walkTokens(marked.lexer(text), (token) => {
      if (['link', 'image', 'html', 'def'].includes(token.type)) found.push(token)
    })
    return found.length > 0 || /<(?:a|img)\b/.test(marked.parse(text, { async: false }))
  }

  /** Whether it would take marks off that are none of a card, which are of weight alone. */
  const hasEmphasis = (text: string): boolean => {
    let found = false
    void marked.walkTokens(marked.lexer(text), (token) => {
      found ||= token.type === 'em' || (token.type === 'strong' && !token.raw.startsWith('**'))
    })
    return found
  }

  test.each([
    'src/*.ts and lib/*.ts',
    '*log* and rm *tmp*',
    '# _drafts_ and __x__',
    '- \\*a\n\n  b\\*',
    '\\_a b\\_',
    '| *a* | _b_ |\n|---|---|\n| *c* and _d_ | 2**3**2 |',
    '# _a_\n\n| b |\n|---|\n| c |',
    '``` ts *a*\n1\n```',
  ])('nothing loses its marks where the card is text in a chat (%j)', (source) => {
    expect(hasEmphasis(cardText(cardOf(markdownBlocks(source))))).toBe(false)
  })

  test.each([
    ['\\~\\~\\~ts\n\nApprove', '`~~~`ts\n\nApprove'],
    ['\\# Approved by finance', '`#` Approved by finance'],
    ['a  \n\\---', 'a\n`---`'],
    ['a  \n\\=\\==\\\nb', 'a\n`===`\nb'],
    ['1986\\. A great year', '`1986.` A great year'],
    ['\\- a  \n\\* b  \n\\+ c  \n\\> d', '`-` a\n`*` b\n`+` c\n`>` d'],
    ['- \\# a\n- \\* \\* \\*', '- `#` a\n- `* * *`'],
    ['> \\# a', '> `#` a'],
    ['a  \n\\-', 'a\n`-`'],
    ['a  \n\\:-:', 'a\n`:-:`'],
    ['&gt; a', '`>` a'],
    ['~~\\~a~~', '`~~~`a~~'],
    ['[a \\]: b', '`[`a `]:` b'],
    ['![a\n2. Approved by Finance](https://x.example/p.png)', 'a 2. Approved by Finance (`https://x.example/p.png`)'],
    ['![- a](b)', '`-` a (`b`)'],
    ['[a](b "c\n2. d")', 'a (`b` "c 2. d")'],
    ['-1 #2 1.5 >= no', '-1 #2 1.5 >= no'],
    ['- [ ] a \\]: b\n- [ ] c', '- [ ] a `]:` b\n- [ ] c'],
  ])('what would open a block does not (%j)', (source, text) => {
    expect(textOf(source)).toBe(text)
    const kinds = marked.lexer(cardText(cardOf(markdownBlocks(source)))).map(({ type }) => type)
    expect(new Set(kinds)).toStrictEqual(
      new Set(kinds.filter((kind) => ['paragraph', 'space', 'list', 'blockquote'].includes(kind))),
    )
  })

  const long = '[a](https://evil.example) '.repeat(200)
  test.each([
    '\\[click\\](//evil.example)',
    '[Click here `now`\\](//evil.example)',
    '[Sign in `here`\\](javascript:alert(1)) please',
    '[Your `order`]\\(//evil.example)',
    '- [Click `now`\\](//evil.example)',
    '# \\[pay\\](https://evil.example)',
    '# \\[pay\\](//evil.example)\n\n| a |\n|---|\n| b |',
    '\\!\\[x\\](//evil.example/p.png)',
    '~~[a](https://evil.example)~~',
    '**\\[a\\](//evil.example)**',
    '\u202e(//evil.example)',
    '\\[a\\]: //evil.example',
    'https\\://evil.example www\\.evil.example me\\@evil.example',
    '| a |\n|---|\n| ![x\\](https://evil.example/p.png) |',
    '| [a](https://evil.example) |\n|---|\n| https://evil.example |',
    '| \\[a\\](//evil.example) |\n|---|\n| b |',
    '&lt;img src=//evil.example/p.png&gt; &amp;#8238; &amp;rlm;',
    'a|`<img src=x>|y`  \n\\-|\\-|\\-',
    '<img src=x alt="`">',
    '``` ts [a](//evil.example)\n1\n```',
    long,
    `- ${long}`,
    `# ${long}`,
    `| a |\n|---|\n| ${long} |`,
    `${'_a*'.repeat(70)} <img src=//evil.example>`,
    '\\\\`[click](//evil.example)`',
    '\\\\`<img src=//evil.example/p.png>`',
    '\\\\<https://evil.example>',
    '\\\\[a]( https://evil.example )',
    '`x\uFEFF`(//evil.example)',
    '`x\u2028`(//evil.example)',
    '`\uFEFF`(//evil.example)',
    '**x\u2028**(//evil.example)',
    '[a | b\n\\]: c',
  ])('nothing of it comes alive where the card is text in a chat (%j)', (source) => {
    expect(isAlive(cardText(cardOf(markdownBlocks(source))))).toBe(false)
  })

  test('HTML and code with a backtick are identifiers, too', () => {
    expect(textOf('``a`b`` c')).toBe('`aˋb` c')
    expect(textOf('<b title="`">x')).toBe('`<b title="ˋ">`x')
  })

  test('a sentence that is too long, or of too many marks, is code as it is written', () => {
    expect(markdownBlocks(`a\n\n${'*b* '.repeat(101)}c`)).toStrictEqual([
      { kind: 'text', text: 'a' },
      ...asWritten(`${'*b* '.repeat(101)}c`),
    ])
  })

  test('code and tables of a quotation keep its mark', () => {
    expect(markdownBlocks('> ```ts\n> 1\n> ```')).toStrictEqual(asWritten('> ```ts\n> 1\n> ```'))
    expect(markdownBlocks('> | a |\n> |---|\n> | b |')).toStrictEqual(asWritten('> | a |\n> |---|\n> | b |'))
    expect(markdownBlocks('> - a\n>\n>   > ```\n>   > 1\n>   > ```')).toStrictEqual([
      { kind: 'text', text: '> - a' },
      ...asWritten('> > ```\n> > 1\n> > ```'),
    ])
  })

  test.each(['-', ':', '\\', '0'])('a cell without a head is shown, whatever is in it (%s)', (cell) => {
    const source = `| a | b |\n|---|---|\n| 5 | 6 | ${cell} |`
    expect(markdownBlocks(source)).toStrictEqual(asWritten(source))
  })

  test.each([
    ['\\*\\*bold\\*\\*', '`**bold**`'],
    ['\\`code\\`', 'ˋcodeˋ'],
    ['\\***a**', '`***a**`'],
    ['*\\**', '`***`'],
    ['**a\\*b**', '`a*b`'],
  ])('marks of its own are made of marks alone (%s)', (source, text) => {
    expect(textOf(source)).toBe(text)
  })

  const bits =
    '# |**|*|_|`|```|\n|\n\n|- |1. |[|](|https://a.b/c_d|)|(//e.x)|(|\\\\`|\\\\<|<|>|!|a|b c|2|3 4|5*6|~~|---|\\|&amp;|&lt;|\\[|\\]|\\!|\\~\\~\\~|\\# |\\- |1\\. |\\> |\\<|@|"| |    |\t|[ ] |<!--|-->|<b>|\u200b|\u2028|\u2029|\ufeff|\u00a0|\r\n|: |😀'
  const source = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .array(fc.oneof(fc.constantFrom('|', ...bits.split('|')), fc.constantFrom('| a | b |\n', '|---|---|\n', '> ')), {
        maxLength: 40,
      })
      .map((all) => all.join('')),
  )
  /** Everything that is written, in its order: letters, digits, pictures, invisible characters, and marks within a word. */
  const lettersOf = (text: string): string =>
    text
      .replace(/[\\`ˋ]/g, '')
      .replaceAll('∗', '*')
      .replace(/&amp;|&lt;/g, ' ')
      // Weight of one part of a word, which has no marks in a cell.
      .replace(
        /(?<=[a-z]{2})\*\*[a-z]+\*\*(?=[a-z]{2})|(?<![\w*])\*\*\w+\*\*(?!\*)|(?<!\*)\*\*\w+\*\*(?![\w*])/gi,
        (part) => part.replaceAll('**', ''),
      )
      .replace(/(?<=[\p{L}\p{N}]_*)_(?=_*[\p{L}\p{N}])/gu, '＿')
      .replace(/(?<![\p{L}\p{N}]\**)\*|\*(?!\**[\p{L}\p{N}])|[^\p{L}\p{N}\p{So}\p{Cf}\p{Zl}\p{Zp}\u00a0*＿]/gu, '')
  const wordsOf = (block: CardBlock): string => {
    if (block.kind === 'text') return block.text
    if (block.kind === 'code') return `${block.label ?? block.language ?? ''}\n${block.text}`
    if (block.kind !== 'table') throw new Error(`There is a ${block.kind}.`)
    const cells = block.rows.flat().map((cell) => (cell.kind === 'text' || cell.kind === 'code' ? cell.text : ''))
    return [block.label, ...block.columns.map(({ label }) => label), ...cells].join('\n')
  }

  test('no letter is left out, whatever is written, and all of it can be shown', () => {
    fc.assert(
      fc.property(source, (written) => {
        const blocks = markdownBlocks(written)
        const shown = blocks.map((block) =>
          block.kind === 'code' && block.language === 'markdown' ? block.text : wordsOf(block),
        )
        expect(lettersOf(shown.join('\n'))).toBe(lettersOf(written))
        expect(readCard(parseCard(cardOf(blocks))).kind).toBe('card')
        const text = cardText(cardOf(blocks))
        expect(text).not.toMatch(/[\u200b\u202e]/)
        expect(isAlive(text)).toBe(false)
        expect(hasEmphasis(text)).toBe(false)
      }),
      { numRuns: runsOf(1_000) },
    )
  })
})

test('a word between underscores or asterisks keeps them, whatever stands beside it', () => {
  const word = fc.constantFrom('a', 'tmp', 'x2', 'a_b', 'größe')
  const name = fc.tuple(fc.constantFrom('*', '_', '__', '___'), word).map(([mark, inside]) => `${mark}${inside}${mark}`)
  const other = fc.constantFrom(
    'a b',
    '2',
    '**b**',
    '`c`',
    '[d](//e.x)',
    '*e f*',
    '_g h_',
    '(',
    '", "',
    '~~i~~',
    '\\\\',
    '<b>',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(name, other), { maxLength: 12 }), (parts) => {
      const shown = textOf(parts.join(' ')).replaceAll('`', '').replaceAll('∗', '*').split(' ')
      const isName = (part: string): boolean => /^([*_]+)[\p{L}\p{N}_]+\1$/u.test(part) && !part.startsWith('**')
      expect(shown.filter(isName)).toStrictEqual(parts.filter(isName))
    }),
    { numRuns: runsOf(1_000) },
  )
})

describe('what would take long', () => {
  const length = 20_000
  const filled = (unit: string): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  const growing = (line: (at: number) => string): string => {
    let text = ''
    for (let at = 0; text.length + line(at).length <= length; at++) text += line(at)
    return text
  }
  const units =
    '[|](|![|*a |_a*|*a_|**a |~~a|`|<|<a|<a b="|&|\\|[a](<|[a]: b "\n|# |- |- a\n|1. a\n|* |+ - |> |>|- > |a\n\n|***|___a|a.|a@b.|[a][|[[a]|a  \n|<div>\n|*\n|http://'.split(
      '|',
    )

  test.each([
    ...units.map((unit): [string, string] => [JSON.stringify(unit), filled(unit)]),
    ['a list in a list', growing((at) => `${' '.repeat(2 * at)}- a\n`)],
    ['eight lists in eight lists', growing((at) => `${' '.repeat(16 * at)}${'- '.repeat(8)}a\n`)],
    ['lists in quotations in lists', growing((at) => `${' '.repeat(at)}${['- ', '> ', '1. '][at % 3]}a\n`)],
    ['a quotation that goes on', `> > > > > > > > a  \n${'b  \n'.repeat(4_900)}`],
    ['a table of many columns', `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|\n'.repeat(8_000)}`],
    ['a table of many rows', `${'|a'.repeat(12)}|\n${'|-'.repeat(12)}|\n${'|\n'.repeat(9_900)}`],
    ['many sentences of marks', filled(`${'_a*'.repeat(66)}\n\n`)],
  ])('is done soon, and fits on a card: %s', (_, source) => {
    const before = process.cpuUsage()
    const blocks = markdownBlocks(source)
    const { user, system } = process.cpuUsage(before)
    // Mostly fifty; a lexer that is left alone takes from three seconds to for ever.
    expect((user + system) / 1000).toBeLessThan(1_500)
    expect(parseCard(cardOf(blocks)).blocks).toHaveLength(blocks.length)
  })

  test('is done soon, whatever is repeated', () => {
    const unit = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
    fc.assert(
      fc.property(unit, (repeated) => {
        const before = process.cpuUsage()
        markdownBlocks(filled(repeated))
        const { user, system } = process.cpuUsage(before)
        expect((user + system) / 1000).toBeLessThan(1_500)
      }),
      { numRuns: runsOf(30) },
    )
  })

  test.each([
    ['too long', 'a'.repeat(20_001)],
    ['nested too deep', '- '.repeat(9) + 'a'],
    ['of too many cells', `${'|a'.repeat(12)}|\n${'|-'.repeat(12)}|\n${'|\n'.repeat(2_850)}`],
    ['nested too deep before a line separator', `${'- '.repeat(2_000)}\u2028a`],
    ['nested too deep behind a line separator', `a\u2028\n${'- '.repeat(2_000)}a`],
    ['nested too deep in quotations', `${'>'.repeat(2_000)}a`],
    ['in too many parts', '`a`\n\n---\n\n'.repeat(25)],
  ])('or is %s, is one block as it is written', (_, source) => {
    expect(markdownBlocks(source)).toStrictEqual(asWritten(source))
  })

  test('a line that divides is no list, however long', () => {
    expect(textOf('a\n\n- - - - - - - - - -\n\nb')).toBe('a\n---\nb')
  })

  test('nothing is nothing', () => {
    expect(markdownBlocks(' \n\n')).toStrictEqual([])
  })
})
