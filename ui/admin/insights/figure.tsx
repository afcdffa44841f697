// A drawing for those who see it, its sense in a sentence, and the same numbers as a table, from which each leads to the
// calls that it counts. The table is what is saved as CSV; the drawing as PNG.
import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { csvCell } from '../../../server/http/activity/csv-cell.ts'
import type { AdminContext } from '../context.ts'
import { Marked } from '../../parts/marked.tsx'
import { Table } from '../table.tsx'
import { counted } from './numbers.ts'

type Value = string | number | null

export interface DataColumn<Row> {
  readonly label: string
  readonly value: (row: Row) => Value
  /** The calls behind the value. */
  readonly href?: (row: Row) => string | undefined
  /** The value in words, where it is another one than in a file. */
  readonly words?: (row: Row) => string
  readonly wide?: true
}

/** Numbers of a drawing. The first column names the row. */
export interface Data<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly DataColumn<Row>[]
}

interface FigureProps<Row> {
  readonly title: string
  /** What the drawing says. */
  readonly says: string
  readonly data: Data<Row>
  readonly app: AdminContext
  /** The drawing as a file; nothing while it is not drawn. */
  readonly png: (figure: Element) => Promise<Blob | undefined>
  readonly children: ComponentChildren
}

/** A drawing with its words, its table and its files. */
export const Figure = <Row,>({ title, says, data, app, png, children }: FigureProps<Row>): VNode => {
  const figure = useRef<HTMLElement>(null)
  const savePng = async (): Promise<void> => {
    const blob = figure.current === null ? undefined : await png(figure.current)
    if (blob === undefined) app.say('The drawing is not there yet. Try again in a moment.', 'danger')
    else save(blob, fileName(data.label, 'png'))
  }
  return (
    <figure class="chart" ref={figure}>
      <figcaption>
        <b>{title}</b> <span class="lead">{says}</span>
      </figcaption>
      {children}
      <div class="chart-foot">
        <details>
          <summary>As a table</summary>
          <div class="many-columns">
            <DataTable data={data} app={app} />
          </div>
        </details>
        <div class="buttons" role="group" aria-label={`Save: ${data.label}`}>
          <button type="button" class="small quiet" onClick={() => save(csvOf(data), fileName(data.label, 'csv'))}>
            Save as CSV
          </button>
          <button type="button" class="small quiet" onClick={() => void savePng()}>
            Save as PNG
          </button>
        </div>
      </div>
    </figure>
  )
}

interface Numbered<Row> {
  readonly row: Row
  readonly at: number
}

const DataTable = <Row,>({ data, app }: { readonly data: Data<Row>; readonly app: AdminContext }): VNode => {
  const count = counted(app)
  const rows = data.rows.map((row, at): Numbered<Row> => ({ row, at }))
  const numeric = (column: DataColumn<Row>): boolean => data.rows.some((row) => typeof column.value(row) === 'number')
  return (
    <Table
      label={data.label}
      rows={rows}
      id={({ at }) => String(at)}
      columns={data.columns.map((column) => ({
        label: column.label,
        ...(numeric(column) ? { align: 'end' as const } : {}),
        wide: column.wide === true,
        cell: ({ row }: Numbered<Row>) => {
          const value = column.value(row)
          const text = column.words?.(row) ?? (typeof value === 'number' ? count(value) : (value ?? '–'))
          const href = value === 0 || value === null ? undefined : column.href?.(row)
          const shown = <Marked text={text} reader={app.reader} />
          return href === undefined ? shown : <a href={href}>{shown}</a>
        },
      }))}
    />
  )
}

const csvOf = <Row,>({ columns, rows }: Data<Row>): Blob => {
  const lines = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ value }) => value(row)))]
  // Spreadsheets read UTF-8 only where a byte order mark says so.
  return new Blob([`\uFEFF${lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('')}`], {
    type: 'text/csv;charset=utf-8',
  })
}

const fileName = (label: string, ending: string): string => {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${words.join('-')}-${new Date().toISOString().slice(0, 10)}.${ending}`
}

const save = (blob: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
