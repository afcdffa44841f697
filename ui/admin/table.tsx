// A table on a wide screen, a list of small sheets on a narrow one, from the same rows. The roles are written out,
// because a cell that CSS lays out as a block is no cell to a screen reader any more.
import type { ComponentChildren, VNode } from 'preact'
import type { Pages } from './load.ts'

export interface Column<R> {
  readonly label: string
  /** Numbers stand at the end. */
  readonly align?: 'end'
  /** Takes what the others leave; at most one column. */
  readonly wide?: boolean
  readonly cell: (row: R) => ComponentChildren
}

interface TableProps<R> {
  /** Of the table, for a layout of its own. */
  readonly kind?: string
  /** What the rows are; read out, and not drawn unless `shown`. */
  readonly label: string
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  readonly id: (row: R) => string
  /** Stands in its place where there are no rows. */
  readonly empty?: VNode
  /** Marks a row: what was opened last, what is new. */
  readonly mark?: (row: R) => 'current' | 'new' | undefined
}

const lookOf = ({ align, wide }: Pick<Column<never>, 'align' | 'wide'>): string =>
  `${align === 'end' ? 'num' : ''} ${wide ? 'wide' : ''}`

/** Rows of the same columns. The first column names the row: put the link there. */
export const Table = <R,>({ kind = '', label, columns, rows, id, empty, mark }: TableProps<R>): VNode =>
  rows.length === 0 && empty !== undefined ? (
    empty
  ) : (
    <table class={`rows ${kind}`} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col" class={lookOf(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={id(row)} class={mark?.(row) ?? ''}>
            {columns.map((column, index) => {
              const look = lookOf(column)
              const content = column.cell(row)
              return index === 0 ? (
                <th role="rowheader" scope="row" class={look}>
                  {content}
                </th>
              ) : (
                <td role="cell" class={look} data-label={column.label}>
                  {content}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )

/** The next page of a list of `usePages`. */
export const MorePages = <T extends { readonly next: string | null }>(props: {
  readonly first: T
  readonly pages: Pages<T>
}): VNode | null => {
  const { first, pages } = props
  return <More next={(pages.further.at(-1) ?? first).next} busy={pages.busy} onMore={pages.more} />
}

/** The next page of a list that is read by a cursor. */
export const More = ({
  next,
  busy,
  onMore,
}: {
  readonly next: string | null
  readonly busy: boolean
  readonly onMore: (next: string) => void
}): VNode | null =>
  next === null ? null : (
    <p class="more">
      <button type="button" disabled={busy} onClick={() => onMore(next)}>
        {busy ? 'Loading…' : 'Show more'}
      </button>
    </p>
  )
