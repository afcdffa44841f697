import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Json } from '../chat/json.tsx'
import type { WireLog, WireRecord } from './wire.ts'

/** What is in the log, as it changes. */
export function useWire(wire: WireLog): { readonly records: readonly WireRecord[]; readonly count: number } {
  const [state, setState] = useState({ records: wire.records(), count: wire.count() })
  useEffect(() => wire.subscribe(() => setState({ records: wire.records(), count: wire.count() })), [wire])
  return state
}

const ends = {
  card: ['Host → card', 'Card → host'],
  server: ['Host → server', 'Server → host'],
} as const

type Shown = 'all' | WireRecord['link']
const choices: readonly (readonly [Shown, string])[] = [
  ['all', 'All'],
  ['card', 'Frame'],
  ['server', 'Server'],
]

/** Everything that crossed a frame or the connection to the server. */
export function WirePanel({ wire }: { readonly wire: WireLog }): VNode {
  const { records, count } = useWire(wire)
  const [shown, setShown] = useState<Shown>('all')
  const visible = records.filter((one) => shown === 'all' || one.link === shown)
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => scroller.current?.scrollTo({ top: 0 }), [shown])
  return (
    <div class="wire from-the-end" ref={scroller}>
      <div>
        <header>
          <h2>
            Wire <span class="count">{count}</span>
          </h2>
          <div class="choices" role="group" aria-label="Show">
            {choices.map(([value, label]) => (
              <button key={value} type="button" aria-pressed={shown === value} onClick={() => setShown(value)}>
                {label}
              </button>
            ))}
          </div>
          <button type="button" class="quiet" onClick={() => wire.clear()}>
            Clear
          </button>
        </header>
        {visible.length === 0 && <p class="minor">No messages yet.</p>}
        <ol>
          {visible.map((one) => (
            <li key={one.n}>
              <WireRow record={one} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function WireRow({ record }: { readonly record: WireRecord }): VNode {
  const [open, setOpen] = useState(false)
  const direction = ends[record.link][record.sent ? 0 : 1]
  return (
    <details
      class={`from-${record.link} ${record.answer}`}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="direction">{direction}</span>
        <code>{record.method}</code>
        {record.answer !== 'no' && <span class="answer">{record.answer}</span>}
        <time>{stamp(record.at)}</time>
      </summary>
      {open && <Json value={record.message} />}
    </details>
  )
}

const stamp = (at: number): string => new Date(at).toISOString().slice(11, 23)
