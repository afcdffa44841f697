// An argument that is SQL is a program that can be read: what it says decides, call by call, where its tool says which
// database runs it, or that one does.
import { readSql, type SqlDialect } from '../programs/sql/sql.ts'
import type { Selector } from './selector.ts'
import { valuesAt, type Place } from './schema-places.ts'
import { evidenceOf, saidAround, unread, type Said } from './program-evidence.ts'
import { wordsOf } from './words.ts'

const words: Readonly<Record<SqlDialect, RegExp>> = {
  postgresql: /\b(?:postgres|postgresql|psql|pgsql|plpgsql|supabase|neon|timescaledb)\b/i,
  sqlite: /\bsqlite3?\b/i,
  mysql: /\b(?:mysql|mariadb)\b/i,
  tsql: /\b(?:mssql|t-?sql|tsql|sql server|azure sql)\b/i,
}
const sql = /\b(?:[Ss][Qq][Ll]|[Dd]atabases?|DATABASES?|SELECT)\b/
const others =
  /\b(?:nosql|cypher|neo4j|graphql|gql|sparql|kql|mongo\w{0,10}|redis|elasticsearch|shell|bash|powershell|terminal|javascript|typescript|python|plsql|oracle)\b/i

/** The database whose SQL an argument holds; nothing where it holds no SQL, or something else as well. */
export function dialectOf(place: Place, tool: Said): SqlDialect | 'unknown' | undefined {
  const said = saidAround(place, tool)
  if (others.test(said)) return undefined
  const named = (Object.keys(words) as SqlDialect[]).filter((dialect) => words[dialect].test(said))
  if (named.length === 1) return named[0]
  return named.length > 1 || sql.test(said) ? 'unknown' : undefined
}

const querying = new Set(
  `query queries querying sql select run runs execute executes exec ask read raw custom safe readonly only statement statements
  command database databases db data table tables explain a an the on in with and postgres postgresql pg psql sqlite
  sqlite3 mysql mariadb mssql tsql sqlserver server supabase neon mcp tool`.split(/\s+/),
)

/** Whether a tool's name says no more than that it asks a database: `execute_sql`, `run_query`, `mysql_query`. */
export const namesQuerying = (name: string): boolean => wordsOf(name).every((word) => querying.has(word))

/** What an argument of SQL makes of a call; nothing where it is no SQL. */
export function sqlSelector(place: Place, tool: Said): Selector | undefined {
  const dialect = dialectOf(place, tool)
  if (dialect === undefined) return undefined
  const worst = unread(place)
  return {
    place,
    worst,
    mayRead: true,
    pick: (args) => {
      const texts = valuesAt(args, place.path).flat()
      // Without a text, the server has one of its own.
      if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) return worst
      // A server may well run several texts as one.
      const reading = readSql(texts.join(';\n'), dialect)
      return reading.risk === 'low' ? 'reads' : evidenceOf(reading)
    },
  }
}
