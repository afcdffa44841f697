// What a text of SQL does, by its words alone. That nothing is called a read which a database would refuse in a read-only
// transaction is asked of the databases in sql-oracles.test.ts.
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadPostgresParser } from '../../../../server/gateway/programs/sql/postgres-parser.ts'
import { dialects, readSql, type SqlDialect } from '../../../../server/gateway/programs/sql/sql.ts'

beforeAll(() => loadPostgresParser())

const risks = (text: string, of: readonly SqlDialect[] = dialects): readonly string[] =>
  of.map((dialect) => `${dialect} ${readSql(text, dialect).risk}`)

const reads = [
  'select 1',
  'SELECT a, count(*) FROM orders o JOIN lines USING (id) WHERE total > 5 GROUP BY a HAVING count(*) > 1 ORDER BY 2;',
  'with n(x) as (select 1) select upper(x), x.y from n x',
  "select * from t where name like 'delete from %' and note = 'it''s; drop table t'",
  'select (select max(x) from t) as "update" -- delete from t',
  'select /* drop table t; */ coalesce(a, b) from t where a in (1, 2) or not exists (select 1 from u)',
  'select 1; select 2',
  'select a from t union all select b from u',
  "select case when a between 1 and 2 then 'x' else 'y' end from t",
]

test.each(reads)('a query reads in every dialect: %s', (text) => {
  expect(risks(text)).toEqual(dialects.map((dialect) => `${dialect} low`))
  expect(readSql(text, 'unknown')).toMatchObject({ risk: 'low', operation: 'read' })
})

test.each<readonly [SqlDialect, string]>([
  ['postgresql', 'table orders'],
  ['postgresql', "select extract(year from now()), a::text, data->>'x', tags @> array['a'] from t"],
  ['postgresql', 'explain (costs off) select 1'],
  ['postgresql', 'select * from t tablesample system (10) repeatable (1)'],
  ['sqlite', 'select 1\n  / 2, "go"\nfrom t'],
  ['tsql', 'select case when a !> 1 then 1 end from t'],
  ['postgresql', 'explain analyze select 1'],
  ['postgresql', 'show search_path'],
  ['postgresql', "select E'it\\'s', name from t where name like '\\%' and note ~ '^\\d+$'"],
  ['postgresql', 'values (1), (2)'],
  ['postgresql', 'select $$;delete from t$$'],
  ['sqlite', 'pragma table_info(orders)'],
  ['sqlite', 'PRAGMA user_version'],
  ['sqlite', 'explain query plan select [a]]b] from t'.replace(']]', '] as [')],
  ['sqlite', "select strftime('%Y', day), json_extract(a, '$.x') from t where t match 'x'"],
  ['mysql', 'select `delete` from `t` where a <=> 1 limit 5 # drop'],
  ['mysql', 'select cast(a as varchar(10)), convert(b, decimal(10, 2)) from t where c = any (select 1)'],
  ['mysql', "select * from t where match (a, b) against ('x' in boolean mode)"],
  ['sqlite', "select cast(a as numeric(10, 2)), b from t left join pragma_table_info('t') on 1"],
  ['mysql', 'show full tables'],
  ['mysql', 'SHOW CREATE TABLE orders'],
  ['mysql', 'describe orders'],
  ['mysql', 'select @@version, a - -1 from t'],
  [
    'tsql',
    'select top (5) [order], isnull(a, 0) from dbo.t with (nolock) order by 1 offset 5 rows fetch next 5 rows only',
  ],
  ['tsql', 'select * from #temp where a = @a'],
])('%s reads with %s', (dialect, text) => {
  expect(readSql(text, dialect)).toMatchObject({ risk: 'low', operation: 'read' })
})

