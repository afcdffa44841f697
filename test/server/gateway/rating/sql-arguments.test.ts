// A tool that takes SQL is rated by what the SQL of a call says.
import { beforeAll, expect, test } from 'vitest'
import type { Hints } from '../../../../server/gateway/call-tools/call-with.ts'
import { assess, possibleAssessments } from '../../../../server/gateway/rating/assess.ts'
import type { RatedTool } from '../../../../server/gateway/rating/evidence.ts'
import { loadParsers, programArguments } from '../../../../server/gateway/rating/program-arguments.ts'

const takes = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})
const tool = (name: string, description: string, argument = 'query', annotations?: Hints): RatedTool => ({
  name,
  description,
  annotations,
  inputSchema: takes(argument),
})

const readQuery = tool('read_query', 'Execute a SELECT query on the SQLite database')
const mysqlQuery = tool('mysql_query', 'Run a query', 'sql')
const query = tool('query', 'Run a read-only SQL query', 'sql', { readOnlyHint: true })
const executeSql = tool('execute_sql', 'Executes raw SQL in the Postgres database', 'query')

beforeAll(() => loadParsers([readQuery, mysqlQuery, query, executeSql].flatMap(programArguments)))

/** With what the title of the test says before them. */
const named = <T extends readonly [RatedTool, ...unknown[]]>(rows: readonly T[]) =>
  rows.map((row) => [row[0].name, row[1], ...row] as const)

const rated = (of: RatedTool, args: unknown) =>
  assess({ tool: of, variant: 'call_tool_read', server: { tools: {} } }, args)

test.each(
  named<readonly [RatedTool, unknown]>([
    [readQuery, { query: 'SELECT `a`, [b] FROM orders' }],
    [mysqlQuery, { sql: 'select `a` from orders' }],
    [query, { sql: 'select count(*) from orders' }],
    [tool('read_query', 'Run a SELECT', 'query', { readOnlyHint: true }), { query: 'select 1' }],
    [executeSql, { query: "select data->>'a' from orders where id = any('{1}'::int[])" }],
  ]),
)('%s reads with %j', (_name, _args, of, args) => {
  expect(rated(of, args)).toMatchObject({ risk: 'low', operation: 'read' })
})

test.each(
  named<readonly [RatedTool, unknown, string, string]>([
    [readQuery, { query: 'DELETE FROM orders' }, 'critical', 'Deletes every row of orders.'],
    [readQuery, { query: 'insert into orders values (1)' }, 'high', 'Adds rows to orders.'],
    [mysqlQuery, { sql: "select load_file('/etc/passwd')" }, 'high', 'Calls load_file, which may do more than read.'],
    [query, { sql: 'COMMIT; DELETE FROM orders WHERE id = 1' }, 'high', 'Deletes the rows of orders where id = 1.'],
    [executeSql, { query: 'select pg_terminate_backend(1)' }, 'high', 'Calls pg_terminate_backend, which may do more'],
    // Of an unknown database, every one would have to read.
    [query, { sql: 'select [a] from orders' }, 'high', 'It cannot be read as SQL of PostgreSQL'],
    [readQuery, { query: ['select 1', 'drop table orders'] }, 'critical', 'Drops the table orders.'],
    [
      tool('read_query', 'Run a SELECT', 'query', { readOnlyHint: true }),
      { query: 'DROP TABLE a' },
      'critical',
      'Drops',
    ],
    [
      tool('read_query', 'Executing SELECT', 'query', { readOnlyHint: true }),
      { query: 'DROP TABLE a' },
      'critical',
      'Drops',
    ],
    [
      tool('read_query', 'For running raw SQL', 'query', { readOnlyHint: true }),
      { query: 'DROP TABLE a' },
      'critical',
      'Drops',
    ],
    [readQuery, { query: 5 }, 'critical', 'is a program'],
    [readQuery, {}, 'critical', 'is a program'],
    [readQuery, { query: 'select 1', sql: 'drop table orders' }, 'high', 'It carries "sql"'],
  ]),
)('%s asks with %j', (_name, _args, of, args, risk, reason) => {
  const { risk: found, reasons } = rated(of, args)
  expect(found).toBe(risk)
  expect(reasons.join(' ')).toContain(reason)
})

test('a server that marks the tool as destructive, or denies that it reads, is believed', () => {
  for (const annotations of [{ readOnlyHint: false, destructiveHint: true }, { readOnlyHint: false }])
    expect(rated({ ...readQuery, annotations }, { query: 'select 1' }).risk).toBe('high')
})

test.each([
  tool('run_cypher', 'Run a Cypher query against the database'),
  tool('query', 'Query the graph with Cypher', 'query', { readOnlyHint: true }),
  tool('query_logs', 'Queries the logs in KQL', 'q', { readOnlyHint: true }),
  tool('search_graph', 'Searches the graph for a Cypher pattern', 'query', { readOnlyHint: true }),
  tool('query_graph', 'A Gremlin traversal', 'query', { readOnlyHint: true }),
  tool('query', 'Asks SurrealDB in SurrealQL', 'query', { readOnlyHint: true }),
  tool('run', 'Runs a shell command, such as sqlite3', 'command'),
  tool('execute_sql', 'Executes SQL. Permanently deletes old rows.', 'sql'),
  { ...readQuery, inputSchema: takes('query', 'shell') },
  tool('materialize', 'Runs SQL on the SQLite database', 'sql'),
  tool('query_and_frobnicate', 'Runs SQL on the SQLite database', 'sql'),
])('$name asks whatever it is given', (of) => {
  expect(rated(of, { query: 'select 1', q: 'select 1', command: 'select 1', sql: 'select 1' }).risk).not.toBe('low')
})

test('of all calls of such a tool, the worst is critical and the best is a read', () => {
  const [worst, ...others] = possibleAssessments({ tool: readQuery, variant: 'call_tool_read', server: { tools: {} } })
  expect(worst.risk).toBe('critical')
  expect(others.map(({ risk }) => risk)).toEqual(['low'])
})
