// Line items with their totals. Identifiers stand in monospace beside the name; numbers line up on the right.
import type { VNode } from 'preact'
import type { Labelled } from './fields.tsx'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Scroll } from './scroll.tsx'
import { Value, type ShownValue } from './value.tsx'

interface LinesProps {
  readonly block: {
    readonly columns: readonly { readonly label: string; readonly align?: 'start' | 'end' }[]
    readonly itemLabel: string
    readonly items: readonly { readonly id?: string; readonly label: string; readonly cells: readonly ShownValue[] }[]
    readonly totals?: readonly Labelled[]
  }
  readonly reader: Reader
}

const numeric = (value: ShownValue | undefined): boolean => value?.kind === 'number' || value?.kind === 'money'

export const Lines = ({ block, reader }: LinesProps): VNode => {
  const { columns, items, totals = [] } = block
  const alignOf = (column: number): string =>
    (columns[column]?.align ?? (numeric(items[0]?.cells[column]) ? 'end' : 'start')) === 'end' ? 'num' : ''
  return (
    <Scroll label={block.itemLabel}>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">
              <Marked text={block.itemLabel} reader={reader} />
            </th>
            {columns.map((column, index) => (
              <th scope="col" class={alignOf(index)}>
                <Marked text={column.label} reader={reader} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              <th scope="row">
                <Marked text={item.label} reader={reader} />
                {item.id !== undefined && (
                  <>
                    {' '}
                    <code class="id">
                      <Marked text={item.id} reader={reader} />
                    </code>
                  </>
                )}
              </th>
              {columns.map((_, index) => {
                const cell = item.cells[index]
                return <td class={alignOf(index)}>{cell && <Value value={cell} reader={reader} />}</td>
              })}
            </tr>
          ))}
        </tbody>
        {totals.length > 0 && (
          <tfoot>
            {totals.map((total) => (
              <tr>
                <th scope="row" colSpan={Math.max(1, columns.length)}>
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
  )
}