test.each<readonly [SqlDialect, string]>([
  ['postgresql', "select nextval('s')"],
  ['postgresql', "select setval('s', 1)"],
  ['postgresql', 'select pg_terminate_backend(1)'],
  ['postgresql', 'select pg_cancel_backend(1)'],
  ['postgresql', 'select lo_unlink(1)'],
  ['postgresql', "select pg_read_file('/etc/passwd')"],
  ['postgresql', "select * from dblink('x', 'delete from t') as t(a int)"],
  ['postgresql', 'select pg_advisory_lock(1)'],
  ['postgresql', "select query_to_xml('delete from t', true, true, '')"],
  ['postgresql', "select set_config('x.y', '1', false)"],
  ['postgresql', 'select pg_sleep(1000)'],
  ['postgresql', 'select public.lower(a) from t'],
  ['postgresql', "select 'a\\', '; drop table t; --'"],
  ['postgresql', 'select a operator(public.+) b from t'],
  ['postgresql', 'select a === b from t'],
  ['postgresql', 'select * into copied from t'],
  ['postgresql', 'select * from t for update'],
  ['postgresql', 'select * from t for share'],
  ['postgresql', 'with d as (delete from t returning *) select * from d'],
  ['postgresql', 'explain analyze delete from t'],
  ['postgresql', 'explain delete from t'],
  ['postgresql', 'create table u as select * from t'],
  ['postgresql', 'do $$ begin delete from t; end $$'],
  ['postgresql', "copy (select 1) to program 'sh'"],
  ['postgresql', "copy t to '/tmp/t'"],
  ['postgresql', 'prepare p as select 1'],
  ['postgresql', 'execute p'],
  ['postgresql', 'set role admin'],
  ['postgresql', 'commit; delete from t'],
  ['postgresql', 'begin'],
  ['postgresql', 'vacuum'],
  ['postgresql', 'refresh materialized view v'],
  ['postgresql', 'notify x'],
  ['sqlite', "select load_extension('x')"],
  ['sqlite', `select "load_extension"('x')`],
  ['sqlite', "select writefile('x', 'y')"],
  ['sqlite', "select readfile('x')"],
  ['sqlite', 'select * from pragma_optimize'],
  ['sqlite', `select * from "Pragma_Optimize" where arg = 65538`],
  ['sqlite', "select * from 'pragma_optimize'"],
  ['sqlite', "select * from fsdir where path = '/etc'"],
  ['sqlite', "select edit('x')"],
  ['sqlite', "select fts3_tokenizer('x', 1)"],
  ['sqlite', 'select my_function(1)'],
  ['sqlite', 'pragma user_version = 5'],
  ['sqlite', 'pragma user_version(5)'],
  ['sqlite', 'pragma writable_schema = on'],
  ['sqlite', 'pragma wal_checkpoint'],
  ['sqlite', "attach 'x.db' as x"],
  ['sqlite', 'with x as (select 1) delete from t'],
  ['sqlite', 'with x as (select 1) replace into t select * from x'],
  ['sqlite', 'select [a]]; delete from t; --]'],
  ['sqlite', "select @a('), (select load_extension('x"],
  ['mysql', "select 1 /*!50000 into outfile '/tmp/x' */"],
  ['mysql', "select 1 /*M! into outfile '/tmp/x' */"],
  ['mysql', "select 'x' into outfile '/tmp/x'"],
  ['mysql', "select 'x' into dumpfile '/tmp/x'"],
  ['mysql', 'select 1 into @a'],
  ['mysql', 'select @a := 1'],
  ['mysql', 'select a from t for update'],
  ['mysql', 'select a from t lock in share mode'],
  ['mysql', 'select path(1)'],
  ['mysql', 'select any(1)'],
  ['mysql', 'select a, columns(1)'],
  ['mysql', 'select sleep(10)'],
  ['mysql', "select benchmark(1000000, md5('x'))"],
  ['mysql', "select get_lock('x', 1)"],
  ['mysql', "select load_file('/etc/passwd')"],
  ['mysql', 'select next value for s'],
  ['mysql', 'select 1 --1; delete from t'],
  ['mysql', "select 'a\\'; delete from t; -- '"],
  ['mysql', 'handler t open'],
  ['mysql', 'explain update t set a = 1'],
  ['mysql', 'use shop'],
  // The terminal programs of these databases take a line for themselves.
  ['sqlite', 'select 1\ngo\ndrop table t'],
  ['sqlite', 'select 1\n / \ndrop table t'],
  ['sqlite', 'select 1\n.shell ls'],
  ['sqlite', 'select 1 -- x\n.output f'],
  ['mysql', 'select 1\ndelimiter x\ndrop table t x'],
  ['mysql', 'select 1 DELIMITER x\ndrop table t x'],
  ['tsql', 'select 1\n:out f'],
  ['tsql', 'select 1\n  :!! dir'],
  ['tsql', 'select 1\n!! dir'],
  ['tsql', 'select 1 end conversation @h'],
  ['tsql', 'select * from t with (updlock)'],
  ['tsql', 'select * from t with (xlock, holdlock)'],
  ['tsql', 'select * from t with (tablockx)'],
  ['postgresql', 'select * from t tablesample mine(10)'],
  ['postgresql', 'select * from t tablesample mine.system(10)'],
  ['tsql', 'select 1 delete from t'],
  ['tsql', 'select 1delete from t'],
  ['tsql', 'select 1edelete from t'],
  ['tsql', 'select 1 exec sp_who'],
  ['tsql', 'sp_who'],
  ['tsql', 'select * into t2 from t'],
  ['tsql', "select * from openrowset('x', 'delete from t')"],
  ['tsql', "select * from openquery(other, 'delete from t')"],
  ['tsql', 'select next value for s'],
  ['tsql', 'select dbo.f(1)'],
  ['tsql', "select 1\ngo\nxp_cmdshell 'dir'"],
  ['tsql', 'select /* /* */ 1 */ delete from t'],
])('%s may do more than read with %s', (dialect, text) => {
  expect(readSql(text, dialect).risk).not.toBe('low')
  expect(readSql(text, 'unknown').risk).not.toBe('low')
})

