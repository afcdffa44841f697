// The iframe's front door: one window, one host, one card. The greeting goes out before anything is drawn, and drawing
// waits for what follows its answer, until the next frame: mostly that is the result, and a card that is drawn twice comes
// later. A host that says nothing gets its card all the same.
import { render } from 'preact'
import type { Welcome } from '../bridge/host.ts'
import { createPostMessageHost } from '../bridge/post-message.ts'
import { App } from './app.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

const MOMENT = 100

const host = createPostMessageHost(window, { name: 'countersign-card', version: '1' })
const greeting = host.initialize()

let drawn = false
const draw = (welcome?: Welcome): void => {
  if (drawn) return
  drawn = true
  render(
    <ErrorBoundary>
      <App host={{ ...host, initialize: () => greeting }} now={Date.now} welcome={welcome} />
    </ErrorBoundary>,
    document.body,
  )
}

void greeting.then((welcome) => {
  const welcomed = (): void => draw(welcome)
  // The bridge listens first, and has what came when this draws.
  addEventListener('message', welcomed, { once: true })
  requestAnimationFrame(welcomed)
})
setTimeout(draw, MOMENT)
