// SQL behind the engine: what only reads runs, what changes rows shows which.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { profileFor } from '../../../../server/compose/profiles/profiles.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'
import { contractsOf, newFolder, startOne } from '../servers.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const server = [
  '--no-warnings',
  '--import',
  here('../fixtures/sqlite3-on-node.ts'),
  here('../../../../node_modules/mcp-server-sqlite-npx/dist/index.js'),
]

async function shop() {
  const file = join(newFolder(), 'shop.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, total REAL);
    INSERT INTO orders (status, total) VALUES ('paid', 10), ('paid', 20), ('open', 5)`)
  const upstream = await startOne({ command: process.execPath, args: [...server, file] })
  const known = await profileFor(upstream.config, '/')
  if (!known.ok) throw new Error(known.failure.message)
  const pins = { get: async () => [], put: async () => undefined, accept: async () => false }
  const pinned = await pinTools(upstream.name, upstream.tools().tools, pins)
  const stage = await createStage(contractsOf(upstream, pinned, { wireName: (tool) => tool, known: known.value }))
  const rows = () => database.prepare('SELECT id, status, total FROM orders').all()
  return { stage, database, rows }
}

test('a SELECT runs, also through the tool that may write; a DELETE asks, also through the tool that is to read', async () => {
  const { stage, rows } = await shop()
  expect((await stage.ask('read_query', { query: 'SELECT count(*) FROM orders' })).outcome).toBe('ok')
  expect((await stage.ask('write_query', { query: 'SELECT count(*) FROM orders' })).outcome).toBe('ok')
  expect((await stage.ask('read_query', { query: 'DELETE FROM orders' })).outcome).toBe('previewed')
  expect((await stage.ask('read_query', { query: 'SELECT 1; DELETE FROM orders' })).outcome).toBe('previewed')
  expect(rows()).toHaveLength(3)
})

test('a DELETE says how many rows of how many it hits, and shows them', async () => {
  const { stage, rows } = await shop()
  const preview = await stage.ask('write_query', { query: "DELETE FROM orders WHERE status='paid' OR 1=1" })
  expect(preview.card).toMatchObject({ title: 'Delete 3 of 3 rows of orders', risk: 'critical', confirm_phrase: '3' })
  expect(preview.card?.blocks).toContainEqual({
    kind: 'alert',
    severity: 'danger',
    title: 'Every row of the table is deleted.',
  })
  const effects = preview.card?.blocks.find(({ kind }) => kind === 'effects')
  expect(JSON.stringify(effects)).toContain('Its condition is true for every row: 1=1.')
  expect(JSON.stringify(preview.card?.blocks)).toContain('"removed","label":"id 3"')
  expect(rows()).toHaveLength(3)
  const some = await stage.ask('write_query', { query: "DELETE FROM orders WHERE status = 'paid'" })
  expect(some.card).toMatchObject({ title: 'Delete 2 of 3 rows of orders', risk: 'high' })
  expect((await stage.repeat(confirmed(some))).outcome).toBe('applied')
  expect(rows()).toEqual([{ id: 3, status: 'open', total: 5 }])
})

test('an UPDATE shows what each value was and will be; rows that are not the same any more make it stale', async () => {
  const { stage, rows, database } = await shop()
  const query = "UPDATE orders SET status = 'void', total = total * 2 WHERE status = 'paid'"
  const preview = await stage.ask('write_query', { query })
  expect(preview.card?.title).toBe('Change 2 of 3 rows of orders')
  expect(preview.text).toContain('changed: id 2 — status: paid → void; total: 20 → 40')
  database.exec("UPDATE orders SET status = 'paid' WHERE id = 3")
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('stale')
  expect(rows().filter(({ status }) => status === 'void')).toEqual([])
})

test.each([
  ["DELETE FROM orders WHERE load_extension('x') = 1", 'a function with effects is called by no count'],
  ['WITH gone AS (SELECT 1) DELETE FROM orders', 'what is not one plain statement is not counted'],
  ['DELETE FROM nowhere', 'what cannot be counted is said'],
])('%s: %s', async (query) => {
  const { stage, rows } = await shop()
  const preview = await stage.ask('write_query', { query })
  expect(preview.outcome).toBe('previewed')
  expect(preview.card?.title).toBe('Change rows of the database')
  expect(rows()).toHaveLength(3)
})
