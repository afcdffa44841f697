import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { successCard } from '../../../../server/cards/builders.ts'
import { dataBlocks } from '../../../../server/tools/planned/data-blocks.ts'

const text = (said: string) => ({ kind: 'text', text: said }) as const

test('an object inside of another is its members behind its name, and a list of objects is a table', () => {
  expect(
    dataBlocks({
      order_id: 'SO-1',
      customer: { name: 'ACME', address: { city: 'Oslo' }, tags: ['new', 'b2b'] },
      lines: [
        { sku: 'DESK', quantity: 2 },
        { sku: 'LAMP', quantity: 1, note: 'white' },
      ],
      paid: false,
      due: '2026-12-01',
    }),
  ).toStrictEqual([
    {
      kind: 'fields',
      fields: [
        { label: 'Order id', value: text('SO-1') },
        { label: 'Customer · Name', value: text('ACME') },
        { label: 'Customer · Address · City', value: text('Oslo') },
        { label: 'Customer · Tags', value: { kind: 'list', items: [text('new'), text('b2b')] } },
        { label: 'Paid', value: { kind: 'boolean', value: false } },
        { label: 'Due', value: { kind: 'date', iso: '2026-12-01', precision: 'day' } },
      ],
    },
    {
      kind: 'table',
      label: 'Lines',
      columns: [{ label: 'Sku' }, { label: 'Quantity' }, { label: 'Note' }],
      rows: [
        [text('DESK'), { kind: 'number', value: '2' }, { kind: 'unset' }],
        [text('LAMP'), { kind: 'number', value: '1' }, text('white')],
      ],
    },
  ])
})

test('of what is too much for a reader it says how much more there is', () => {
  const wide = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`m${at}`, at]))
  expect(dataBlocks(wide)).toMatchObject([{ kind: 'fields' }, { kind: 'text', text: '5 more values are not shown.' }])
  expect(dataBlocks({ rows: Array.from({ length: 80 }, (_, n) => ({ n })) })).toMatchObject([
    { label: 'Rows (the first 50 of 80)', rows: { length: 50 } },
  ])
})

test('whatever an output is, a card takes it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (data) => {
      const facts = {
        tool: 't',
        source: 's',
        title: 'Done',
        at: '2026-11-28T12:00:00.000Z',
        blocks: dataBlocks(data),
      } as const
      expect(() => successCard(facts)).not.toThrow()
    }),
    { numRuns: 300 },
  )
})