test.each<readonly [string, string, string]>([
  ['delete from orders', 'critical', 'Deletes every row of orders.'],
  ["delete from orders where status = 'paid'", 'high', "Deletes the rows of orders where status = 'paid'."],
  [
    "DELETE FROM orders WHERE status = 'paid' OR 1=1",
    'critical',
    "Deletes the rows of orders where status = 'paid' OR 1=1. Its condition is true for every row: 1=1.",
  ],
  ['update orders set total = 0', 'critical', 'Changes total in every row of orders.'],
  [
    "update orders set total = 0, status = 'x' where id = 1 and not false",
    'high',
    'Changes total and status in the rows of orders where id = 1 and not false.',
  ],
  ['drop table orders', 'critical', 'Drops the table orders.'],
  ['drop table if exists shop.orders', 'critical', 'Drops the table shop.orders.'],
  ['truncate table orders', 'critical', 'Deletes every row of orders.'],
  ['insert into orders (id) values (1)', 'high', 'Adds rows to orders.'],
  ['create table notes (id int)', 'high', 'Creates the table notes.'],
  ['alter table orders add total int', 'high', 'Alters the table orders: alter table orders add total int.'],
  ['grant all on orders to bob', 'critical', 'Changes who may do what: grant all on orders to bob.'],
  ['select f(1)', 'high', 'Calls f, which may do more than read.'],
])('says in plain words what %s does', (text, risk, sentence) => {
  for (const dialect of dialects) expect(readSql(text, dialect)).toMatchObject({ risk, reasons: [sentence] })
})

test('of several statements the worst is said first', () => {
  const text = 'commit; update orders set a = 1 where id = 2; drop table orders'
  for (const dialect of dialects) expect(readSql(text, dialect).reasons[0]).toBe('Drops the table orders.')
})

test.each<readonly [SqlDialect, string, string]>([
  ['mysql', "select * from t into outfile '/tmp/t'", 'Writes what it finds somewhere else (INTO).'],
  ['postgresql', 'select * into copied from t', 'Writes copied in the course of a query.'],
  ['postgresql', 'select * from t for update', 'Locks the rows that it reads.'],
  ['postgresql', "copy t from program 'sh'", "Runs a program on the database's machine: copy t from program 'sh'."],
  ['postgresql', 'do $$ begin delete from t; end $$', 'Runs a block of code in the database.'],
  ['postgresql', 'commit', 'Begins or ends a transaction: commit.'],
  ['sqlite', 'insert or replace into t values (1)', 'Adds rows to t, in place of rows that are there.'],
  ['sqlite', 'pragma user_version = 1', 'Says "pragma user_version", which a query that only reads does not.'],
  ['mysql', 'delete from t limit 5', 'Deletes the rows of t, at most 5 of them.'],
  ['tsql', 'update top (5) t set a = 1', 'Changes a in the rows of t, at most (5) of them.'],
])('says of %s what %s does', (dialect, text, sentence) => {
  expect(readSql(text, dialect).reasons).toEqual([sentence])
})

