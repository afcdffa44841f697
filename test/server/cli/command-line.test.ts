// A command line in one text, as hosts hand it on that have one field for it.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../server/cli/gateway/wrap.ts'
import { runCommand } from '../../journeys/terminal.ts'

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

test.each([
  [['--command-line', 'npx "server'], 'A quotation mark of --command-line is not closed. Close it.'],
  [['--command-line', '  '], 'The text of --command-line has no command. Write one into it.'],
  [
    ['--command-line', 'npx server', '--', 'npx', 'server'],
    'wrap takes a command after -- or --command-line, not both. Leave out one.',
  ],
  [
    ['--command-line', '', '--config', 'gateway.json'],
    /^countersign: With --config the file says the command, and the command line does not\. /,
  ],
])('wrap %j is refused in one line', async (args, says) => {
  const { code, stdout, stderr } = await runCommand(['wrap', ...args])
  expect([code, stdout]).toStrictEqual([2, ''])
  expect(stderr).toEqual(typeof says === 'string' ? `countersign: ${says}\n` : expect.stringMatching(says))
})

test('words that are each put into quotation marks are read back as they were', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('"'))
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(wordsOf(words.map((text) => `"${text}"`).join(' '))).toStrictEqual(words)
    }),
  )
})
