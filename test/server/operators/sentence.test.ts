// A row of the record in one sentence: in the words of the tool where it has some, and never with more than the row holds.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sentenceOf, type Told } from '../../../server/operators/sentence.ts'
import { createCatalog } from '../../../server/tools/catalog.ts'
import { readTool, writeTool } from '../../kit/tools.ts'

const catalog = createCatalog([
  writeTool({
    name: 'orders.delete',
    title: 'Delete a sales order',
    noun: 'the order',
    input: z.strictObject({ id: z.string(), note: z.string().optional() }),
    output: z.strictObject({ id: z.string(), customer: z.string() }),
    preview: () => ({ title: 'Delete', summary: 'Deletes.', confirmLabel: 'Delete' }),
    run: () => ({ id: 'SO-1', customer: 'ACME' }),
    cards: {
      success: (_input, { id, customer }) => ({ title: `Order ${id} deleted`, subtitle: `${customer}\u2007GmbH` }),
    },
  }),
  readTool({
    name: 'orders.find',
    title: 'Find sales orders',
    input: z.looseObject({}),
    output: z.looseObject({}),
    run: () => ({}),
  }),
])

const told = (change: Partial<Told> = {}): Told => ({
  tool: 'orders_delete',
  source: 'mcp',
  status: 'applied',
  args: JSON.stringify({ id: 'SO-1', rationale: 'It came back.', preview: false, ticket: 'pl_1' }),
  result: JSON.stringify({ id: 'SO-1', customer: 'ACME' }),
  ...change,
})

const sentence = (change?: Partial<Told>): string => sentenceOf(told(change), (name) => catalog.find(name))

describe('a row says in one sentence', () => {
  test('what was done, as the card of the result said it', () => {
    expect(sentence()).toBe('Order SO-1 deleted · ACME\u2007GmbH')
    expect(sentence({ status: 'replayed' })).toBe('Order SO-1 deleted · ACME\u2007GmbH')
  })

  test('the same of a run that names nothing but its plan, by the call that was previewed', () => {
    expect(sentence({ args: '{}' })).toBe('Delete a sales order')
    expect(sentence({ args: '{}', asked: JSON.stringify({ id: 'SO-1' }) })).toBe('Order SO-1 deleted · ACME\u2007GmbH')
  })

  test.each<[string, Partial<Told>, string]>([
    ['of a call that was not run', { status: 'refused', result: undefined }, 'Delete a sales order: SO-1'],
    ['where the words of the tool break', { result: '{"else":1}' }, 'Delete a sales order: SO-1'],
    ['where its texts were erased', { args: undefined, result: undefined }, 'Delete a sales order'],
    ['where they are no JSON', { args: 'x', result: 'y' }, 'Delete a sales order'],
    ['of a tool that is gone', { tool: 'orders_burn' }, 'Orders burn: SO-1'],
  ])('what was asked for, %s', (_, change, expected) => {
    expect(sentence(change)).toBe(expected)
  })

  test('what tells a call from others of its tool, and no more than a line has room for', () => {
    const find = (args: object): string =>
      sentence({ tool: 'orders_find', result: undefined, args: JSON.stringify(args) })
    expect(find({ limit: 5, customer: 'ACME', open: true, closed: false })).toBe(
      'Find sales orders: ACME, limit 5, open yes',
    )
    expect(find({ total: { amount: '840.00', currency: 'EUR' }, tags: ['a', 'b'], lines: [{}, {}] })).toBe(
      'Find sales orders: total EUR 840.00, tags a and b, lines (2)',
    )
    expect(find({ text: `${'long '.repeat(100)}end` }).length).toBeLessThan(120)
    expect(find({ text: 'a\nb', nested: { x: 1 }, empty: '' })).toBe('Find sales orders: text a b')
  })

  test('what a person did about which tool, and why', () => {
    const act = (tool: string, args: object): string =>
      sentence({ source: 'operator', tool, status: 'ok', args: JSON.stringify(args), result: undefined })
    expect(act('approval.rejected', { approval: 'ap_1', tool: 'orders_delete', reason: 'Not today.' })).toBe(
      'Rejected: Delete a sales order, because “Not today.”',
    )
    expect(act('operator.signed_in', {})).toBe('Signed in')
    const from = { address: '127.0.0.1' }
    expect(act('operator.signed_in', { ...from, by: 'token' })).toBe('Signed in from 127.0.0.1')
    expect(act('operator.signed_in', { ...from, by: 'link' })).toBe('Signed in from 127.0.0.1, with a link')
    const args = JSON.stringify({ ...from, why: 'wrong code' })
    expect(
      sentence({ source: 'operator', tool: 'operator.signed_in', status: 'refused', args, result: undefined }),
    ).toBe('Tried to sign in from 127.0.0.1: wrong code')
  })

  test('what happened later, and what was done in a card', () => {
    const args = JSON.stringify({ to: 'ann@acme.example' })
    expect(sentence({ source: 'later', tool: 'email.external.sent', args })).toBe(
      'Email external sent: ann@acme.example',
    )
    expect(sentence({ tool: 'countersign_plan_confirm' })).toBe('Confirmed in the card')
  })
})
