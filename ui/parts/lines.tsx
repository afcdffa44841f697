// Tables: line items with their totals, and rows of any columns. All rows of a long one are reached by scrolling; since
// a phone takes a few dozen at once, not thousands, the next ones are drawn when the end of those before was reached. The
// head stays in sight, and a table can be sorted by each of its columns. Numbers line up, and are compared as the decimal
// strings that they are. Who is to sign a long table must have scrolled through all of it; how much is left stands below.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Labelled } from './fields.tsx'
import { formatNumber } from './format.ts'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Tabular, type TabularColumn } from './tabular.tsx'
import { isFolded, Value, type ShownValue } from './value.tsx'
import { fill } from './words.ts'

interface Column {
  readonly label: string
  readonly align?: 'start' | 'end'
}

interface Row {
  /** Its own part of the document, by which it is known again however the rows are sorted. */
  readonly of: object
  readonly id?: string
  readonly cells: readonly ShownValue[]
  /** Whether it is open below, and how it is opened; absent where nothing is. */
  readonly opens?: { readonly on: boolean; press(): void } | undefined
}

interface GridProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly totals?: readonly Labelled[] | undefined
  readonly sorts?: boolean
  /** How many more there are of a list of which these are the first: they are drawn whole, and need not be read through. */
  readonly beyond?: number
  readonly reader: Reader
}

/** Rows that are drawn with the card: more than the box of a long list has in sight. It is on the screen the sooner. */
const FIRST = 16
/** Rows that are drawn right after, and with each scrolling to the end. */
const BATCH = 50
/** Rows that stand in the sheet itself; more scroll in a box of their own. */
const SHORT = 12
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

/** Arrow keys lead from a row that opens to its neighbours, and take the one Tab stop of the list along. */
const walk = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
  const row = event.currentTarget.closest('tr,li')
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[event.key]
  const button = next?.querySelector('button')
  if (!button) return
  event.preventDefault()
  event.currentTarget.tabIndex = -1
  button.tabIndex = 0
  button.focus()
}

export const Grid = ({ label, columns, rows, totals = [], sorts, beyond, reader }: GridProps): VNode => {
  const isPart = beyond !== undefined
  const isLong = !isPart && rows.length > FIRST
  const [batch, draw] = useState(FIRST)
  useEffect(() => {
    if (!isLong) return undefined
    // An effect may run before the first rows are painted; the second frame from it comes after.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => draw((count) => Math.max(count, BATCH)))
    })
    return () => cancelAnimationFrame(frame)
  }, [isLong])
  const drawn = isPart ? rows.length : batch
  const left = isPart ? beyond : rows.length - Math.max(drawn, BATCH)
  /** Number of the column, negative for downwards, 0 for none. */
  const [by, sort] = useState(0)
  const { current: opened } = useRef(new Set<string>())
  const [seen, see] = useState<ReadonlySet<object>>(new Set())
  const all = useMemo(() => sorted(rows, by, reader), [rows, by, reader])
  const shown = all.slice(0, drawn)
  const folded = all.slice(drawn).some((row) => row.cells.some((cell) => isFolded(cell, opened)))
  const unseen = rows.length > SHORT && rows.some((row) => !seen.has(row.of))
  const headOf = ({ label: name }: Column, index: number): TabularColumn => {
    const on = Math.abs(by) === index + 1
    const head = <Marked text={name} reader={reader} />
    const end = (columns[index]?.align ?? (isNumeric(rows[0]?.cells[index]) ? 'end' : 'start')) === 'end'
    if (!sorts || rows.length < 2) return { label: head, end }
    return {
      label: head,
      end,
      sort: on ? (by > 0 ? 'ascending' : 'descending') : undefined,
      head: (
        <button
          type="button"
          class="sort"
          onClick={() => {
            sort(on ? -by : index + 1)
            draw(BATCH)
          }}
        >
          {head}
          <span aria-hidden="true">{on ? (by > 0 ? ' ↑' : ' ↓') : ''}</span>
        </button>
      ),
    }
  }
  const cellsOf = ({ id, cells, opens }: Row, at: number): readonly ComponentChildren[] =>
    cells.map((cell, index) => {
      let value = Value({ value: cell, reader, opened })
      if (opens && index === 0) {
        value = (
          <button
            type="button"
            class="sort"
            aria-expanded={opens.on}
            tabIndex={at && -1}
            onKeyDown={walk}
            onClick={() => opens.press()}
          >
            {value}
          </button>
        )
      }
      return index > 0 || id === undefined ? (
        value
      ) : (
        <>
          {value}{' '}
          <code class="id">
            <Marked text={id} reader={reader} />
          </code>
        </>
      )
    })
  const onEnd = (): void => {
    if (unseen && shown.some((row) => !seen.has(row.of))) see(new Set([...seen, ...shown.map((row) => row.of)]))
    if (drawn < rows.length) draw(drawn + BATCH)
  }
  return (
    <div data-read={!isPart && (folded || unseen) ? '' : undefined}>
      {(sorts || isPart) && (
        <div class="cap">
          <Marked text={label} reader={reader} />
        </div>
      )}
      <Tabular
        key={by}
        label={label}
        columns={columns.map(headOf)}
        rows={shown.map(cellsOf)}
        totals={totals.map((total) => ({
          label: <Marked text={total.label} reader={reader} />,
          value: <Value value={total.value} reader={reader} />,
        }))}
        tall={rows.length > SHORT}
        onEnd={onEnd}
      />
      {left > 0 && (
        <p class="unset left" role="status">
          {fill(reader.words.$more, formatNumber(String(left), reader))}
        </p>
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
    rows={block.items.map((of) => {
      const { label, cells, ...id } = of
      return { of, ...id, cells: [{ kind: 'text', text: label }, ...cells] }
    })}
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
  <Grid {...block} rows={block.rows.map((cells) => ({ of: cells, cells }))} sorts reader={reader} />
)
