import './strict-csp.ts'
import { render } from 'preact'
import { App } from './app.tsx'
import { createWireLog } from './wire.ts'

const meta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="countersign-${name}"]`)?.content ?? ''

const root = document.getElementById('app')
if (root !== null)
  render(
    <App
      endpoint={new URL('/mcp', location.href)}
      pageSecret={meta('page')}
      sandbox={meta('sandbox')}
      wire={createWireLog()}
    />,
    root,
  )
