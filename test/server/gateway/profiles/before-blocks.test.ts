// Answers of servers as a card shows them: without what only says that an answer follows.
import { expect, test } from 'vitest'
import { beforeBlocks } from '../../../../server/gateway/profiles/before-blocks.ts'
import type { BeforeCall, ShownAnswer } from '../../../../server/gateway/profiles/profile.schema.ts'

const shown = (show: ShownAnswer, answer: unknown, input: unknown = {}) => {
  const step: BeforeCall = { call: 'read', with: {}, label: 'What is there', show, basis: true }
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return beforeBlocks([{ step, kind: 'answered', answer: { text, value: answer } }], input).blocks
}

test('a text is compared without the lines that its server puts above it', () => {
  const answer = '[Reading 2 lines]\n\none\ntwo'
  expect(shown({ as: 'diff', of: '', with: 'content', skip_lines: 2 }, answer, { content: 'one\n2' })).toEqual([
    expect.objectContaining({ text: expect.stringMatching(/^@@ -1,2 \+1,2 @@\n one\n-two\n/) }),
  ])
})

test('of a long list only the lines with the words of the call are shown', () => {
  const answer = 'PID: 1, init\nPID: 12, shop\nPID: 2, db'
  expect(shown({ as: 'text', of: '', lines_with: 'PID: {pid},' }, answer, { pid: 12 })).toEqual([
    { kind: 'fields', fields: [{ label: 'What is there', value: { kind: 'text', text: 'PID: 12, shop' } }] },
  ])
})

test('a field that the answer does not hold is left out, and one of which it holds nothing is not checked', () => {
  const show = { as: 'fields', fields: { Branch: '/branch', Added: '/staged/added' } } as const
  expect(shown(show, { branch: 'main' })).toEqual([
    { kind: 'fields', fields: [{ label: 'Branch', value: { kind: 'text', text: 'main' } }] },
  ])
  expect(shown(show, { staged: { added: [] } })).toEqual([
    { kind: 'fields', fields: [{ label: 'What is there', value: { kind: 'text', text: 'none' } }] },
  ])
  expect(shown(show, { other: 1 })).toEqual([
    expect.objectContaining({ severity: 'warning', title: 'Not checked: What is there' }),
  ])
})
