import type { VNode } from 'preact'
import type { Action, Link, Pane, State } from './state.ts'
import type { Theme } from './theme.ts'
import { useWire } from './wire-panel.tsx'
import type { WireLog } from './wire.ts'

interface HeaderProps {
  readonly state: State
  readonly wire: WireLog
  readonly dispatch: (action: Action) => void
  readonly onTheme: (theme: Theme) => void
  readonly onClear: () => void
}

const panes: readonly (readonly [Pane, string])[] = [
  ['tools', 'Tools'],
  ['chat', 'Chat'],
  ['wire', 'Wire'],
]

/** Who is connected, and the few switches of the page. */
export function Header({ state, wire, dispatch, onTheme, onClear }: HeaderProps): VNode {
  const { count } = useWire(wire)
  const other: Theme = state.theme === 'light' ? 'dark' : 'light'
  return (
    <header class="top">
      <p class="brand">
        <b>Countersign</b> <span>Playground</span>
      </p>
      <p class={`link ${state.link.kind}`} role="status">
        {linkWords(state.link)}
      </p>
      <div class="switches">
        <button type="button" class="plain" disabled={state.entries.length === 0} onClick={onClear}>
          Clear chat
        </button>
        <button type="button" class="plain" onClick={() => onTheme(other)} aria-label={`Use the ${other} theme`}>
          {other === 'dark' ? 'Dark' : 'Light'}
        </button>
        <button
          type="button"
          class="plain wire-toggle"
          aria-pressed={state.wireOpen}
          onClick={() => dispatch({ kind: 'wire' })}
        >
          Wire <span class="count">{count}</span>
        </button>
      </div>
      <nav class="panes" aria-label="Panels">
        {panes.map(([pane, label]) => (
          <button
            key={pane}
            type="button"
            aria-current={state.pane === pane ? 'page' : undefined}
            onClick={() => dispatch({ kind: 'pane', pane })}
          >
            {label} {pane === 'wire' && <span class="count">{count}</span>}
          </button>
        ))}
      </nav>
    </header>
  )
}

function linkWords(link: Link): string {
  switch (link.kind) {
    case 'connecting':
      return 'Connecting…'
    case 'ready':
      return `Connected to ${link.connection.server}`
    case 'failed':
      return 'Not connected'
    default:
      return link satisfies never
  }
}
