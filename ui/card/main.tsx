// The iframe's front door: one window, one host, one card. The greeting goes out before anything is drawn, and drawing
// waits a moment for its answer and for the result: mostly both are there at once, and a card that is drawn twice comes
// later. What takes longer, or a host that says nothing, gets the card that says so.
import { render } from 'preact'
import type { Welcome } from '../bridge/host.ts'
import { createPostMessageHost } from '../bridge/post-message.ts'
import { App } from './app.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

/** Milliseconds. */
const MOMENT = 100

const host = createPostMessageHost(window, { name: 'countersign-card', version: '1' })
const greeting = host.initialize()

let drawn = false
let hasResult = false
let welcome: Welcome | undefined

const draw = (): void => {
  if (drawn) return
  drawn = true
  render(
    <ErrorBoundary>
      <App host={{ ...host, initialize: () => greeting }} now={Date.now} welcome={welcome} />
    </ErrorBoundary>,
    document.body,
  )
}

const drawWhole = (): void => {
  if (welcome && hasResult) draw()
}

void greeting.then((answer) => {
  welcome = answer
  drawWhole()
})
// The bridge, which listens first, has it by then.
addEventListener('message', ({ data }: MessageEvent<{ readonly method?: unknown } | null>) => {
  hasResult ||= data?.method === 'ui/notifications/tool-result'
  drawWhole()
})
setTimeout(draw, MOMENT)
