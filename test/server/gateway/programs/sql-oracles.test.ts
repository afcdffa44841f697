// The databases themselves say what writes: PostgreSQL refuses it in a read-only transaction, SQLite where `query_only`
// stands. `npm run bench -- sql` asks them the same of tens of thousands of statements.
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operators, stableReads, volatileReads } from '../../../../server/gateway/programs/sql/functions.ts'
import { loadPostgresParser } from '../../../../server/gateway/programs/sql/postgres-parser.ts'
import { readSql } from '../../../../server/gateway/programs/sql/sql.ts'
import { testDatabase } from '../../../postgres.ts'

const tables = [
  'create table orders (id integer primary key, status text, total integer)',
  "insert into orders values (1, 'paid', 5), (2, 'open', 7), (3, 'paid', 9)",
]

let client: Client
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await testDatabase()
  drop = () => database.drop()
  client = new Client({ connectionString: database.url })
  await client.connect()
  for (const statement of [...tables, 'create sequence s']) await client.query(statement)
  await loadPostgresParser()
})

afterAll(async () => {
  await client.end()
  await drop()
})

test('what is listed as reading is stable in the catalogue of PostgreSQL, or known to be harmless', async () => {
  const { rows } = await client.query<{ readonly proname: string; readonly changes: boolean }>(
    `select proname, bool_or(provolatile = 'v') as changes from pg_proc
     where pronamespace = 'pg_catalog'::regnamespace group by proname`,
  )
  const changes = new Map(rows.map(({ proname, changes }) => [proname, changes]))
  expect([...stableReads].filter((name) => changes.get(name) !== false)).toEqual([])
  expect([...volatileReads].filter((name) => changes.get(name) !== true)).toEqual([])
})

test('every operator of PostgreSQL is known', async () => {
  const { rows } = await client.query<{ readonly oprname: string }>('select distinct oprname from pg_operator')
  expect(rows.map(({ oprname }) => oprname).filter((name) => !operators.has(name))).toEqual([])
})

const statements = [
  'select * from orders',
  'select count(*), max(total) from orders group by status',
  "with paid as (select * from orders where status = 'paid') select * from paid",
  'select 1 union select total from orders',
  'explain select * from orders',
  'delete from orders',
  "update orders set status = 'x'",
  "insert into orders values (9, 'x', 1)",
  'with x as (select 1) delete from orders',
  'drop table orders',
  'create table x (a integer)',
  'alter table orders add y integer',
]

test('what PostgreSQL refuses to a reader is not rated a read, and the rest of these is', async () => {
  const own = [
    'table orders',
    'values (1)',
    'show search_path',
    'explain analyze select * from orders',
    "select nextval('s')",
    "select setval('s', 5)",
    'select * from orders for update',
    'truncate orders',
    'with d as (delete from orders returning *) select * from d',
    'explain analyze delete from orders',
    'select * into copied from orders',
    'do $$ begin delete from orders; end $$',
    'grant select on orders to public',
  ]
  for (const statement of [...statements, ...own]) {
    await client.query('begin read only')
    const refused = await client.query(statement).then(
      () => undefined,
      (error: { readonly code?: string }) => error.code,
    )
    await client.query('rollback')
    expect([undefined, '25006'], statement).toContain(refused)
    expect(readSql(statement, 'postgresql').risk === 'low', statement).toBe(refused === undefined)
  }
})

test('what SQLite refuses to a reader is not rated a read, and the rest of these is', () => {
  const db = new DatabaseSync(':memory:')
  for (const statement of tables) db.exec(statement)
  db.exec('pragma query_only = 1')
  const own = [
    'pragma table_info(orders)',
    'pragma user_version',
    'pragma user_version = 5',
    'replace into orders values (1, 2, 3)',
  ]
  for (const statement of [...statements, ...own]) {
    const refused = ((): boolean => {
      try {
        db.prepare(statement).all()
        return false
      } catch (error) {
        if (!/readonly database/.test(String(error))) throw error
        return true
      }
    })()
    expect(readSql(statement, 'sqlite').risk === 'low', statement).toBe(!refused)
  }
  db.close()
})

test.each(['postgresql', 'sqlite'] as const)('the queries that count answer in %s', async (dialect) => {
  const db = new DatabaseSync(':memory:')
  for (const statement of tables) db.exec(statement)
  const ask = async (text: string): Promise<readonly unknown[]> =>
    dialect === 'sqlite'
      ? db
          .prepare(text)
          .all()
          .map((row) => ({ ...row }))
      : (await client.query(text)).rows
  const [update] = readSql("update orders set total = total + 1 -- more\nwhere status = 'paid'", dialect).statements
  const { hit, all, samples } = update!.counting!
  expect(Object.values((await ask(hit))[0] as object).map(Number)).toEqual([2])
  expect(Object.values((await ask(all))[0] as object).map(Number)).toEqual([3])
  expect(await ask(samples)).toEqual([
    { id: 1, status: 'paid', total: 5, new_total: 6 },
    { id: 3, status: 'paid', total: 9, new_total: 10 },
  ])
  db.close()
})
