// A figure whose drawing is a chart of bars: legend, bars, the dashed line of the period before, and its files.
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { AdminContext } from '../context.ts'
import { BarChart } from './bars.tsx'
import { Legend } from './charts.tsx'
import type { BarSeries, Drawn, Pointed } from './draw-bars.ts'
import { Figure, type Data } from './figure.tsx'
import { counted } from './numbers.ts'

interface BarFigureProps<Row> {
  readonly title: string
  readonly says: string
  readonly data: Data<Row>
  readonly labels: readonly string[]
  readonly series: readonly BarSeries[]
  /** The whole of each bar in the period before; of fewer or more bars, the last stand below the last. */
  readonly before?: readonly number[] | undefined
  readonly href: (at: Pointed) => string | undefined
  readonly app: AdminContext
}

const beforeWords = 'All of the period before'

export const BarFigure = <Row,>({ before, series, labels, ...figure }: BarFigureProps<Row>): VNode => {
  const drawn = useRef<Drawn | undefined>(undefined)
  const { title, href, app } = figure
  const aligned = before && labels.map((_, at) => before[before.length - labels.length + at] ?? 0)
  return (
    <Figure {...figure} png={() => drawn.current?.png() ?? Promise.resolve(undefined)}>
      <Legend parts={series} line={aligned && beforeWords} />
      <BarChart
        title={title}
        labels={labels}
        series={series}
        before={aligned && { label: beforeWords, values: aligned }}
        count={counted(app)}
        href={href}
        app={app}
        onDrawn={(now) => void (drawn.current = now)}
      />
    </Figure>
  )
}
