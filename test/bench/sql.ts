// Whether SQL that is rated a read can write is asked of the databases themselves: every such statement of a public test
// suite runs in a transaction that is read-only, and what it needs (tables, rows) is made by the statements before it.
// The suites are not part of this repository. `--statements=DIR` or COUNTERSIGN_SQL_STATEMENTS names a folder with
// `postgresql`, `sqlite`, `mysql` and `tsql`: PostgreSQL's src/test/regress/sql, SQLite's test, MariaDB's mysql-test/main,
// and test/JDBC/input of babelfish_extensions. Statements run: PostgreSQL's on a server of their own, SQLite's in memory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { loadPostgresParser } from '../../server/gateway/programs/sql/postgres-parser.ts'
import { dialects, readSql, type SqlDialect } from '../../server/gateway/programs/sql/sql.ts'
import { startPostgres } from '../postgres-server.ts'
import { table } from './figures.ts'
import { filesOfStatements } from './sql-statements.ts'

/** What a database made of a statement that was to change nothing. */
type Ran = 'read' | 'refused as a write' | 'failed'

interface Counts {
  /** Different statements. */
  readonly statements: Set<string>
  /** Of them, those that a person would call a query. */
  readonly queries: Set<string>
  readonly readQueries: Set<string>
  readonly rated: Set<string>
  readonly unread: Set<string>
  /** Queries that ran in a read-only transaction, and those of them that are rated reads. */
  readonly trueReads: Set<string>
  readonly foundReads: Set<string>
  /** Rated a read, and refused as a write. */
  readonly wrong: Set<string>
  ran: number
}

/** Measures and prints. */
export async function sql(): Promise<void> {
  const { values } = parseArgs({ options: { statements: { type: 'string' }, all: { type: 'boolean' } }, strict: false })
  const given =
    typeof values['statements'] === 'string' ? values['statements'] : process.env['COUNTERSIGN_SQL_STATEMENTS']
  const found = dialects.filter((dialect) => given !== undefined && existsSync(join(given, dialect)))
  if (given === undefined || found.length === 0) {
    console.log('sql: not measured, no statements given')
    console.log('  pass --statements DIR or set COUNTERSIGN_SQL_STATEMENTS; test/bench/sql.ts says what it holds')
    return
  }
  await loadPostgresParser()
  const rows: string[][] = []
  for (const dialect of found) {
    const counts = await count(filesOfStatements(join(given, dialect), dialect), dialect)
    rows.push(rowOf(dialect, counts))
    for (const each of counts.wrong) console.log(`  WRITES (${dialect}): ${each}`)
    if (values['all'] === true)
      for (const each of [...counts.queries].filter((query) => !counts.readQueries.has(query)))
        console.log(`  asks (${dialect}): ${readSql(each, dialect).reasons[0]} ${each.replaceAll(/\s+/g, ' ')}`)
  }
  console.log(table([heads, ...rows]))
}

const heads = [
  'sql',
  'statements',
  'read',
  'unread',
  'queries',
  'rated read',
  'ran',
  'true reads',
  'rated read',
  'wrong',
]

