// Whether one statement of SQLite, MySQL (and MariaDB) or T-SQL can do no more than read. No grammar is asked: those to be
// had read a part of what these databases accept, and some see a comment where MySQL sees a statement (ADR 42). It is
// enough to know that a statement begins as a query, that none of its words can begin or be anything else than a part of
// one, and that whatever it calls is known. A statement that is none gets past this only to be refused by its database.
import { readingFunctions } from './functions.ts'
import { isMark, wordAt, type SqlDialect, type Token } from './tokens.ts'

export type TokenDialect = Exclude<SqlDialect, 'postgresql'>

/** What keeps a statement from being a read; completes "… so it is high." */
export type Objection = { readonly calls: string } | { readonly says: string } | { readonly is: 'no query' }

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that a query holds only where it does more than read. */
const refused: Readonly<Record<TokenDialect, ReadonlySet<string>>> = {
  sqlite: setOf('into insert update delete replace'),
  mysql: setOf('into insert update delete replace lock procedure nextval'),
  // No semicolon is needed between two statements, so none of these may stand anywhere.
  tsql: setOf(`
    into insert update delete merge drop alter create truncate grant revoke deny exec execute declare set begin commit
    rollback save tran transaction use kill shutdown backup restore dbcc waitfor print raiserror throw go reconfigure
    checkpoint bulk openrowset openquery opendatasource receive send enable disable move get add
    readtext writetext updatetext deallocate open close goto if while break continue return revert setuser rename
    dump load output procedure proc trigger call conversation updlock xlock tablockx`),
}
const common = `select distinct all from join on using where and or not in exists between like match as is when then
  else case having by over partition union except intersect values limit with recursive group order index key cross inner
  outer left right natural`

/**
 * Words, other than functions, behind which a bracket may open. Of MySQL, where a function may be defined under any other
 * name, they are reserved; of SQL Server a function of one's own is called with its schema.
 */
const beforeBracket: Readonly<Record<TokenDialect, ReadonlySet<string>>> = {
  sqlite: setOf(`${common} glob regexp filter window materialized offset escape collate full`),
  mysql: setOf(`${common} regexp rlike lateral row rows div mod xor interval use force ignore straight_join char varchar
    decimal numeric varbinary binary int integer float double real`),
  tsql: setOf(`${common} any some apply rows range within top full pivot unpivot for option tablesample path root escape
    percent varchar nvarchar char nchar decimal numeric varbinary binary float datetime2 datetimeoffset time`),
}

const showable = setOf(`
  tables databases schemas columns fields index indexes keys status variables create table engine engines warnings errors
  count processlist grants privileges plugins character charset collation triggers procedure function events open binary
  master replica slave replicas slaves relaylog binlog package locales authors contributors profiles profile`)

/** Pragmas of SQLite that answer and change nothing, with what they are about or without. */
const readingPragmas = setOf(`
  table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check database_list
  collation_list function_list module_list pragma_list compile_options integrity_check quick_check`)

/** Pragmas that answer where nothing is given, and set where something is. */
const settingPragmas = setOf(`
  user_version schema_version application_id data_version encoding page_count page_size max_page_count freelist_count
  journal_mode journal_size_limit foreign_keys cache_size cache_spill auto_vacuum synchronous mmap_size busy_timeout
  locking_mode temp_store recursive_triggers secure_delete query_only wal_autocheckpoint threads
  automatic_index case_sensitive_like cell_size_check checkpoint_fullfsync defer_foreign_keys fullfsync
  ignore_check_constraints legacy_alter_table read_uncommitted reverse_unordered_selects trusted_schema writable_schema
  hard_heap_limit soft_heap_limit analysis_limit`)

/** What keeps a statement from being a read; nothing where it is one. */
export function objectionTo(statement: readonly Token[], dialect: TokenDialect): Objection | undefined {
  const open = statement.findIndex(({ value, kind }) => !(kind === 'mark' && value === '('))
  const first = open < 0 ? '' : wordAt(statement, open)
  if (dialect === 'sqlite' && first === 'pragma') return pragmaObjection(statement)
  if (first === 'explain' || (dialect === 'mysql' && (first === 'describe' || first === 'desc')))
    return explainObjection(statement, dialect)
  if (dialect === 'mysql' && first === 'show') return showObjection(statement)
  const queries = dialect === 'mysql' ? ['select', 'with', 'values', 'table'] : ['select', 'with', 'values']
  if (!queries.includes(first) || (dialect === 'tsql' && first === 'values')) return { is: 'no query' }
  return inQuery(statement, dialect)
}

function inQuery(tokens: readonly Token[], dialect: TokenDialect): Objection | undefined {
  for (const [at, token] of tokens.entries()) {
    const calls = isMark(tokens[at + 1], '(')
    if (token.kind === 'mark' && token.value === ':=') return { says: ':=' }
    if (dialect === 'sqlite' && actsWhenRead(token)) return { calls: token.value }
    if (token.kind === 'text' && calls) return { calls: token.value }
    if (token.kind === 'name' && calls && !isDeclared(tokens, at)) return { calls: token.value }
    if (token.kind !== 'word') continue
    const objection = calls ? callObjection(tokens, at, dialect) : wordObjection(tokens, at, dialect)
    if (objection !== undefined) return objection
  }
  return undefined
}

