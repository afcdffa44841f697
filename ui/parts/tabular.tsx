// Rows of the same columns, as a table where they fit and stacked where they do not: what is cut off sideways is not
// read, and who scrolls sideways loses the row. A long one scrolls downwards under its head, and tells when its end has
// been in sight. The box takes a Tab stop only while there is something to scroll, and leaves it to rows that open: their
// keys scroll it.
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface TabularColumn {
  /** What a cell is called where it stands alone. */
  readonly label: ComponentChildren
  /** The head of a table's column, where it is more than the label. */
  readonly head?: ComponentChildren
  readonly sort?: 'ascending' | 'descending' | undefined
  /** Numbers stand at the end. */
  readonly end?: boolean
}

interface TabularProps {
  readonly label: string
  readonly columns: readonly TabularColumn[]
  /** Each with as many cells as there are columns, or less; the first names the row. */
  readonly rows: readonly (readonly ComponentChildren[])[]
  readonly totals?: readonly { readonly label: ComponentChildren; readonly value: ComponentChildren }[]
  /** Scrolls downwards in a box of its own. */
  readonly tall?: boolean
  /** The last row has been in sight. */
  readonly onEnd?: (() => void) | undefined
}

const alignOf = ({ end }: TabularColumn): string => (end ? 'num' : '')

/** Looks at the box after each drawing and whenever its size or that of its content changes. */
const useLook = (box: RefObject<HTMLElement | null>, content: unknown, look: (box: HTMLElement) => void): void => {
  const latest = useRef(look)
  latest.current = look
  useLayoutEffect(() => {
    if (box.current) look(box.current)
  })
  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const observer = new ResizeObserver(() => latest.current(current))
    for (const watched of [current, ...current.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [content])
}

export const Tabular = ({ label, columns, rows, totals = [], tall, onEnd }: TabularProps): VNode => {
  const box = useRef<HTMLDivElement>(null)
  /** The width that the table asked for when it did not fit; 0 while it does. */
  const [needed, need] = useState(0)
  const [scrolls, setScrolls] = useState(false)
  const stacked = needed > 0
  const look = (current: HTMLElement): void => {
    // A frame that is hidden has no size, and nothing in it was seen.
    if (current.clientHeight === 0) return
    const asked = current.querySelector('table')?.offsetWidth ?? 0
    if (asked > current.clientWidth) need(asked)
    else if (stacked && current.clientWidth >= needed) need(0)
    else if (current.scrollTop + current.clientHeight >= current.scrollHeight - 8) onEnd?.()
    setScrolls(current.scrollHeight > current.clientHeight && !current.querySelector('[aria-expanded]'))
  }
  useLook(box, stacked, look)
  return (
    <div
      class={`scroll${tall ? ' tall' : ''}`}
      ref={box}
      onScroll={(event) => look(event.currentTarget)}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
    >
      {stacked ? (
        <div class="stacked">
          {columns.some(({ head }) => head) && <p class="sorts">{columns.map(({ head }) => head)}</p>}
          <ul class="list rows">
            {rows.map((cells) => (
              <li>
                <dl class="fields">
                  {cells.map((cell, index) => (
                    <div>
                      <dt>{columns[index]?.label}</dt>
                      <dd>{cell}</dd>
                    </div>
                  ))}
                </dl>
              </li>
            ))}
          </ul>
          {totals.length > 0 && (
            <dl class="fields sums">
              {totals.map((total) => (
                <div>
                  <dt>{total.label}</dt>
                  <dd>{total.value}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={alignOf(column)} aria-sort={column.sort}>
                  {column.head ?? column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr>
                {columns.map((column, index) =>
                  index > 0 ? (
                    <td class={alignOf(column)}>{cells[index]}</td>
                  ) : (
                    <th scope="row" class={alignOf(column)}>
                      {cells[0]}
                    </th>
                  ),
                )}
              </tr>
            ))}
          </tbody>
          {totals.length > 0 && (
            <tfoot>
              {totals.map((total) => (
                <tr>
                  <th scope="row" colSpan={Math.max(1, columns.length - 1)}>
                    {total.label}
                  </th>
                  <td class="num">{total.value}</td>
                </tr>
              ))}
            </tfoot>
          )}
        </table>
      )}
    </div>
  )
}