const rowOf = (dialect: SqlDialect, of: Counts): string[] => [
  dialect,
  String(of.statements.size),
  String(of.rated.size),
  share(of.unread.size, of.statements.size),
  String(of.queries.size),
  share(of.readQueries.size, of.queries.size),
  of.ran === 0 ? '-' : String(of.ran),
  of.ran === 0 ? '-' : String(of.trueReads.size),
  of.ran === 0 ? '-' : share(of.foundReads.size, of.trueReads.size),
  of.ran === 0 ? '-' : String(of.wrong.size),
]

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`

async function count(files: readonly (readonly string[])[], dialect: SqlDialect): Promise<Counts> {
  const counts: Counts = {
    statements: new Set(),
    queries: new Set(),
    readQueries: new Set(),
    rated: new Set(),
    unread: new Set(),
    trueReads: new Set(),
    foundReads: new Set(),
    wrong: new Set(),
    ran: 0,
  }
  const database = await databaseOf(dialect)
  for (const statements of files) {
    await database?.begin()
    for (const statement of statements) {
      const reading = readSql(statement, dialect)
      const isRead = reading.risk === 'low'
      const isQuery = /^(?:\s|--[^\n]*\n|\()*(?:select|with|values|table|show|explain|pragma|describe|desc)\b/i.test(
        statement,
      )
      counts.statements.add(statement)
      if (isRead) counts.rated.add(statement)
      if (reading.statements.length === 0) counts.unread.add(statement)
      if (isQuery) counts.queries.add(statement)
      if (isQuery && isRead) counts.readQueries.add(statement)
      if (database === undefined || harmsTheBench.test(statement) || mayNotEnd(statement, dialect)) continue
      const ran = isQuery || isRead ? await database.read(statement) : undefined
      if (ran !== undefined) counts.ran++
      if (ran === 'read') counts.trueReads.add(statement)
      if (ran === 'read' && isRead) counts.foundReads.add(statement)
      if (ran === 'refused as a write' && isRead) counts.wrong.add(statement)
      // Tables for the statements to come are made by those that write, also in a query.
      if (!isRead && ran !== 'read') await database.write(statement)
    }
  }
  await database?.end()
  return counts
}

/** They stop the server, wait, or reach beyond it; a view of SQLite's tests is made of 32,768 others. */
const harmsTheBench =
  /\b(?:alter\s+system|tablespace|attach|vacuum|program|pg_sleep|load_extension|pg_terminate_backend|pg_reload_conf|pg_switch_wal|pg_promote|drop\s+database|create\s+database|subscription|memory_limit|zeroblob|randomblob|v\d{4,})\b|\bcopy\b[^;]*\b(?:std(?:in|out)|'\/)|transaction|^\s*(?:begin|commit|rollback|savepoint|end|abort|start|release)\b/i

/** SQLite has no time limit, and a common table may feed itself. */
const mayNotEnd = (statement: string, dialect: SqlDialect): boolean =>
  dialect === 'sqlite' && /\bwith\b[\s\S]*\bunion\b/i.test(statement) && !/\blimit\b/i.test(statement)

interface Database {
  /** An empty database, or one as the suite expects it. */
  begin(): Promise<void>
  read(statement: string): Promise<Ran>
  write(statement: string): Promise<void>
  end(): Promise<void>
}

async function databaseOf(dialect: SqlDialect): Promise<Database | undefined> {
  if (dialect === 'sqlite') return sqliteDatabase()
  return dialect === 'postgresql' ? postgresDatabase() : undefined
}

function sqliteDatabase(): Database {
  let db: DatabaseSync | undefined
  const run = (statement: string): Ran => {
    try {
      // The first rows are enough: a recursive query may have no last one.
      const rows = db!.prepare(statement).iterate()
      for (let left = 1000; left > 0 && rows.next().done !== true; left--);
      rows.return?.()
      return 'read'
    } catch (error) {
      return /readonly database/i.test(String(error)) ? 'refused as a write' : 'failed'
    }
  }
  return {
    begin: () => {
      if (db?.isOpen === true) db.close()
      db = new DatabaseSync(':memory:')
      return Promise.resolve()
    },
    read: (statement) => {
      db!.exec('pragma query_only = 1')
      const ran = run(statement)
      db!.exec('pragma query_only = 0')
      return Promise.resolve(ran)
    },
    write: (statement) => {
      run(statement)
      return Promise.resolve()
    },
    end: () => {
      db?.close()
      return Promise.resolve()
    },
  }
}

async function postgresDatabase(): Promise<Database> {
  const server = await startPostgres({ settings: { statement_timeout: '3000' } })
  let client: Client | undefined
  const connect = async (): Promise<void> => {
    await client?.end().catch(() => undefined)
    client = new Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
  }
  const code = async (statement: string): Promise<string | undefined> => {
    try {
      await client!.query(statement)
      return undefined
    } catch (error) {
      const { code: found } = error as { readonly code?: string }
      // A connection that is gone says nothing of the statement.
      if (found === undefined || /^(?:57P|08)/.test(found)) await connect()
      return found ?? 'gone'
    }
  }
  return {
    begin: connect,
    read: async (statement) => {
      await code('begin read only')
      const failed = await code(statement)
      await code('rollback')
      if (failed === undefined) return 'read'
      return failed === '25006' ? 'refused as a write' : 'failed'
    },
    write: async (statement) => void (await code(statement)),
    end: async () => {
      await client?.end().catch(() => undefined)
      await server.stop()
    },
  }
}
