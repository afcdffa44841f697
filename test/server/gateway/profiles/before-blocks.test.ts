// Answers of servers as a card shows them: without what only says that an answer follows.
import { beforeAll, expect, test } from 'vitest'
import { beforeBlocks } from '../../../../server/gateway/profiles/before-blocks.ts'
import { argumentBlocks } from '../../../../server/gateway/profiles/shown-arguments.ts'
import { loadLineDiff } from '../../../../server/gateway/profiles/line-diff.ts'
import type { BeforeCall, ShownAnswer } from '../../../../server/gateway/profiles/profile.schema.ts'

beforeAll(loadLineDiff)

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

test('a server that leaves out the newline at the end does not make it a change', () => {
  const show = { as: 'diff', of: '', with: 'content', cuts_last_newline: true } as const
  expect(shown(show, 'one\ntwo', { content: 'one\ntwo\n' })).toEqual([
    { kind: 'alert', severity: 'info', title: 'What is there: nothing changes.' },
  ])
})

test('a text of which the server answers only the beginning is not compared as if it were all', () => {
  const show = { as: 'diff', of: '/text', with: 'content', more: '/more' } as const
  expect(shown(show, { text: 'one', more: true }, { content: 'two' })).toEqual([
    { kind: 'alert', severity: 'warning', title: 'What is there: all of it is replaced.' },
    { kind: 'code', label: 'Content', text: 'two' },
  ])
})

test('an argument that replaces another is shown as the difference of the two', () => {
  const show = [{ argument: 'new', as: 'diff', from: 'old', label: 'What changes' }] as const
  expect(argumentBlocks({ old: 'a\nb', new: 'a\nc' }, {}, show)).toEqual([
    { kind: 'code', label: 'What changes', language: 'diff', text: '@@ -1,2 +1,2 @@\n a\n-b\n+c' },
  ])
})

test('an argument that is emptied is shown, and so is one whose replacement is not given', () => {
  expect(
    argumentBlocks({ name: 'a', due: null }, {}, [
      { argument: 'name', as: 'text' },
      { argument: 'due', as: 'text' },
    ]),
  ).toEqual([
    {
      kind: 'fields',
      fields: [expect.anything(), { label: 'Due', value: { kind: 'unset' } }],
    },
  ])
  const show = [{ argument: 'new', as: 'diff', from: 'old' }] as const
  expect(JSON.stringify(argumentBlocks({ old: 'what goes' }, {}, show))).toContain('what goes')
})

test('of many people each is shown', () => {
  const to = Array.from({ length: 60 }, (_, at) => `p${at}@example.com`)
  expect(JSON.stringify(argumentBlocks({ to }, {}, [{ argument: 'to', as: 'people' }]))).toContain('p59@example.com')
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

test('of a list only the row that the call is about is shown, with its money; that it is not there is said', () => {
  const money = { of: '/amount', currency: '/currency', minor_units: true } as const
  const show = { as: 'table', rows: '', where: { '/id': '{payment}' }, columns: { Amount: money } } as const
  const payments = [
    { id: 'pi_1', amount: 1999, currency: 'eur' },
    { id: 'pi_2', amount: 500, currency: 'jpy' },
  ]
  const rows = [[{ kind: 'money', amount: '500', currency: 'JPY' }]]
  expect(shown(show, payments, { payment: 'pi_2' })).toEqual([expect.objectContaining({ kind: 'table', rows })])
  expect(shown(show, payments, { payment: 'pi_3' })).toEqual([
    expect.objectContaining({ severity: 'warning', text: 'It is none of the 2 that were listed.' }),
  ])
})

test('a field of an answer that is money is shown as money', () => {
  const show = { as: 'fields', fields: { Total: { of: '/total/amount', currency: '/total/code' } } } as const
  expect(shown(show, { total: { amount: '19.99', code: 'EUR' } })).toEqual([
    { kind: 'fields', fields: [{ label: 'Total', value: { kind: 'money', amount: '19.99', currency: 'EUR' } }] },
  ])
})
