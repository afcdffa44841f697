import type { VNode } from 'preact'
import type { HostProfile } from '../../../server/testing/host/profiles.ts'
import { settingsId } from '../sessions/settings.ts'
import { StartOver } from '../sessions/start-over.tsx'
import type { Action, Link, Pane, State } from './state.ts'
import type { Theme } from './theme.ts'
import { useWire } from '../connection/wire-panel.tsx'
import type { WireLog } from '../connection/wire.ts'

interface HeaderProps {
  readonly state: State
  readonly wire: WireLog
  readonly dispatch: (action: Action) => void
  readonly onTheme: (theme: Theme) => void
  readonly onClear: () => void
  /** Of a demo: puts its data back, and clears the conversation. */
  readonly onStartOver: (() => void) | undefined
  readonly profile: HostProfile
  readonly settingsOpen: boolean
  readonly onSettingsOpen: (open: boolean) => void
  readonly others: OtherSessions
  readonly pages: readonly LinkedPage[]
  readonly desks: readonly SwitchedDesk[]
}

/** A page of the connected server beside its tools. */
export interface LinkedPage {
  readonly label: string
  readonly path: string
}

/** A server of the same program with a playground of its own; this one where it has no `path`. */
export interface SwitchedDesk {
  readonly label: string
  readonly path?: string
}

/** The tab's sessions, for whoever switches between them. */
export interface OtherSessions {
  readonly names: readonly (readonly [id: string, name: string])[]
  readonly open: string
  readonly onOpen: (id: string) => void
  readonly onAdd: () => void
  readonly onClose: () => void
}

const panes: readonly (readonly [Pane, string])[] = [
  ['tools', 'Tools'],
  ['chat', 'Chat'],
  ['wire', 'Wire'],
]

/** Who is connected, and the few switches of the page. */
export function Header(props: HeaderProps): VNode {
  const { state, wire, dispatch, onTheme, onClear, onStartOver, others, pages, desks } = props
  const { profile, settingsOpen, onSettingsOpen } = props
  const { count } = useWire(wire)
  const other: Theme = state.theme === 'light' ? 'dark' : 'light'
  return (
    <header class="top">
      <p class="brand">
        <b>Countersign</b> <span>Playground</span>
      </p>
      {desks.length > 1 && <DeskSwitch desks={desks} />}
      <p class={`link ${state.link.kind === 'ready' && state.link.away ? 'failed' : state.link.kind}`} role="status">
        {linkWords(state.link)}
      </p>
      <SessionSwitch {...others} />
      <button
        type="button"
        class="quiet host"
        aria-expanded={settingsOpen}
        aria-controls={settingsId}
        title={`This host ${profile.does}.`}
        onClick={() => onSettingsOpen(!settingsOpen)}
      >
        <span class="minor">Host:</span> {profile.title}
      </button>
      <div class="switches">
        <PageLinks pages={pages} />
        {onStartOver === undefined ? (
          <button type="button" class="quiet" disabled={state.entries.length === 0} onClick={onClear}>
            Clear chat
          </button>
        ) : (
          <StartOver hasConversation={state.entries.length > 0} onStartOver={onStartOver} onClear={onClear} />
        )}
        <button type="button" class="quiet" onClick={() => onTheme(other)} aria-label={`Use the ${other} theme`}>
          {other === 'dark' ? 'Dark' : 'Light'}
        </button>
        <button
          type="button"
          class="quiet"
          aria-expanded={settingsOpen}
          aria-controls={settingsId}
          onClick={() => onSettingsOpen(!settingsOpen)}
        >
          Settings
        </button>
        <button
          type="button"
          class="quiet wire-toggle"
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

/** Links to other pages of this server, each in a tab of its own. */
export const PageLinks = ({ pages }: { readonly pages: readonly LinkedPage[] }): VNode => (
  <div class="pages">
    {pages.map(({ label, path }) => (
      <a key={path} href={path} target="_blank" rel="noopener">
        {label}
      </a>
    ))}
  </div>
)

function DeskSwitch({ desks }: { readonly desks: readonly SwitchedDesk[] }): VNode {
  return (
    <nav class="desks" aria-label="Desks">
      {desks.map(({ label, path }) =>
        path === undefined ? (
          <span key={label} aria-current="page">
            {label}
          </span>
        ) : (
          <a key={label} href={path}>
            {label}
          </a>
        ),
      )}
    </nav>
  )
}

/** Of several sessions, which is open. */
function SessionSwitch({ names, open, onOpen, onClose }: OtherSessions): VNode | null {
  if (names.length < 2) return null
  return (
    <div class="sessions" role="group" aria-label="Sessions">
      <select aria-label="Session" value={open} onChange={({ currentTarget }) => onOpen(currentTarget.value)}>
        {names.map(([id, name]) => (
          <option key={id} value={id}>
            Session {name}
          </option>
        ))}
      </select>
      <button type="button" class="quiet" onClick={onClose}>
        Close
      </button>
    </div>
  )
}

function linkWords(link: Link): string {
  switch (link.kind) {
    case 'connecting':
      return 'Connecting…'
    case 'ready':
      return link.away ? `${link.connection.server} does not answer` : `Connected to ${link.connection.server}`
    case 'failed':
      return 'Not connected'
    default:
      return link satisfies never
  }
}
