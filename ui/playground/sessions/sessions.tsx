// Several conversations in one tab. Each is a whole playground with a key of its own, so that nothing of one can get into
// another; only what a person sets once is shared.
import type { VNode } from 'preact'
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks'
import { App } from '../chat/app.tsx'
import type { LinkedPage, SwitchedDesk } from '../chat/header.tsx'
import { loadSessions, reduceSessions, saveSessions } from './session.ts'
import { loadSettings, saveSettings } from './settings.ts'
import { forgetTranscript } from '../chat/transcript.ts'
import { createWireLog } from '../connection/wire.ts'

interface SessionsProps {
  readonly endpoint: URL
  readonly pageSecret: string
  /** Origin of the frames around cards. */
  readonly sandbox: string
  readonly pages: readonly LinkedPage[]
  readonly desks: readonly SwitchedDesk[]
  /** Address that takes a file; empty where this server takes none. */
  readonly uploads: string
  /** Address that starts the demo over; empty where this server is none. */
  readonly startOver: string
  /** Address that signs in at the operators' pages; empty where this server is no demo. */
  readonly signIn: string
  /** Address that says how often the server was started anew; empty where it stays. */
  readonly generation: string
}

/** The playground: one of its sessions, and the way to the others. */
export function Sessions(props: SessionsProps): VNode {
  const [saved, tell] = useReducer(reduceSessions, undefined, () => loadSessions(sessionStorage))
  const [settings, setSettings] = useState(() => loadSettings(localStorage))
  // Here and not in the session: choosing another host is another session, and what it does is read in the panel.
  const [settingsOpen, setSettingsOpen] = useState(false)
  useEffect(() => saveSessions(sessionStorage, saved), [saved])
  useEffect(() => saveSettings(localStorage, settings), [settings])
  const session = saved.sessions.find(({ id }) => id === saved.open) ?? saved.sessions[0]
  const place = `${session.id} ${session.server} ${session.profile}`
  const wire = useMemo(() => createWireLog(), [place])
  return (
    <App
      key={place}
      {...props}
      session={session}
      settings={settings}
      wire={wire}
      settingsOpen={settingsOpen}
      onSettingsOpen={setSettingsOpen}
      onSettings={(change) => setSettings((known) => ({ ...known, ...change }))}
      onSession={(change) => tell({ kind: 'changed', id: session.id, change })}
      others={{
        names: saved.sessions.map(({ id, server }, at) => [
          id,
          `${at + 1}${server === '' ? '' : ` ${hostOf(server)}`}`,
        ]),
        open: session.id,
        onOpen: (id) => tell({ kind: 'opened', id }),
        onAdd: () => tell({ kind: 'added', id: Date.now().toString(36) }),
        onClose: () => {
          forgetTranscript(sessionStorage, session.id)
          tell({ kind: 'closed', id: session.id })
        },
      }}
    />
  )
}

const hostOf = (server: string): string => (URL.canParse(server) ? new URL(server).host : server)