test.each([
  '1=1',
  'true',
  "('a' = 'a')",
  'id = id',
  "x = 2 or ('b' <> 'a')",
  "name like '%'",
  'not 1 = 2 or 2 > 1',
  '1',
])('sees that WHERE %s chooses nothing', (condition) => {
  expect(readSql(`delete from t where ${condition}`, 'sqlite').risk).toBe('critical')
})

test.each([
  '1=2',
  'false',
  'a = b',
  "a = 1 and 'x' = 'x'",
  'a between 1 and 2',
  'x in (select 1 or 1)',
  '0',
  "a = '1=1'",
])('does not say so of WHERE %s', (condition) => {
  expect(readSql(`delete from t where ${condition}`, 'sqlite').risk).toBe('high')
})

describe('a text that cannot be read', () => {
  test.each<readonly [SqlDialect, string, string]>([
    [
      'sqlite',
      "select 'a",
      'It cannot be read as SQL of SQLite (a quotation mark is not closed (at 8)), so it is high.',
    ],
    ['mysql', 'select {fn now()}', 'It cannot be read as SQL of MySQL ("{" is not expected (at 8)), so it is high.'],
    ['tsql', '', 'It cannot be read as SQL of SQL Server (it holds no statement), so it is high.'],
    ['sqlite', 'select 1\0', 'It cannot be read as SQL of SQLite (it holds a NUL (at 9)), so it is high.'],
    [
      'postgresql',
      'selct 1',
      'It cannot be read as SQL of PostgreSQL (syntax error at or near "selct"), so it is high.',
    ],
  ])('of %s is high: %j', (dialect, text, reason) => {
    expect(readSql(text, dialect)).toEqual({
      risk: 'high',
      operation: 'destructive',
      reasons: [reason],
      statements: [],
    })
  })

  test('however deep it is', () => {
    for (const part of ['(', 'not ', '1+', '- '])
      expect(risks(`select ${part.repeat(20_000)}1`)).not.toContain('postgresql low')
    expect(readSql('select 1', 'postgresql').risk).toBe('low')
  })
})

test('says which tables a statement reads and writes, and under what condition', () => {
  const [statement] = readSql(
    'with gone as (select id from old_orders) delete from orders where id in (select id from gone join lines using (id))',
    'sqlite',
  ).statements
  expect(statement).toMatchObject({
    kind: 'delete',
    writes: ['orders'],
    reads: ['old_orders', 'lines'],
    where: 'id in (select id from gone join lines using (id))',
  })
})

describe('the queries that count', () => {
  test('are made of the statement itself', () => {
    const [update] = readSql(
      `update shop.orders set total = total * 2, "no te" = 'x' where id = 1`,
      'postgresql',
    ).statements
    expect(update?.counting).toEqual({
      hit: 'SELECT count(*) FROM shop.orders WHERE id = 1',
      all: 'SELECT count(*) FROM shop.orders',
      samples: `SELECT *, (total * 2) AS "new_total", ('x') AS "new_no te" FROM shop.orders WHERE id = 1 LIMIT 5`,
    })
    const [remove] = readSql('delete from [orders] where a = 1', 'tsql').statements
    expect(remove?.counting?.samples).toBe('SELECT TOP 5 * FROM [orders] WHERE a = 1')
  })

  test.each([
    'delete from t where random() > 0.5',
    "delete from t where nextval('s') > 1",
    'delete from t using u where t.id = u.id',
    'update t set a = f(1)',
    'update t set a = 1 from u',
    'delete from t where a = 1 returning *',
    'with x as (select 1) delete from t',
  ])('are not made for %s', (text) => {
    const [statement] = readSql(text, 'postgresql').statements
    expect(statement).toMatchObject({ operation: 'destructive' })
    expect(statement).not.toHaveProperty('counting')
  })
})

