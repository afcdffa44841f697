// When the rows were written that the list shows. A stretch of it is chosen by dragging over the bars, or by writing its ends;
// either sets the filters of time, so that it is in the address.
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Outcome } from '../../../server/model/outcome.ts'
import type { AppProps } from '../context.ts'
import { useLoaded, type Loading } from '../load.ts'
import { Table } from '../table.tsx'
import { Exact } from '../times.tsx'
import type { Bars } from '../shapes.ts'

type Query = Readonly<Record<string, string>>
type Group = 'done' | 'asked' | 'refused' | 'failed'

const groupOf: Readonly<Record<Outcome | 'open', Group>> = {
  ok: 'done',
  applied: 'done',
  replayed: 'done',
  previewed: 'asked',
  awaiting_approval: 'asked',
  running: 'asked',
  open: 'asked',
  refused: 'refused',
  mismatch: 'refused',
  stale: 'refused',
  failed: 'failed',
  outcome_unknown: 'failed',
}

/** From the foot of a bar up. */
const groups = [
  ['done', 'done'],
  ['asked', 'asked for'],
  ['refused', 'refused'],
  ['failed', 'failed'],
] as const satisfies readonly (readonly [Group, string])[]

interface Slot {
  readonly at: number
  readonly counts: Readonly<Record<Group, number>>
  readonly total: number
}

/** All bars, those without rows as well. */
const slotsOf = ({ bars_from, until, step_ms: step, bars }: Bars): readonly Slot[] => {
  const first = Date.parse(bars_from)
  const byTime = new Map(bars.map((bar) => [Date.parse(bar.time), bar.outcomes]))
  return Array.from({ length: Math.max(1, Math.ceil((Date.parse(until) - first) / step)) }, (_, index) => {
    const at = first + index * step
    const counts = { done: 0, asked: 0, refused: 0, failed: 0 }
    for (const [outcome, rows] of Object.entries(byTime.get(at) ?? {}))
      counts[Object.hasOwn(groupOf, outcome) ? groupOf[outcome as Outcome] : 'asked'] += rows
    return { at, counts, total: counts.done + counts.asked + counts.refused + counts.failed }
  })
}

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
  const { state, value } = useLoaded(app, key, (api) => api.activity.histogram.$get({ query }), turn)
  useFresh(fresh, isPending(state), () => setTurn((count) => count + 1))
  if (value === undefined) return null
  const slots = slotsOf(value)
  const chosen = query['since'] !== undefined || query['until'] !== undefined
  return (
    <figure class="timeline">
      <Columns slots={slots} step={value.step_ms} onRange={onRange} />
      <figcaption class="minor">
        <Exact iso={value.since} app={app} /> to <Exact iso={value.until} app={app} />: {totals(slots, app)}
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
        {chosen && (
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
            { label: 'From', cell: ({ at }) => <Exact iso={new Date(at).toISOString()} app={app} /> },
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

const totals = (slots: readonly Slot[], { reader }: AppProps['app']): string => {
  const numbers = new Intl.NumberFormat(reader.locale ?? 'en')
  const parts = groups.flatMap(([group, words]) => {
    const rows = slots.reduce((sum, { counts }) => sum + counts[group], 0)
    return rows === 0 ? [] : [`${numbers.format(rows)} ${words}`]
  })
  return parts.length === 0 ? 'nothing.' : `${parts.join(', ')}.`
}

/** The bars. Who drags over them chooses those that were touched; a click chooses one. */
const Columns = ({
  slots,
  step,
  onRange,
}: Pick<TimelineProps, 'onRange'> & { readonly slots: readonly Slot[]; readonly step: number }): VNode => {
  const [drag, setDrag] = useState<readonly [from: number, to: number] | undefined>(undefined)
  const area = useRef<HTMLDivElement>(null)
  const slotAt = (event: PointerEvent): number => {
    const box = area.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return 0
    const index = Math.floor(((event.clientX - box.left) / box.width) * slots.length)
    return Math.min(Math.max(index, 0), slots.length - 1)
  }
  const [from, to] = drag === undefined ? [0, -1] : [Math.min(...drag), Math.max(...drag)]
  const finish = (): void => {
    const [first, last] = [slots[from], slots[to]]
    setDrag(undefined)
    if (drag !== undefined && first !== undefined && last !== undefined)
      onRange({ since: new Date(first.at).toISOString(), until: new Date(last.at + step).toISOString() })
  }
  const most = Math.max(1, ...slots.map(({ total }) => total))
  return (
    <div
      class="timeline-bars"
      ref={area}
      title="Drag to choose a time"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        area.current?.setPointerCapture(event.pointerId)
        const at = slotAt(event)
        setDrag([at, at])
      }}
      onPointerMove={(event) => drag !== undefined && setDrag([drag[0], slotAt(event)])}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(undefined)}
    >
      <svg viewBox={`0 0 ${slots.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {drag !== undefined && <rect class="chosen" x={from} y={0} width={to - from + 1} height={100} />}
        {slots.map((slot, index) => {
          let foot = 100
          return groups.map(([group]) => {
            const height = (slot.counts[group] / most) * 96
            foot -= height
            return height === 0 ? null : <rect class={group} x={index + 0.12} y={foot} width={0.76} height={height} />
          })
        })}
      </svg>
    </div>
  )
}

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
