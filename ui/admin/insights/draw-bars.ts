// Bars of stacked parts by uPlot, on a canvas. It is loaded with the first drawing, so that other pages do without it.
import uPlot from 'uplot'
import { fillOf, inkOf, pictureOf } from './picture.ts'

export interface BarSeries {
  /** A class whose `fill` is the colour. */
  readonly look: string
  readonly label: string
  /** One for each bar. */
  readonly values: readonly number[]
}

export interface Bars {
  readonly title: string
  readonly labels: readonly string[]
  /** From the ground up. */
  readonly series: readonly BarSeries[]
  /** The whole of each bar in the period before. */
  readonly before?: { readonly label: string; readonly values: readonly number[] } | undefined
  readonly count: (value: number) => string
}

/** What somebody points at: a bar, and the part of it. */
export interface Pointed {
  readonly bar: number
  readonly part: number | undefined
}

export interface Drawn {
  /** Where the middle of a bar is, in pixels from the left of the drawing. */
  readonly middleOf: (bar: number) => number
  readonly png: () => Promise<Blob | undefined>
  readonly remove: () => void
}

interface DrawOptions extends Bars {
  readonly onPoint: (at: Pointed | undefined) => void
  readonly onPress: (at: Pointed) => void
}

const HEIGHT = 190

/** Draws into an element, as wide as it is, until it is removed. */
export function drawBars(into: HTMLElement, options: DrawOptions): Drawn {
  const { labels, series, before, count, onPoint, onPress } = options
  const ink = inkOf(into)
  const colours = series.map(({ look }) => fillOf(into, look))
  const tops = series.map((_, part) => labels.map((_, bar) => sumTo(series, part, bar)))
  const wholes = tops.at(-1) ?? []
  const most = Math.max(1, ...wholes, ...(before?.values ?? []))
  // The highest first: the lower ones are painted over it. Where there is no bar, its edge would break the ground line.
  const stacked = tops
    .map((values, part) => ({ part, values: values.map((top, bar) => (wholes[bar] === 0 ? null : top)) }))
    .toReversed()
  const font = `12px ${ink.font}`
  const plot = new uPlot(
    {
      width: into.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.6, labels.length - 0.4] },
        y: { range: () => [0, most * 1.05] },
      },
      axes: [
        {
          font,
          stroke: ink.text,
          grid: { show: false },
          ticks: { show: false },
          size: 28,
          space: labelRoom(labels),
          incrs: [1, 2, 3, 4, 5, 7, 10, 14, 20, 30],
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? (labels[at] ?? '') : '')),
        },
        {
          font,
          stroke: ink.text,
          size: (_, values) => 14 + 7 * Math.max(1, ...(values ?? []).map((value) => value.length)),
          grid: { stroke: ink.line, width: 1 },
          ticks: { show: false },
          space: 34,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 5e6, 1e7],
          values: (_, splits) => splits.map((value) => count(value)),
        },
      ],
      series: [
        {},
        ...stacked.map(({ part }) => ({
          fill: colours[part] ?? ink.text,
          stroke: ink.page,
          width: 1,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        })),
        ...(before === undefined
          ? []
          : [{ stroke: ink.strong, width: 1.5, dash: [4, 4], points: { show: labels.length === 1 } }]),
      ],
    },
    [
      labels.map((_, at) => at),
      ...stacked.map(({ values }) => values),
      ...(before === undefined ? [] : [[...before.values]]),
    ],
    into,
  )

  const pointed = (event: MouseEvent): Pointed | undefined => {
    const box = plot.over.getBoundingClientRect()
    const bar = Math.round(plot.posToVal(event.clientX - box.left, 'x'))
    if (labels[bar] === undefined) return undefined
    const height = plot.posToVal(event.clientY - box.top, 'y')
    const part = tops.findIndex((values) => height <= (values[bar] ?? 0))
    return { bar, part: part < 0 ? undefined : part }
  }
  const move = (event: MouseEvent): void => onPoint(pointed(event))
  const leave = (): void => onPoint(undefined)
  const press = (event: MouseEvent): void => {
    const at = pointed(event)
    if (at !== undefined) onPress(at)
  }
  plot.over.addEventListener('mousemove', move)
  plot.over.addEventListener('mouseleave', leave)
  plot.over.addEventListener('click', press)
  const sized = new ResizeObserver(() => {
    if (into.clientWidth > 0 && into.clientWidth !== plot.width)
      plot.setSize({ width: into.clientWidth, height: HEIGHT })
  })
  sized.observe(into)

  return {
    middleOf: (bar) => plot.valToPos(bar, 'x') + plot.over.offsetLeft,
    png: () =>
      pictureOf({
        title: options.title,
        keys: [
          ...series.map(({ label }, part) => ({ label, colour: colours[part] ?? ink.text })),
          ...(before === undefined ? [] : [{ label: before.label, colour: ink.strong }]),
        ],
        ink,
        width: plot.width,
        height: HEIGHT,
        draw: (ctx) => ctx.drawImage(plot.ctx.canvas, 0, 0, plot.width, HEIGHT),
      }),
    remove: () => {
      sized.disconnect()
      plot.destroy()
    },
  }
}

const bars = uPlot.paths.bars?.({ size: [0.8, 64] })

const sumTo = (series: readonly BarSeries[], part: number, bar: number): number =>
  series.slice(0, part + 1).reduce((sum, { values }) => sum + (values[bar] ?? 0), 0)

/** How far apart labels are, in pixels, so that none touches the next. */
const labelRoom = (labels: readonly string[]): number => 18 + 6.5 * Math.max(...labels.map(({ length }) => length))
