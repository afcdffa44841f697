import './connection/strict-csp.ts'
import { render } from 'preact'
import type { LinkedPage, SwitchedDesk } from './chat/header.tsx'
import { TroubleNote } from './chat/trouble-note.tsx'
import { troubleOf } from './chat/trouble.ts'
import { Sessions } from './sessions/sessions.tsx'

const meta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="countersign-${name}"]`)?.content ?? ''

const root = document.getElementById('app')
const page = {
  endpoint: new URL('/mcp', location.href),
  pageSecret: meta('page'),
  sandbox: meta('sandbox'),
  // The server that sent this page wrote them.
  pages: JSON.parse(meta('pages') || '[]') as readonly LinkedPage[],
  uploads: meta('uploads'),
  startOver: meta('start-over'),
  signIn: meta('sign-in'),
  generation: meta('generation'),
  desks: JSON.parse(meta('desks') || '[]') as readonly SwitchedDesk[],
}

if (root !== null && location.pathname.endsWith('/gallery')) {
  document.title = 'Countersign gallery'
  // Its fixtures are nothing that a chat needs to load.
  import('./gallery/gallery.tsx').then(
    ({ Gallery }) => render(<Gallery {...page} />, root),
    (error: unknown) => render(<TroubleNote trouble={troubleOf(error)} />, root),
  )
} else if (root !== null) render(<Sessions {...page} />, root)
