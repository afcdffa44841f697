// What a DELETE or an UPDATE would do to the rows that are there now: how many it hits of how many, and a few of them as
// they are and as they will be. Counted by reads of the same server, made of the statement itself.
import type { CardBlock, CardRecordChange, LabelledValue } from '../../model/card.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { plainValue } from '../../cards/plain-value.ts'
import { toPointer } from '../../errors/pointer.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { readSql, type SqlDialect } from '../programs/sql/sql.ts'
import { humanLabel } from '../../tools/human-label.ts'

export type Row = Readonly<Record<string, unknown>>

/** Runs a SELECT on the server; fails with why it could not. */
export type AskRows = (sql: string) => Promise<Result<readonly Row[], string>>

export interface RowsFound {
  readonly kind: 'delete' | 'update'
  readonly table: string
  readonly hit: number
  readonly all: number
  /** A few of the rows that are hit; of an UPDATE with `new_x` beside `x`. */
  readonly samples: readonly Row[]
}

/** Asks for the rows of one statement; `undefined` where it is none of which rows can be counted. */
export async function countRows(
  text: unknown,
  dialect: SqlDialect,
  ask: AskRows,
): Promise<Result<RowsFound, string> | undefined> {
  const [statement, ...more] = typeof text === 'string' ? readSql(text, dialect).statements : []
  const kind = statement?.kind
  if (statement?.counting === undefined || more.length > 0 || (kind !== 'delete' && kind !== 'update')) return undefined
  const { hit, all, samples } = statement.counting
  const [hitRows, allRows, sampleRows] = await Promise.all([ask(hit), ask(all), ask(samples)])
  if (!hitRows.ok) return hitRows
  if (!allRows.ok) return allRows
  if (!sampleRows.ok) return sampleRows
  const counted = [countIn(hitRows.value), countIn(allRows.value)]
  const [hits, rows] = counted
  if (hits === undefined || rows === undefined) return fail('Its answer holds no number of rows.')
  return ok({ kind, table: statement.writes[0] ?? 'the table', hit: hits, all: rows, samples: sampleRows.value })
}

/** One row with one number, which some drivers write as text. */
function countIn(rows: readonly Row[]): number | undefined {
  const count = Number(Object.values(rows[0] ?? {})[0])
  return rows.length === 1 && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

const verbs = { delete: 'Delete', update: 'Change' } as const

const inWords = (value: number): string => value.toLocaleString('en')

/** "Delete 3 of 1,200 rows of orders", and the button. */
export const rowWords = ({
  kind,
  table,
  hit,
  all,
}: RowsFound): { readonly title: string; readonly confirm: string } => ({
  title: `${verbs[kind]} ${inWords(hit)} of ${inWords(all)} rows of ${showInvisible(table).slice(0, 80)}`,
  confirm: `${verbs[kind]} rows`,
})

/** The first of the rows as they are and as they will be, and what their number means. */
export function rowBlocks({ kind, hit, all, samples }: RowsFound): readonly CardBlock[] {
  const shown = samples.slice(0, 5)
  const every = kind === 'delete' ? 'Every row of the table is deleted.' : 'Every row of the table changes.'
  return [
    ...(hit === 0 ? [{ kind: 'alert', severity: 'info', title: 'No row fits the condition now.' } as const] : []),
    ...(hit === all && all > 1
      ? [{ kind: 'alert', severity: kind === 'delete' ? 'danger' : 'warning', title: every } as const]
      : []),
    ...(shown.length === 0
      ? []
      : [{ kind: 'diff', changes: [], records: shown.map((row) => recordOf(kind, row)) } as const]),
    ...(hit > shown.length && shown.length > 0
      ? [{ kind: 'text', text: `These are the first ${shown.length} of ${inWords(hit)}.` } as const]
      : []),
  ]
}

function recordOf(kind: RowsFound['kind'], row: Row): CardRecordChange {
  const [first] = Object.entries(row)
  const label = first === undefined ? 'a row' : `${first[0]} ${String(first[1])}`.slice(0, 200)
  if (kind === 'delete')
    return {
      change: 'removed',
      label,
      fields: Object.entries(row)
        .slice(1)
        .map(([name, value]) => fieldOf(name, value)),
    }
  const changes = Object.entries(row).flatMap(([name, after]) => {
    const column = name.startsWith('new_') ? name.slice(4) : ''
    if (column === '' || !Object.hasOwn(row, column)) return []
    return [{ pointer: toPointer([column]), label: column, before: plainValue(row[column]), after: plainValue(after) }]
  })
  return { change: 'changed', label, changes }
}

const fieldOf = (name: string, value: unknown): LabelledValue => ({ label: humanLabel(name), value: plainValue(value) })