/** SQLite's pragmas are tables, too, of which one writes (`pragma_optimize`); and two tables of its shell reach files. */
const actsWhenRead = ({ kind, value }: Token): boolean =>
  ['word', 'name', 'text'].includes(kind) &&
  /^(?:pragma_|fsdir$|zipfile$)/i.test(value) &&
  !readingFunctions.sqlite.has(value.toLowerCase())

function callObjection(tokens: readonly Token[], at: number, dialect: TokenDialect): Objection | undefined {
  const name = wordAt(tokens, at)
  const isQualified = isMark(tokens[at - 1], '.')
  if (!isQualified && readingFunctions[dialect].has(name)) return undefined
  if (!isQualified && beforeBracket[dialect].has(name) && !refused[dialect].has(name)) return undefined
  if (dialect === 'mysql' && isPartOfMysql(tokens, at)) return undefined
  if (isDeclared(tokens, at)) return wordObjection(tokens, at, dialect)
  return refused[dialect].has(name)
    ? { says: name }
    : { calls: isQualified ? `${tokens[at - 2]?.value}.${name}` : name }
}

/** Words that MySQL does not reserve, where nothing can be called: `= ANY (SELECT …)`, `MATCH (…) AGAINST (…)`. */
function isPartOfMysql(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  switch (wordAt(tokens, at)) {
    case 'any':
    case 'some':
      return before?.kind === 'mark' && /^(?:[<>!]?=|<>|<|>)$/.test(before.value) && wordAt(tokens, at + 2) === 'select'
    case 'against':
      return isMark(before, ')')
    case 'columns':
      return before?.kind === 'text'
    default:
      return false
  }
}

function wordObjection(tokens: readonly Token[], at: number, dialect: TokenDialect): Objection | undefined {
  const name = wordAt(tokens, at)
  if (!refused[dialect].has(name)) {
    // `FOR SHARE` locks rows, and MariaDB's `NEXT VALUE FOR` draws a number that is gone then.
    const locks = name === 'share' && wordAt(tokens, at - 1) === 'for'
    const draws = name === 'value' && wordAt(tokens, at - 1) === 'next'
    return locks || draws ? { says: `${wordAt(tokens, at - 1)} ${name}` } : undefined
  }
  return { says: name }
}

/** Whether a name before a bracket is one that the query gives, with its columns: `WITH n(x) AS (…)`, `(…) AS v(x)`. */
function isDeclared(tokens: readonly Token[], at: number): boolean {
  let end = at + 2
  // A type may have a length, as in `CAST(x AS VARCHAR(10))`.
  const kinds = wordAt(tokens, at - 1) === 'as' ? ['word', 'name', 'number'] : ['word', 'name']
  while (kinds.includes(tokens[end]?.kind ?? '')) end += isMark(tokens[end + 1], ',') ? 2 : 1
  if (!isMark(tokens[end], ')')) return false
  const before = tokens[at - 1]
  if (wordAt(tokens, at - 1) === 'as' || isMark(before, ')')) return true
  const isInWith = ['with', 'recursive'].includes(wordAt(tokens, at - 1)) || isMark(before, ',')
  // A call has no `AS (` behind it.
  const behind = isMark(tokens[end + 2], '(') || ['not', 'materialized'].includes(wordAt(tokens, end + 2))
  return isInWith && wordAt(tokens, end + 1) === 'as' && behind
}

function pragmaObjection(tokens: readonly Token[]): Objection | undefined {
  const at = isMark(tokens[2], '.') ? 3 : 1
  const name = tokens[at]?.value.toLowerCase() ?? ''
  const rest = tokens.slice(at + 1)
  if (settingPragmas.has(name) && rest.length === 0) return undefined
  const isAbout = rest.length === 3 && isMark(rest[0], '(') && isMark(rest[2], ')')
  const isGiven = rest.length === 2 && isMark(rest[0], '=')
  if (readingPragmas.has(name) && (rest.length === 0 || isAbout || isGiven)) return undefined
  return { says: `pragma ${name}` }
}

function explainObjection(tokens: readonly Token[], dialect: TokenDialect): Objection | undefined {
  if (dialect === 'tsql') return { is: 'no query' }
  let at = 1
  for (; at < tokens.length; at++) {
    if (['select', 'with', 'values'].includes(wordAt(tokens, at)) || isMark(tokens[at], '('))
      return objectionTo(tokens.slice(at), dialect)
    const isOption =
      /^(?:query|plan|extended|partitions|analyze|format|json|tree|traditional)$/.test(wordAt(tokens, at)) ||
      isMark(tokens[at], '=')
    if (!isOption) break
  }
  // `DESCRIBE orders`, or one column of it.
  const rest = tokens.slice(at)
  const isTable = rest.every(({ kind, value }) => kind !== 'mark' || value === '.' || value === '%')
  const says = rest.find(({ kind, value }) => kind === 'word' && refused[dialect].has(value))
  if (dialect === 'mysql' && isTable && says === undefined && rest.length > 0 && rest.length <= 6) return undefined
  return { is: 'no query' }
}

function showObjection(tokens: readonly Token[]): Objection | undefined {
  let at = 1
  while (/^(?:full|extended|global|session|local|all)$/.test(wordAt(tokens, at))) at++
  if (!showable.has(wordAt(tokens, at))) return { is: 'no query' }
  // What is shown may be called as a statement is: `SHOW CREATE PROCEDURE p`.
  return inQuery(tokens.slice(at + (/^(?:create|procedure|binary|open)$/.test(wordAt(tokens, at)) ? 2 : 1)), 'mysql')
}