describe('whatever a statement says', () => {
  const word = fc.constantFrom(
    ...`t "t" [t] shop.orders a b 1 'x' '' "" $$ $$drop$$ ; -- /* */ # ( ) ( ) , = <> . * or and not in (select from where
    where set = 1 limit 5 order by returning union all into outfile '/tmp/x' for update drop table delete insert values
    pg_terminate_backend(1) nextval('s') f(1) load_extension('x') xp_cmdshell exec call copy to program attach E'\\' '\\''`.split(
      /\s+/,
    ),
    '\n',
  )
  const statement = fc
    .tuple(
      fc.constantFrom('delete from t where', 'update t set a =', 'delete from', 'update', 'delete from t where a = 1'),
      fc.array(word, { maxLength: 12 }),
    )
    .map(([begin, words]) => `${begin} ${words.join(' ')}`)

  test('each query that counts is a single read, and nothing else', () => {
    const counted = new Set<string>()
    fc.assert(
      fc.property(statement, fc.constantFrom(...dialects), (text, dialect) => {
        for (const { counting } of readSql(text, dialect).statements)
          for (const query of Object.values(counting ?? {})) {
            counted.add(dialect)
            expect([text, query, readSql(query, dialect)]).toMatchObject([
              text,
              query,
              { risk: 'low', operation: 'read', statements: [{ kind: 'select', writes: [] }] },
            ])
          }
      }),
      { numRuns: 3000, seed: 7 },
    )
    expect([...counted].toSorted()).toEqual([...dialects].toSorted())
  })
})

describe('however it is written', () => {
  const anyDialect = fc.constantFrom(...dialects)
  const anyText = fc.constantFrom(
    ...reads,
    'delete from t',
    'update t set a = 1 where b = 2',
    'drop table t',
    'select f(1)',
  )
  const anyBlank = fc.constantFrom(' ', '\n', '\t ', ' /* x */ ', ' -- y\n', '/**/ ')
  const changed = fc.tuple(anyText, fc.array(anyBlank, { minLength: 1 }), fc.boolean()).map(([text, blanks, upper]) => {
    // Quotes and comments keep what they hold.
    const parts = text.split(/('(?:[^']|'')*'|"[^"]*"|--.*$|\/\*.*?\*\/)/)
    let at = 0
    const rewritten = parts.map((part, index) =>
      index % 2 === 1 ? part : (upper ? part.toUpperCase() : part).replaceAll(' ', () => blanks[at++ % blanks.length]!),
    )
    return [text, rewritten.join('')] as const
  })

  test('blanks, comments and capitals change no rating', () => {
    fc.assert(
      fc.property(changed, anyDialect, ([text, rewritten], dialect) => {
        expect(readSql(rewritten, dialect)).toMatchObject({
          risk: readSql(text, dialect).risk,
          operation: readSql(text, dialect).operation,
        })
      }),
    )
  })

  test('a query with a statement behind it is no read', () => {
    const behind = fc.constantFrom('delete from t', 'drop table t', 'call f()', 'commit', 'update t set a = 1', 'x')
    fc.assert(
      fc.property(fc.constantFrom(...reads), behind, anyDialect, (text, more, dialect) => {
        expect(readSql(`${text.replace(/;$/, '')}\n; ${more}`, dialect).risk).not.toBe('low')
      }),
    )
  })

  test('a statement that writes is none within a WITH either', () => {
    const writing = fc.constantFrom('delete from t', 'update t set a = 1', 'insert into t values (1)')
    fc.assert(
      fc.property(writing, anyDialect, (text, dialect) => {
        expect(readSql(`with x as (${text} returning *) select * from x`, dialect).risk).not.toBe('low')
        expect(readSql(`with x as (select 1) ${text}`, dialect).risk).not.toBe('low')
      }),
    )
  })

  test('no text ends the reader', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom("'", '"', '`', '[', '$$', '/*', '*/', '--', ';', 'select', '(', ')')),
          {
            maxLength: 20,
          },
        ),
        anyDialect,
        (parts, dialect) => {
          expect(readSql(parts.join(''), dialect).reasons).not.toEqual([])
        },
      ),
    )
  })
})
