// A body comes from a model: what would keep the server busy is refused before it is read.
import { expect, test } from 'vitest'
import { unreadable } from '../../../../server/toolsets/mail/body.ts'
import { sendInput } from '../../../../server/toolsets/mail/send-input.ts'

const problemOf = (body: string): string | undefined =>
  sendInput.safeParse({ to: ['bea@other.example'], subject: 'Hi', body }).error?.issues[0]?.message

test.each([
  ['much emphasis that does not close', '**a_'.repeat(7500)],
  ['quotes in quotes', '> '.repeat(15_000)],
  ['lists in lists', '1. - '.repeat(6000)],
])('a body with %s is refused', (_, body) => {
  expect(problemOf(body)).toBe(unreadable)
})

test('a long letter with lists, quotes and emphasis is not', () => {
  expect(problemOf('- **Point**: _this_ and that.\n  > quoted\n'.repeat(240))).toBeUndefined()
})
