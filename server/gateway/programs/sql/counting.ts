// How many rows a DELETE or an UPDATE would hit, and which: asked by queries that are made of the statement's own table,
// condition and values, as written, and that are only handed out where each of them is a read itself.
import { volatileReads } from './functions.ts'
import type { Assignment } from './shape.ts'
import type { SqlDialect, Token } from './tokens.ts'

/** Queries about the rows of one statement. */
export interface CountingReads {
  /** One row with one number: how many rows it would hit. */
  readonly hit: string
  /** The same of how many there are. */
  readonly all: string
  /** Up to five of the rows; of an UPDATE with the value to come of a column `x` beside the others, as `new_x`. */
  readonly samples: string
}

/** Their answers change from one call to the next, so a count would say nothing about the statement. */
const changing = new Set([
  ...volatileReads,
  ...'rand uuid uuid_short random_bytes sysdate randomblob changes total_changes last_insert_rowid newid'.split(' '),
])

/** Made for `DELETE FROM t WHERE …` and `UPDATE t SET … WHERE …`; nothing where one of them would be no read. */
export function countingReads(
  text: string,
  tokens: readonly Token[],
  { kind, sets }: { readonly kind: string; readonly sets: readonly Assignment[] },
  dialect: SqlDialect,
  isRead: (text: string, dialect: SqlDialect) => boolean,
): CountingReads | undefined {
  const calls = tokens.filter((_, at) => tokens[at + 1]?.kind === 'mark' && tokens[at + 1]?.value === '(')
  if (calls.some(({ value }) => changing.has(value.toLowerCase()))) return undefined
  if (kind === 'update' && sets.length === 0) return undefined
  const open = kind === 'delete' ? 2 : 1
  const close = tokens.findIndex(({ kind: of, value }) => of === 'word' && (value === 'where' || value === 'set'))
  const table = written(text, tokens.slice(open, close < 0 ? undefined : close))
  const at = outerWhere(tokens)
  const condition = at < 0 ? '' : ` WHERE ${written(text, tokens.slice(at + 1))}`
  const values = sets.map(({ column, value }) => `, (${value}) AS ${quoted(`new_${column}`, dialect)}`).join('')
  const [top, limit] = dialect === 'tsql' ? ['TOP 5 ', ''] : ['', ' LIMIT 5']
  const reads = {
    hit: `SELECT count(*) FROM ${table}${condition}`,
    all: `SELECT count(*) FROM ${table}`,
    samples: `SELECT ${top}*${values} FROM ${table}${condition}${limit}`,
  }
  return Object.values(reads).every((read) => isRead(read, dialect)) ? reads : undefined
}

/** With its line breaks: a comment between two words may end with one. */
const written = (text: string, tokens: readonly Token[]): string =>
  text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0)

function outerWhere(tokens: readonly Token[]): number {
  let depth = 0
  return tokens.findIndex(({ kind, value }) => {
    depth += kind !== 'mark' ? 0 : value === '(' ? 1 : value === ')' ? -1 : 0
    return depth === 0 && kind === 'word' && value === 'where'
  })
}

const quoted = (name: string, dialect: SqlDialect): string => {
  if (dialect === 'mysql') return `\`${name.replaceAll('`', '``')}\``
  return dialect === 'tsql' ? `[${name.replaceAll(']', ']]')}]` : `"${name.replaceAll('"', '""')}"`
}
