// A server that takes SQL, behind `wrap`: a question to the database runs, and what changes it asks first and says what it
// would do.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { place } from '../at-end.ts'
import { openReach, type Reach } from './reach.ts'
import { fixture } from '../processes.ts'

let reach: Reach
let file: string

beforeAll(async () => {
  file = join(place(), 'shop.db')
  const db = new DatabaseSync(file)
  db.exec("create table orders (id integer, status text); insert into orders values (1, 'paid'), (2, 'open')")
  db.close()
  reach = await openReach('wrap over stdio', {
    shop: { command: process.execPath, args: [...fixture('sql-server'), file] },
  })
})

const rows = (): number => {
  const db = new DatabaseSync(file, { readOnly: true })
  const { count } = db.prepare('select count(*) as count from orders').get() as { readonly count: number }
  db.close()
  return count
}

test('a query runs unasked, and its answer passes as it came, beside a card', async () => {
  const answer = await reach.call('shop', 'read', 'read_query', {
    query: "SELECT id FROM orders WHERE status = 'paid'",
  })
  expect(answer.raw).toStrictEqual({
    content: [{ type: 'text', text: '[{"id":1}]' }],
    _meta: { 'countersign/card': answer.card },
  })
  expect(answer.card?.kind).toBe('info')
})

test.each([
  ["DELETE FROM orders WHERE status = 'paid' OR 1=1", 'Its condition is true for every row: 1=1.'],
  ['WITH x AS (SELECT 1) DELETE FROM orders', 'Deletes every row of orders.'],
  ["SELECT load_extension('x')", 'Calls load_extension, which may do more than read.'],
])('%s through the same tool asks, and nothing has happened', async (query, sentence) => {
  const preview = await reach.call('shop', 'read', 'read_query', { query })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain(sentence)
  expect(rows()).toBe(2)
})
