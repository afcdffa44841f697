// Tables: line items with their totals, and rows of any columns. A phone takes a few dozen rows, not thousands, so only
// one page of them is ever drawn; the head stays in sight, and a table can be sorted by each of its columns. Numbers line
// up, and are compared as the decimal strings that they are.
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Labelled } from './fields.tsx'
import { formatNumber } from './format.ts'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Scroll } from './scroll.tsx'
import { isFolded, Value, type ShownValue } from './value.tsx'

interface Column {
  readonly label: string
  readonly align?: 'start' | 'end'
}

interface Row {
  readonly id?: string
  readonly cells: readonly ShownValue[]
}

interface GridProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly totals?: readonly Labelled[] | undefined
  readonly sorts?: boolean
  readonly reader: Reader
}

const PAGE = 50
const DIGITS = 40

const isNumeric = (value: ShownValue | undefined): boolean => value?.kind === 'number' || value?.kind === 'money'

/** A decimal string as an integer of so many places after the point; what is none counts as nothing. */
const scaled = (decimal: string): bigint => {
  const [whole = '', part = ''] = decimal.split('.')
  return /^-?\d+$/.test(whole) ? BigInt(whole + part.slice(0, DIGITS).padEnd(DIGITS, '0')) : 0n
}

type Key = string | number | bigint

const keyOf = (value: ShownValue | undefined): Key => {
  if (value?.kind === 'number') return scaled(value.value)
  if (value?.kind === 'money') return scaled(value.amount)
  if (value?.kind === 'date') return Date.parse(value.iso)
  return value && 'text' in value ? value.text : JSON.stringify(value ?? '')
}

const order = (a: Key, b: Key, { locale }: Reader): number =>
  typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b, locale) : a < b ? -1 : a > b ? 1 : 0

/** Rows by one column, up or down; where they stood before where there is none. */
const sorted = (rows: readonly Row[], by: number, reader: Reader): readonly Row[] => {
  if (by === 0) return rows
  const column = Math.abs(by) - 1
  return rows
    .map((row) => ({ row, key: keyOf(row.cells[column]) }))
    .sort((a, b) => order(a.key, b.key, reader) * by)
    .map(({ row }) => row)
}

const Grid = ({ label, columns, rows, totals = [], sorts, reader }: GridProps): VNode => {
  const [from, turn] = useState(0)
  /** Number of the column, negative for downwards, 0 for none. */
  const [by, sort] = useState(0)
  const { words } = reader
  const number = (value: number): string => formatNumber(String(value), reader)
  const alignOf = (column: number): string =>
    (columns[column]?.align ?? (isNumeric(rows[0]?.cells[column]) ? 'end' : 'start')) === 'end' ? 'num' : ''
  const { current: opened } = useRef(new Set<string>())
  const all = sorted(rows, by, reader)
  const shown = all.slice(from, from + PAGE)
  const folded = all.some((row) => !shown.includes(row) && row.cells.some((cell) => isFolded(cell, opened)))
  const pages = rows.length > PAGE
  return (
    <div>
      <Scroll label={label} tall={rows.length > 12}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => {
                const on = Math.abs(by) === index + 1
                const head = <Marked text={column.label} reader={reader} />
                return (
                  <th
                    scope="col"
                    class={alignOf(index)}
                    {...(on ? { 'aria-sort': by > 0 ? ('ascending' as const) : ('descending' as const) } : {})}
                  >
                    {sorts && rows.length > 1 ? (
                      <button
                        type="button"
                        class="sort"
                        onClick={() => {
                          sort(on ? -by : index + 1)
                          turn(0)
                        }}
                      >
                        {head}
                        <span aria-hidden="true">{on ? (by > 0 ? ' ↑' : ' ↓') : ''}</span>
                      </button>
                    ) : (
                      head
                    )}
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody key={`${by} ${from}`}>
            {shown.map(({ id, cells }) => (
              <tr>
                {columns.map((_, index) => {
                  const cell = cells[index]
                  const inner = cell && Value({ value: cell, reader, opened })
                  return index > 0 ? (
                    <td class={alignOf(index)}>{inner}</td>
                  ) : (
                    <th scope="row" class={alignOf(0)}>
                      {inner}
                      {id !== undefined && ' '}
                      {id !== undefined && (
                        <code class="id">
                          <Marked text={id} reader={reader} />
                        </code>
                      )}
                    </th>
                  )
                })}
              </tr>
            ))}
          </tbody>
          {totals.length > 0 && (
            <tfoot>
              {totals.map((total) => (
                <tr>
                  <th scope="row" colSpan={Math.max(1, columns.length - 1)}>
                    <Marked text={total.label} reader={reader} />
                  </th>
                  <td class="num">
                    <Value value={total.value} reader={reader} />
                  </td>
                </tr>
              ))}
            </tfoot>
          )}
        </table>
      </Scroll>
      {pages && (
        <nav aria-label={label} data-read={folded ? '' : undefined}>
          <button type="button" aria-label={words.$back} disabled={from === 0} onClick={() => turn(from - PAGE)}>
            ‹
          </button>
          <span role="status">
            {number(from + 1)}–{number(from + shown.length)} / {number(rows.length)}
          </span>
          <button
            type="button"
            aria-label={words.$next}
            disabled={from + PAGE >= rows.length}
            onClick={() => turn(from + PAGE)}
          >
            ›
          </button>
        </nav>
      )}
    </div>
  )
}

interface LinesBlock {
  readonly columns: readonly Column[]
  readonly itemLabel: string
  readonly items: readonly { readonly id?: string; readonly label: string; readonly cells: readonly ShownValue[] }[]
  readonly totals?: readonly Labelled[]
}

export const Lines = ({ block, reader }: { readonly block: LinesBlock; readonly reader: Reader }): VNode => (
  <Grid
    label={block.itemLabel}
    columns={[{ label: block.itemLabel }, ...block.columns]}
    rows={block.items.map(({ label, cells, ...id }) => ({ ...id, cells: [{ kind: 'text', text: label }, ...cells] }))}
    totals={block.totals}
    reader={reader}
  />
)

interface TableBlock {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly ShownValue[])[]
  readonly totals?: readonly Labelled[]
}

export const Table = ({ block, reader }: { readonly block: TableBlock; readonly reader: Reader }): VNode => (
  <Grid {...block} rows={block.rows.map((cells) => ({ cells }))} sorts reader={reader} />
)
