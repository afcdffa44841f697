// A command line in one text, as hosts hand it on that have one field for it.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../server/cli/gateway/wrap.ts'

test('blanks part words, quotation marks keep them together, and a backslash is a character like others', () => {
  expect(wordsOf(' npx  -y server "/Users/me/My documents" \'it says "x"\' C:\\data\\new a"b c"d "" ')).toStrictEqual([
    'npx',
    '-y',
    'server',
    '/Users/me/My documents',
    'it says "x"',
    'C:\\data\\new',
    'ab cd',
    '',
  ])
  expect(wordsOf('')).toStrictEqual([])
})

test.each(['npx "server', "it's", `a "b' c`])('a quotation mark that is not closed is no command line: %s', (line) => {
  expect(wordsOf(line)).toBeUndefined()
})

test('words that are each put into quotation marks are read back as they were', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('"'))
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(wordsOf(words.map((text) => `"${text}"`).join(' '))).toStrictEqual(words)
    }),
  )
})
