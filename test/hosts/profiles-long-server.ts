// A server whose preview takes reading: a table of many batches with a long text in one of its rows, code that is longer
// than its box, and a fold.
import { z } from 'zod'
import { createCountersign, defineTool } from '../../server/index.ts'
import type { CardValue } from '../../server/model/card.ts'

const text = (value: string): CardValue => ({ kind: 'text', text: value })

const move = defineTool({
  name: 'stock.move',
  title: 'Move stock',
  noun: 'the stock',
  description: 'Moves every product to another shelf.',
  operation: 'write',
  risk: 'medium',
  idempotency: 'natural',
  input: z.strictObject({ shelf: z.string() }),
  output: z.strictObject({ shelf: z.string() }),
  sideEffects: [{ what: 'Every product is moved.', onRepeat: 'Nothing moves again.' }],
  failures: { no_shelf: { effect: 'none', guidance: 'Name a shelf.' } },
  preview: ({ shelf }) => ({
    title: `Move 120 products to ${shelf}`,
    summary: `Moves 120 products to ${shelf}.`,
    confirmLabel: 'Move stock',
    blocks: [
      {
        kind: 'table',
        label: 'Products',
        columns: [{ label: 'SKU' }, { label: 'Note' }],
        rows: Array.from({ length: 120 }, (_, at) => [
          text(`P-${at}`),
          text(at === 99 ? 'Handle with care. '.repeat(40) : 'as usual'),
        ]),
      },
      { kind: 'code', text: Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n') },
      { kind: 'details', summary: 'Where', applied: true, fields: [{ label: 'Shelf', value: text(shelf) }] },
    ],
  }),
  run: ({ shelf }) => ({ shelf }),
})

await createCountersign({ name: 'Stock', tools: [move], store: ':memory:' }).stdio()
