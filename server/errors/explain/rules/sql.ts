// What databases say of a statement: SQLite, PostgreSQL and MySQL, each in its own words.
import { answerRules } from './answer-rule.ts'

const postgres = 'https://www.postgresql.org/docs/current/errcodes-appendix.html'
const mysql = 'https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html'
const sqlite = 'https://www.sqlite.org/rescode.html'

const name = '["\'`]?(?<name>[\\w.$-]{1,80})["\'`]?'

/** Rules about SQL. */
export const sqlRules = answerRules([
  {
    id: 'sql.no_table',
    type: 'upstream_sql_no_table',
    words: ['table', 'relation', 'schema', 'view', 'er_no_such_table', 'sqlite_error'],
    pattern: new RegExp(
      `\\b(?:no such table: ${name}|relation ["'](?<other>[\\w.$-]{1,80})["'] does not exist|Table '(?<third>[\\w.$-]{1,80})' doesn't exist|schema "[\\w.$-]{1,80}" does not exist|Unknown table\\b)`,
    ),
    cause: 'The database has no table or view {name}.',
    matches: [
      'Error: no such table: missing',
      'relation "missing" does not exist',
      "Table 'shop.orders' doesn't exist",
    ],
    others: ['column "nope" does not exist', 'Error: table t already exists'],
    from: ['sqlite', 'postgres', mysql],
  },
  {
    id: 'sql.no_column',
    type: 'upstream_sql_no_column',
    words: ['column', 'er_bad_field_error'],
    pattern: new RegExp(
      `\\b(?:no such column: ${name}|column ["']?(?<other>[\\w.$-]{1,80})["']? (?:of relation "[\\w.$-]{1,80}" )?does not exist|Unknown column '(?<third>[\\w.$-]{1,80})'|has no column named (?<fourth>[\\w.$-]{1,80}))`,
    ),
    cause: 'The table has no column {name}.',
    matches: ['Error: no such column: nope', 'column "nope" does not exist', "Unknown column 'nope' in 'field list'"],
    from: ['sqlite', 'postgres', mysql],
  },
  {
    id: 'sql.no_function',
    type: 'upstream_sql_no_function',
    words: ['function', 'operator', 'procedure'],
    pattern:
      /\b(?:no such function: (?<name>[\w.]{1,80})|(?:function|procedure) (?<other>[\w.]{1,80})\([^)]{0,200}\) does not exist|FUNCTION [\w.]{1,80} does not exist|operator does not exist: |wrong number of arguments to function)/,
    matches: ['Error: no such function: nosuchfn', 'function nofn(integer) does not exist'],
    from: ['sqlite', 'postgres'],
  },
  {
    id: 'sql.read_only',
    type: 'upstream_sql_read_only',
    words: ['read', 'readonly', 'select', 'only', 'allowed'],
    pattern:
      /\b(?:cannot execute [A-Z][A-Z ]{1,40} in a read-only transaction|attempt to write a readonly database|[Oo]nly (?:SELECT|read-only)(?: \w{1,20})? (?:queries|statements) are allowed|read-only (?:mode|queries)\b|The MySQL server is running with the --read-only option)/,
    matches: [
      'cannot execute DELETE in a read-only transaction',
      'Error: Only SELECT queries are allowed for read_query',
      'attempt to write a readonly database',
    ],
    from: ['postgres', 'sqlite', sqlite],
  },
  {
    id: 'sql.other_tool',
    type: 'upstream_use_other_tool',
    words: ['queries', 'statements'],
    pattern:
      /\b(?:SELECT queries are not allowed for \w{1,40}|Only CREATE TABLE statements are allowed|Only (?:INSERT|UPDATE|DELETE|DDL)[\w, ]{0,60} (?:queries|statements|operations) are allowed)/,
    matches: [
      'Error: SELECT queries are not allowed for write_query',
      'Error: Only CREATE TABLE statements are allowed',
    ],
    from: ['sqlite'],
  },
  {
    id: 'sql.duplicate',
    type: 'upstream_sql_duplicate',
    words: ['unique', 'duplicate', 'er_dup_entry', 'e11000'],
    pattern:
      /\b(?:UNIQUE constraint failed: (?<name>[\w.$, -]{1,120})|duplicate key value violates unique constraint "(?<other>[\w.$-]{1,80})"|Duplicate entry '|E11000 duplicate key error)/,
    cause: 'A row with this value is there already; the rule that forbids two is {name}.',
    matches: [
      'Error: UNIQUE constraint failed: t.name',
      'duplicate key value violates unique constraint "t_name_key"',
      "Duplicate entry 'a' for key 't.name'",
    ],
    from: ['sqlite', postgres, mysql],
  },
  {
    id: 'sql.missing_value',
    type: 'upstream_sql_missing_value',
    words: ['null', 'values', 'default', 'supplied'],
    pattern:
      /\b(?:NOT NULL constraint failed: (?<name>[\w.$-]{1,120})|null value in column "(?<other>[\w.$-]{1,80})"|Column '(?<third>[\w.$-]{1,80})' cannot be null|Field '(?<fourth>[\w.$-]{1,80})' doesn't have a default value|has \d{1,5} columns but \d{1,5} values were supplied|Column count doesn't match value count|INSERT has (?:more|fewer) (?:expressions|target columns))/,
    matches: [
      'Error: NOT NULL constraint failed: t.name',
      'Error: table t has 2 columns but 1 values were supplied',
      'null value in column "name" of relation "t" violates not-null constraint',
      "Column 'name' cannot be null",
    ],
    from: ['sqlite', postgres, mysql],
  },
  {
    id: 'sql.constraint',
    type: 'upstream_sql_constraint',
    words: ['constraint'],
    pattern:
      /\b(?:(?:FOREIGN KEY|CHECK) constraint failed|violates (?:foreign key|check|exclusion) constraint|a foreign key constraint fails|Check constraint '[\w.$-]{1,80}' is violated)/,
    matches: [
      'FOREIGN KEY constraint failed',
      'insert or update on table "a" violates foreign key constraint "a_b_fkey"',
      'Cannot add or update a child row: a foreign key constraint fails',
    ],
    from: [sqlite, postgres, mysql],
  },
  {
    id: 'sql.type',
    type: 'upstream_sql_type',
    words: ['type', 'division', 'range', 'datatype', 'integer', 'cast', 'date'],
    pattern:
      /\b(?:invalid input syntax for type (?<name>[\w ]{1,40})|datatype mismatch|division by zero|is of type [\w ]{1,40} but expression is of type|(?:integer|value) out of range|cannot cast type|date\/time field value out of range|Incorrect \w{1,20} value: ')/,
    matches: [
      'invalid input syntax for type integer: "x"',
      'division by zero',
      'column "id" is of type integer but expression is of type text',
    ],
    from: ['postgres', postgres],
  },
  {
    id: 'sql.syntax',
    type: 'upstream_sql_syntax',
    words: ['syntax', 'near', 'incomplete', 'group', 'unrecognized', 'unterminated'],
    pattern:
      /(?:\bsyntax error at or near\b|\bnear "[^"\n]{1,80}": syntax error|\bincomplete input\b|\bYou have an error in your SQL syntax\b|\bmust appear in the GROUP BY clause\b|\bunrecognized token: "|\bunterminated quoted string at or near\b|\bsyntax error at end of input\b)/,
    matches: [
      'syntax error at or near "SELEC"',
      'near "SELEC": syntax error',
      'Error: incomplete input',
      "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'SELEC' at line 1",
    ],
    from: ['postgres', 'https://www.sqlite.org/lang.html', 'sqlite', mysql],
  },
  {
    id: 'sql.busy',
    type: 'upstream_sql_busy',
    words: ['locked', 'deadlock', 'serialize', 'lock'],
    pattern:
      /\b(?:database (?:table )?is locked|deadlock detected|Deadlock found when trying to get lock|Lock wait timeout exceeded|could not serialize access|could not obtain lock)/,
    matches: ['database is locked', 'deadlock detected', 'could not serialize access due to concurrent update'],
    from: [sqlite, postgres],
  },
])
