import './connection/strict-csp.ts'
import { render } from 'preact'
import type { LinkedPage, SwitchedDesk } from './chat/header.tsx'
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

// The gallery's fixtures are nothing that a chat needs to load.
const start = async (): Promise<void> => {
  if (root === null) return
  if (location.pathname.endsWith('/gallery')) {
    document.title = 'Countersign gallery'
    const { Gallery } = await import('./gallery/gallery.tsx')
    render(<Gallery {...page} />, root)
  } else render(<Sessions {...page} />, root)
}
void start()
