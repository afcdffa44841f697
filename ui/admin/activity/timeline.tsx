// When the rows were written that the list shows. A stretch of it is chosen on the bars, or by writing its ends; either sets the filters of time, so that it is in the address.
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AppProps } from '../context.ts'
import { useLoaded, type Loading } from '../load.ts'
import { Table } from '../table.tsx'
import { Exact } from '../times.tsx'
import { groups, slotsOf, totals, type Slot } from './slots.ts'
import { TimelineBars, type Chosen } from './timeline-bars.tsx'

type Query = Readonly<Record<string, string>>
interface TimelineProps {
  readonly query: Query
  /** Rows that came while the list was open. */
  readonly fresh: number
  /** Sets ends of the time; `undefined` takes one away. */
  readonly onRange: (range: { readonly since?: string | undefined; readonly until?: string | undefined }) => void
}

/** The bars are counted over many rows, so live ones wait for each other so long, in milliseconds. */
const everyCount = 15_000

const isPending = (state: Loading<unknown>['state']): boolean =>
  state.at === 'loading' || (state.at === 'ready' && state.stale && state.trouble === undefined)

/** Calls a while after rows came that are not drawn yet, and never while an answer is awaited. */
const useFresh = (fresh: number, waits: boolean, count: () => void): void => {
  const drawn = useRef(fresh)
  const latest = useRef(fresh)
  latest.current = fresh
  // Another question, whose list begins anew.
  drawn.current = Math.min(drawn.current, fresh)
  const isBehind = fresh > drawn.current
  useEffect(() => {
    if (waits || !isBehind) return undefined
    const timer = setTimeout(() => {
      drawn.current = latest.current
      count()
    }, everyCount)
    return () => clearTimeout(timer)
  }, [waits, isBehind])
}

/** Bars over the time of the filters, and the ends of that time. */
export const Timeline = ({ app, query, fresh, onRange }: AppProps<TimelineProps>): VNode | null => {
  const key = new URLSearchParams(query).toString()
  const [turn, setTurn] = useState(0)
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const { state, value: counted } = useLoaded(app, key, (api) => api.activity.histogram.$get({ query }), turn)
  // While other bars are counted these stay, and with them the keyboard's place.
  const latest = useRef(counted)
  if (counted !== undefined) latest.current = counted
  const value = latest.current
  // A choice is one of bars: of other bars it would mean another time.
  useEffect(() => setChosen(undefined), [value?.bars_from, value?.step_ms])
  useFresh(fresh, isPending(state), () => setTurn((count) => count + 1))
  if (value === undefined) return null
  const slots = slotsOf(value)
  const stretch = chosen === undefined ? [] : slots.slice(Math.min(...chosen), Math.max(...chosen) + 1)
  const [from, to] = [stretch[0], stretch.at(-1)]
  const isLimited = query['since'] !== undefined || query['until'] !== undefined
  return (
    <figure class="timeline">
      <TimelineBars
        slots={slots}
        locale={app.reader.locale}
        chosen={chosen}
        onChoose={setChosen}
        onChosen={() => {
          setChosen(undefined)
          if (from !== undefined && to !== undefined)
            onRange({ since: isoOf(from.at), until: isoOf(to.at + value.step_ms) })
        }}
      />
      <figcaption class="minor">
        <Exact iso={from === undefined ? value.since : isoOf(from.at)} app={app} /> to{' '}
        <Exact iso={to === undefined ? value.until : isoOf(to.at + value.step_ms)} app={app} />:{' '}
        {totals(from === undefined ? slots : stretch, app.reader.locale)}
        {value.counted_from !== null && (
          <>
            {' '}
            Counted from <Exact iso={value.counted_from} app={app} /> on; there are more before.
          </>
        )}
      </figcaption>
      <div class="timeline-ends filters">
        <End label="From" iso={value.since} onEnd={(since) => onRange({ since })} />
        <End
          label="To"
          iso={query['until'] === undefined ? undefined : value.until}
          onEnd={(until) => onRange({ until })}
        />
        {isLimited && (
          <button type="button" class="quiet" onClick={() => onRange({ since: undefined, until: undefined })}>
            All time
          </button>
        )}
      </div>
      <details>
        <summary>As a table</summary>
        <Table
          label="Rows by time"
          rows={slots.filter(({ total }) => total > 0)}
          id={({ at }) => String(at)}
          columns={[
            { label: 'From', cell: ({ at }) => <Exact iso={isoOf(at)} app={app} /> },
            ...groups.map(([group, words]) => ({
              label: `${words[0]?.toUpperCase()}${words.slice(1)}`,
              align: 'end' as const,
              cell: ({ counts }: Slot) => counts[group],
            })),
          ]}
        />
      </details>
    </figure>
  )
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** One end of the time, as the reader's clock has it; empty where there is none. What somebody types is left alone. */
const End = ({
  label,
  iso,
  onEnd,
}: {
  readonly label: string
  readonly iso: string | undefined
  readonly onEnd: (iso: string) => void
}): VNode => {
  const shown = iso === undefined ? '' : localTime(iso)
  const field = useRef<HTMLInputElement>(null)
  /** What stood there before somebody typed. */
  const before = useRef(shown)
  const show = (): void => {
    if (field.current !== null) field.current.value = shown
    before.current = shown
  }
  useLayoutEffect(() => {
    if (field.current !== document.activeElement) show()
  }, [shown])
  const commit = (input: HTMLInputElement): boolean => {
    const at = new Date(input.value).getTime()
    if (input.value === before.current || Number.isNaN(at)) return false
    before.current = input.value
    onEnd(new Date(at).toISOString())
    return true
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="datetime-local"
        step={1}
        ref={field}
        onBlur={(event) => {
          if (!commit(event.currentTarget)) show()
        }}
        onKeyDown={(event) => event.key === 'Enter' && commit(event.currentTarget)}
      />
    </label>
  )
}

/** `2026-01-31T12:00:00` in the reader's zone, as the input has it. */
const localTime = (iso: string): string => {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
