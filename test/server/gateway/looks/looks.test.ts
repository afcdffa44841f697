// The looks of a card's blocks, and what stays plain.
import { expect, test } from 'vitest'
import { cardBlockSchema } from '../../../../server/cards/card.schema.ts'
import { withLooks } from '../../../../server/gateway/looks/looks.ts'
import { dangersIn } from '../../../../server/gateway/programs/read-program.ts'
import type { CardBlock } from '../../../../server/model/card.ts'

const sqlite = { language: 'sql', dialect: 'sqlite' } as const
const marked = async (text: string): Promise<string[]> => {
  const block: CardBlock = { kind: 'code', language: 'sql', text }
  const programs = [{ text, dialect: sqlite.dialect, dangers: dangersIn(sqlite, text) }]
  const [shown] = await withLooks([block], programs)
  const { spans = [] } = cardBlockSchema.parse(shown) as Extract<CardBlock, { kind: 'code' }>
  return spans.filter(({ as }) => as === 'danger').map(({ from, to }) => text.slice(from, to))
}

test.each([
  [`DELETE FROM orders WHERE status = 'paid' OR 1=1`, ['1=1']],
  ['DELETE FROM orders; SELECT 1', ['DELETE FROM orders']],
  ['SELECT 1; DROP TABLE orders', ['DROP TABLE orders']],
  [`UPDATE orders SET paid = 1 WHERE id = 7`, []],
  ['SELECT * FROM orders', []],
])('of %j what is critical is marked', async (text, dangers) => {
  expect(await marked(text)).toEqual(dangers)
})

test('what is dangerous is marked also where a text is too long for colours', async () => {
  expect(await marked(`DELETE FROM orders WHERE note <> '${'x'.repeat(21_000)}' OR 1=1`)).toEqual(['1=1'])
})

test('a text with more stretches than a card may hold is plain', async () => {
  const block: CardBlock = { kind: 'code', language: 'json', text: `[${'1,'.repeat(5_000)}1]` }
  expect(await withLooks([block], [])).toEqual([block])
})

test('only somebody else’s text is laid out as Markdown', async () => {
  const ours: CardBlock = { kind: 'details', summary: 's', fields: [], text: '**a**' }
  const said: CardBlock = { ...ours, spans: [] }
  const sent: CardBlock = { kind: 'code', language: 'markdown', text: '**a**' }
  const spans = [{ from: 0, to: 1, as: 'strong' }]
  expect(await withLooks([ours, said, sent], [])).toEqual([
    ours,
    { ...said, text: 'a', spans },
    { ...sent, text: 'a', spans },
  ])
})

test.each([
  ['nests deeper than it can be read', '>'.repeat(4_000)],
  ['is written to grow', `${'>'.repeat(90)}a${'\na'.repeat(1_900)}`],
])('Markdown that %s is shown as it is written', async (_, text) => {
  const said: CardBlock = { kind: 'details', summary: 's', fields: [], text, spans: [] }
  expect(await withLooks([said], [])).toEqual([said])
})

test('blocks that have their looks, or none, stay as they are', async () => {
  const blocks: CardBlock[] = [
    { kind: 'code', text: 'select 1' },
    { kind: 'code', text: '+a', language: 'diff' },
    { kind: 'code', text: 'select 1', language: 'sql', spans: [] },
    { kind: 'text', text: '**a**' },
  ]
  expect(await withLooks(blocks, [])).toEqual(blocks)
})
