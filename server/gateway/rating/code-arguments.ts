// An argument that is a program does whatever the program says: SQL, a shell's line, JavaScript. The name of such a tool
// says nothing about it, and neither does "read-only". (`COMMIT; DELETE …` got past a server that promised just that.)
import { wordsOf } from './words.ts'
import { takesText, type Place } from './schema-places.ts'

/** Words of an argument's name that say it is a program, wherever they stand. */
const languages = new Set(
  'sql tsql plsql cypher sparql graphql gql mutation kql shell bash powershell javascript'.split(' '),
)

/** Last words of an argument's name that say so. */
const programs = new Set(
  'cmd cmdline exec command commands script scripts program statement statements argv'.split(' '),
)

/** Last words that only describe a program: "command_id", "sql_dialect". */
const describing = new Set(
  'id ids name names type version dialect mode format language limit timeout status path file url error errors warnings events'.split(
    ' ',
  ),
)

const language = String.raw`(?:\w{0,20}sql|cypher|sparql|graphql|kql|shell|bash|javascript|typescript|python)`

/** Where a query is written in a language that can do more than query. */
const database = String.raw`(?:databases?|db|warehouse|\w{0,20}sql|sqlite3?|mariadb|oracle|clickhouse|snowflake|bigquery|redshift|duckdb|databricks|trino|athena|neo4j)`

/** Query languages that change what they query as well, however a tool speaks of them. */
const writingQueries = /\b(?:cypher|gremlin|surrealql|partiql|n1ql|arangodb)\b/i

/** What is said of what a tool does with a program. */
const runs = String.raw`(?:[Rr]un(?:s|ning)?|[Ee]xecut(?:es?|ing|ion))`

/** What has a code that is no program: "currency_code". */
const coded = new Set(
  'currency country language locale region area postal zip post status error exit promo coupon discount airport verification'.split(
    ' ',
  ),
)

interface Suspect {
  readonly names: readonly string[]
  /** What the argument's own description, followed by the words of the tool's name, must say. */
  readonly argument: RegExp
  /** What the tool's description must say. */
  readonly tool: RegExp
}

const suspects: readonly Suspect[] = [
  {
    names: ['code', 'function', 'snippet', 'source', 'expression'],
    argument: new RegExp(String.raw`\b(?:${language}|js|script|execute|executes|evaluate|run)\b`, 'i'),
    tool: new RegExp(
      String.raw`\b(?:${language}|js|script|arrow function|(?:run|execute|evaluate)s? (?:\w+ ){0,3}(?:code|snippet))\b`,
      'i',
    ),
  },
  {
    names: ['query', 'queries', 'q', 'input', 'text', 'body', 'payload', 'content', 'request'],
    argument: new RegExp(String.raw`\b(?:${language}|ddl|dml)\b`, 'i'),
    tool: new RegExp(
      String.raw`\b${language}[ -](?:quer(?:y|ies)|statements?|commands?|scripts?|code)\b|\b${runs}\b[^.]{0,40}\b(?:${language}|ddl|dml)\b|\bquer(?:y|ies)\b[^.]{0,40}\b(?:with|in|using|by) (?:raw )?${language}\b`,
      'i',
    ),
  },
  {
    names: ['query', 'queries', 'q'],
    argument: /\bSELECT\b/,
    tool: new RegExp(String.raw`\b${runs}\b[^.]{0,40}\bSELECT\b`),
  },
  { names: ['query', 'queries', 'q'], argument: writingQueries, tool: writingQueries },
  {
    names: ['query', 'queries', 'q'],
    // Ends with the tool's name: "mysql_query", "query_database".
    argument: new RegExp(
      String.raw`\b${database} quer(?:y|ies)$|\bquer(?:y|ies) (?:the )?${database}$|\bexplain (?:\w+ )?quer(?:y|ies)$|\bquer(?:y|ies) (?:index(?:es)?|plans?)$`,
      'i',
    ),
    tool: new RegExp(
      String.raw`^\W*(?:quer(?:y|ies)|${runs}\b[^.]{0,30}\bquer(?:y|ies))\b[^.]{0,30}\b${database}\b`,
      'i',
    ),
  },
  {
    names: ['args', 'arguments', 'parameters', 'flags'],
    argument: /\b(?:command[- ]line|cli|shell|subcommands?)\b/i,
    tool: new RegExp(String.raw`\b(?:${runs}\b[^.]{0,40}\bcommands?|command[- ]line|cli)\b`, 'i'),
  },
]

/** Every argument that is a program. */
export const programsIn = (
  places: readonly Place[],
  tool: { readonly name: string; readonly description: string },
): readonly Place[] => places.filter((place) => isProgram(place, tool))

/** Whether an argument's name alone says that it is a program. */
export function namesProgram(name: string): boolean {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  return !describing.has(last) && (programs.has(last) || words.some((word) => languages.has(word)))
}

function isProgram({ name, schema }: Place, tool: { readonly name: string; readonly description: string }): boolean {
  if (!takesText(schema)) return false
  if (namesProgram(name)) return true
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (describing.has(last) || (last === 'code' && coded.has(words.at(-2) ?? ''))) return false
  const toolWords = wordsOf(tool.name).join(' ')
  // A tool that is called no more than "query", or "read query", may take any language.
  if (
    /^(?:(?:read|run|execute|exec) )?query$/.test(toolWords) &&
    ['query', 'q'].includes(last) &&
    tool.description.trim() === ''
  )
    return true
  const prose = typeof schema['description'] === 'string' ? schema['description'] : ''
  // What KQL searches messages with is made of keywords, and has no verbs.
  const withoutKeywords = (text: string): string =>
    /\bsearch\b/.test(toolWords) ? text.replace(/\bkql\b/gi, '') : text
  const described = withoutKeywords(prose)
  return suspects.some(
    ({ names, argument, tool: needed }) =>
      names.includes(last) &&
      (argument.test(`${described} ${words.slice(0, -1).join(' ')} ${toolWords}`) ||
        needed.test(withoutKeywords(tool.description))),
  )
}
