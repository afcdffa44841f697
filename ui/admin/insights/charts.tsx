// Charts that everybody can read: drawn as SVG without a library, in words for those who hear them, and each with the same
// numbers as a table. Labels are HTML beside the drawing, so that they grow with the reader's text and wrap on a phone;
// only lengths are drawn. What a colour says is said by a legend and by the order as well.
import type { ComponentChildren, VNode } from 'preact'

/** One part of a stack. `look` is a class: `done`, `waiting`, `failed`, `one` … `six`. */
export interface Part {
  readonly look: string
  readonly label: string
  readonly value: number
}

interface FigureProps {
  /** What is drawn, and what it says: the text of the drawing. */
  readonly title: string
  readonly says: string
  readonly table: VNode
  readonly children: ComponentChildren
}

/** A drawing with its words and its table. */
export const Figure = ({ title, says, table, children }: FigureProps): VNode => (
  <figure class="chart">
    <figcaption>
      <b>{title}</b> <span class="lead">{says}</span>
    </figcaption>
    {children}
    <details>
      <summary>As a table</summary>
      <div class="many-columns">{table}</div>
    </details>
  </figure>
)

/** What the looks mean. */
export const Legend = ({ parts }: { readonly parts: readonly Pick<Part, 'look' | 'label'>[] }): VNode => (
  <ul class="row-facts minor legend">
    {parts.map(({ look, label }) => (
      <li>
        <svg class={`key ${look}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <rect width="10" height="10" />
        </svg>
        {label}
      </li>
    ))}
  </ul>
)

/** Ends of the parts one after another, with a hair of space between. */
const stacked = (parts: readonly Part[]): readonly (Part & { readonly from: number })[] => {
  let from = 0
  return parts
    .filter(({ value }) => value > 0)
    .map((part) => {
      const placed = { ...part, from }
      from += part.value
      return placed
    })
}

/** One bar of several parts, as long as its share of `most`. */
export const StackedBar = ({ parts, most }: { readonly parts: readonly Part[]; readonly most: number }): VNode => {
  const scale = 1000 / Math.max(1, most)
  return (
    <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {stacked(parts).map(({ look, value, from }) => (
        <rect class={look} x={from * scale} width={Math.max(2, value * scale - 2)} height="10" />
      ))}
    </svg>
  )
}

export interface Column {
  readonly label: string
  readonly parts: readonly Part[]
}

const sum = (parts: readonly Part[]): number => parts.reduce((total, { value }) => total + value, 0)

/** Columns over time, the parts of each stacked from the ground. */
export const Columns = ({
  columns,
  from,
  to,
  count,
}: {
  readonly columns: readonly Column[]
  /** Where the time begins and where it ends. */
  readonly from: string
  readonly to: string
  readonly count: (value: number) => string
}): VNode => {
  const most = Math.max(1, ...columns.map(({ parts }) => sum(parts)))
  const scale = 100 / most
  return (
    <div class="columns" aria-hidden="true">
      <span class="most">{count(most)}</span>
      <svg viewBox={`0 0 ${columns.length * 10} 100`} preserveAspectRatio="none">
        {columns.map(({ label, parts }, at) => (
          <g>
            <title>{`${label}: ${parts.map((part) => `${part.label} ${count(part.value)}`).join(', ')}`}</title>
            {stacked(parts).map(({ look, value, from }) => (
              <rect
                class={look}
                x={at * 10 + 1}
                width="8"
                y={100 - (from + value) * scale}
                height={Math.max(0.6, value * scale - 0.6)}
              />
            ))}
          </g>
        ))}
      </svg>
      <span class="first">{from}</span>
      <span class="last">{to}</span>
    </div>
  )
}

/** How a number went, as a line without axes. */
export const Sparkline = ({ values }: { readonly values: readonly number[] }): VNode => {
  const most = Math.max(1, ...values)
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  const points = values.map((value, at) => `${(at * step).toFixed(1)},${(22 - (value / most) * 20).toFixed(1)}`)
  return (
    <svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      {values.length > 1 ? (
        <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
      ) : (
        <polyline points="0,22 100,22" vector-effect="non-scaling-stroke" />
      )}
    </svg>
  )
}
