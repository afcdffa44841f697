// A chart of bars that one can ask: what a bar is stands beside it, a click leads to the calls behind it, and the arrow
// keys go from bar to bar. The drawing itself is loaded when the first one is wanted; the table below it needs none.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import type { AdminContext } from '../context.ts'
import type * as DrawBars from './draw-bars.ts'
import type { Bars, Drawn, Pointed } from './draw-bars.ts'

interface BarChartProps extends Omit<Bars, 'count'> {
  readonly count: Bars['count']
  /** The calls behind a bar, or a part of it; nothing where there is no address for them. */
  readonly href: (at: Pointed) => string | undefined
  readonly app: AdminContext
  /** Told what is drawn, and that nothing is any more. */
  readonly onDrawn: (drawn: Drawn | undefined) => void
}

/** Counts up when the page changes between light and dark. */
const useThemeTurns = (): number => {
  const [turns, turn] = useState(0)
  useEffect(() => {
    const look = (): void => turn((count) => count + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(look)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    system.addEventListener('change', look)
    return () => {
      chosen.disconnect()
      system.removeEventListener('change', look)
    }
  }, [])
  return turns
}

export const BarChart = (props: BarChartProps): VNode => {
  const { title, labels, series, before, count, href, app, onDrawn } = props
  const plot = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [at, point] = useState<Pointed | undefined>(undefined)
  /** By which means, since only what the keys reach is said aloud. */
  const [byKeys, setByKeys] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const turns = useThemeTurns()
  const shown = JSON.stringify([labels, series, before])

  useEffect(() => {
    let isGone = false
    const draw = ({ drawBars }: typeof DrawBars): void => {
      if (isGone || plot.current === null) return
      drawn.current = drawBars(plot.current, {
        title,
        labels,
        series,
        before,
        count,
        onPoint: (pointed) => {
          setByKeys(false)
          point(pointed)
        },
        onPress: (pointed) => open(pointed),
      })
      onDrawn(drawn.current)
    }
    import('./draw-bars.ts').then(draw, () => setMissing(true))
    return () => {
      isGone = true
      drawn.current?.remove()
      drawn.current = undefined
      onDrawn(undefined)
    }
  }, [shown, turns])

  const open = (pointed: Pointed): void => {
    const address = latest.current.href(pointed) ?? latest.current.href({ bar: pointed.bar, part: undefined })
    if (address !== undefined) app.go(address)
  }
  const press = (event: KeyboardEvent): void => {
    const last = labels.length - 1
    const now = at?.bar
    const next: Readonly<Record<string, number | undefined>> = {
      ArrowRight: Math.min(last, (now ?? -1) + 1),
      ArrowLeft: Math.max(0, (now ?? last + 1) - 1),
      Home: 0,
      End: last,
    }
    const bar = next[event.key]
    if (bar !== undefined) {
      setByKeys(true)
      point({ bar, part: undefined })
    } else if (event.key === 'Enter' && at !== undefined) open(at)
    else if (event.key === 'Escape') point(undefined)
    else return
    event.preventDefault()
  }

  const said = at === undefined ? undefined : wordsOf(props, at.bar)
  return (
    <div
      class={at !== undefined && href(at) !== undefined ? 'bars leads' : 'bars'}
      role="group"
      aria-roledescription="chart"
      aria-label={`${title}. Arrow keys go from bar to bar, Enter opens the calls of one. The same numbers are in the table below.`}
      tabIndex={0}
      onKeyDown={press}
      onBlur={() => point(undefined)}
    >
      <div class="plot" ref={plot} />
      {isMissing && (
        <Note tone="danger" sign="×" spoken="Error" alert>
          <b>The chart did not arrive.</b> Its numbers are in the table below. Reload this page: its server may have
          been replaced by another version since it was opened.
        </Note>
      )}
      {at !== undefined && said !== undefined && (
        <Tip at={drawn.current?.middleOf(at.bar)} width={plot.current?.clientWidth ?? 0}>
          {said}
        </Tip>
      )}
      <p class="sr" role="status" aria-live="polite">
        {byKeys && said !== undefined ? `${said.title}: ${said.lines.join(', ')}` : ''}
      </p>
    </div>
  )
}

interface Words {
  readonly title: string
  readonly lines: readonly string[]
}

/** What a bar is, part by part from the top; a part that is not there is not named. */
const wordsOf = (
  { labels, series, before, count }: Pick<BarChartProps, 'labels' | 'series' | 'before' | 'count'>,
  bar: number,
): Words => {
  const parts = series.toReversed().flatMap(({ label, values }) => {
    const value = values[bar] ?? 0
    return value === 0 ? [] : [`${label} ${count(value)}`]
  })
  return {
    title: labels[bar] ?? '',
    lines: [
      ...(parts.length === 0 ? ['None'] : parts),
      ...(before === undefined ? [] : [`${before.label} ${count(before.values[bar] ?? 0)}`]),
    ],
  }
}

/** Beside the bar, on the side where there is room. */
const Tip = ({
  at = 0,
  width,
  children: { title, lines },
}: {
  readonly at: number | undefined
  readonly width: number
  readonly children: Words
}): VNode => (
  <div
    class="tip"
    aria-hidden="true"
    style={at > width / 2 ? { right: `${width - at + 12}px` } : { left: `${at + 12}px` }}
  >
    <b>{title}</b>
    {lines.map((line) => (
      <span>{line}</span>
    ))}
  </div>
)
