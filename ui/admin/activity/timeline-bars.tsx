// The bars themselves, of which somebody chooses a stretch: by dragging over them (a click chooses one), or by the keys of a
// list of which several may be chosen. Arrow keys go from bar to bar, with Shift they take more, Enter chooses.
import type { VNode } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { exactTime } from '../times.tsx'
import { groups, totals, type Slot } from './slots.ts'

/** The bar where a choice began, and the one where it is now. */
export type Chosen = readonly [anchor: number, active: number]

interface TimelineBarsProps {
  readonly slots: readonly Slot[]
  readonly locale: string | undefined
  readonly chosen: Chosen | undefined
  readonly onChoose: (chosen: Chosen | undefined) => void
  /** The choice is made. */
  readonly onChosen: () => void
}

export const TimelineBars = ({ slots, locale, chosen, onChoose, onChosen }: TimelineBarsProps): VNode => {
  const area = useRef<HTMLDivElement>(null)
  const isDragged = useRef(false)
  const id = useId()
  const last = slots.length - 1
  const slotAt = (event: PointerEvent): number => {
    const box = area.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return 0
    const index = Math.floor(((event.clientX - box.left) / box.width) * slots.length)
    return Math.min(Math.max(index, 0), last)
  }
  const active = chosen === undefined ? undefined : Math.min(chosen[1], last)
  const keys: Readonly<Record<string, (() => number | undefined) | undefined>> = {
    // Who begins, begins with the newest.
    ArrowLeft: () => (active === undefined ? last : Math.max(active - 1, 0)),
    ArrowRight: () => (active === undefined ? last : Math.min(active + 1, last)),
    Home: () => 0,
    End: () => last,
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const to = keys[event.key]?.()
    if (to !== undefined) onChoose([event.shiftKey ? (chosen?.[0] ?? to) : to, to])
    else if (chosen !== undefined && (event.key === 'Enter' || event.key === ' ')) onChosen()
    else if (chosen !== undefined && event.key === 'Escape') {
      isDragged.current = false
      onChoose(undefined)
    } else return
    event.preventDefault()
  }
  const [from, to] = chosen === undefined ? [0, -1] : [Math.min(...chosen), Math.max(...chosen)]
  const most = Math.max(1, ...slots.map(({ total }) => total))
  return (
    <div
      class="timeline-bars"
      role="listbox"
      aria-label="Rows by time"
      aria-orientation="horizontal"
      aria-multiselectable="true"
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      tabIndex={0}
      ref={area}
      title="Drag to choose a time, or use the arrow keys, with Shift for more than one bar, and Enter"
      onKeyDown={press}
      onBlur={() => onChoose(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        area.current?.setPointerCapture(event.pointerId)
        isDragged.current = true
        const at = slotAt(event)
        onChoose([at, at])
      }}
      onPointerMove={(event) => isDragged.current && onChoose([chosen?.[0] ?? slotAt(event), slotAt(event)])}
      onPointerUp={() => {
        if (isDragged.current) onChosen()
        isDragged.current = false
      }}
      onPointerCancel={() => {
        isDragged.current = false
        onChoose(undefined)
      }}
    >
      <svg viewBox={`0 0 ${slots.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {chosen !== undefined && <rect class="chosen" x={from} y={0} width={to - from + 1} height={100} />}
        {slots.map((slot, index) => {
          let foot = 100
          return groups.map(([group]) => {
            const height = (slot.counts[group] / most) * 96
            foot -= height
            return height === 0 ? null : <rect class={group} x={index + 0.12} y={foot} width={0.76} height={height} />
          })
        })}
      </svg>
      {slots.map((slot, index) => (
        <span
          key={slot.at}
          id={`${id}-${index}`}
          role="option"
          style={{ left: `${(index / slots.length) * 100}%`, width: `${100 / slots.length}%` }}
          aria-selected={index >= from && index <= to}
          aria-label={`${exactTime(slot.at, locale)}: ${totals([slot], locale)}`}
        />
      ))}
    </div>
  )
}
