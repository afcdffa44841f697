import './connection/strict-csp.ts'
import { render } from 'preact'
import type { LinkedPage, SwitchedDesk } from './chat/header.tsx'
import { TroubleNote } from './chat/trouble-note.tsx'
import { troubleOf } from './chat/trouble.ts'
import { pageMeta } from './page-meta.ts'
import { Sessions } from './sessions/sessions.tsx'

const root = document.getElementById('app')
const page = {
  endpoint: new URL('/mcp', location.href),
  pageSecret: pageMeta('page'),
  sandbox: pageMeta('sandbox'),
  // The server that sent this page wrote them.
  pages: JSON.parse(pageMeta('pages') || '[]') as readonly LinkedPage[],
  uploads: pageMeta('uploads'),
  startOver: pageMeta('start-over'),
  signIn: pageMeta('sign-in'),
  generation: pageMeta('generation'),
  desks: JSON.parse(pageMeta('desks') || '[]') as readonly SwitchedDesk[],
}

if (root !== null && location.pathname.endsWith('/gallery')) {
  document.title = 'Countersign gallery'
  // Its fixtures are nothing that a chat needs to load.
  import('./gallery/gallery.tsx').then(
    ({ Gallery }) => render(<Gallery {...page} />, root),
    (error: unknown) => render(<TroubleNote trouble={troubleOf(error)} />, root),
  )
} else if (root !== null) render(<Sessions {...page} />, root)
