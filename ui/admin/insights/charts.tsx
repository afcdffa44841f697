// Small drawings as SVG without a library: bars in rows, whose labels are HTML beside them, so that they grow with the
// reader's text and wrap on a phone; only lengths are drawn. What a colour says is said by a legend and by the order as well.
import type { VNode } from 'preact'

/** One part of a stack. `look` is a class: `done`, `waiting`, `failed`, `one` … `six`. */
export interface Part {
  readonly look: string
  readonly label: string
  readonly value: number
}

/** What the looks mean. `line`: the dashed line of the period before. */
export const Legend = ({
  parts,
  line,
}: {
  readonly parts: readonly Pick<Part, 'look' | 'label'>[]
  readonly line?: string | undefined
}): VNode => (
  <ul class="row-facts minor legend">
    {parts.map(({ look, label }) => (
      <li>
        <svg class={`key ${look}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <rect width="10" height="10" />
        </svg>
        {label}
      </li>
    ))}
    {line !== undefined && (
      <li>
        <svg class="key dashes" viewBox="0 0 18 10" width="18" height="10" aria-hidden="true">
          <path d="M0 5h18" />
        </svg>
        {line}
      </li>
    )}
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

interface StackedBarProps {
  readonly parts: readonly Part[]
  readonly most: number
  readonly count: (value: number) => string
  /** Leads to the calls of a part. The table below a chart has the same ways as links. */
  readonly onPart?: (part: Part) => void
}

/** One bar of several parts, as long as its share of `most`. */
export const StackedBar = ({ parts, most, count, onPart }: StackedBarProps): VNode => {
  const scale = 1000 / Math.max(1, most)
  return (
    <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {stacked(parts).map(({ from, ...part }) => (
        <rect
          class={onPart === undefined ? part.look : `${part.look} leads`}
          x={from * scale}
          width={Math.max(2, part.value * scale - 2)}
          height="10"
          onClick={onPart && (() => onPart(part))}
        >
          <title>{`${part.label}: ${count(part.value)}`}</title>
        </rect>
      ))}
    </svg>
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
