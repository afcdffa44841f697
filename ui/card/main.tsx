// The iframe's front door: one window, one host, one card. The greeting goes out before anything is drawn, and drawing
// waits a moment for its answer and for how the call ended: mostly both are there at once, and a card that is drawn twice
// comes later. After that moment it draws what has arrived, also where the host says nothing.
import { render } from 'preact'
import type { Welcome } from '../bridge/host.ts'
import { createPostMessageHost } from '../bridge/post-message.ts'
import { App, drawnHeight } from './app.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

/** Milliseconds. */
const MOMENT = 100

const ends = new Set<unknown>(['ui/notifications/tool-result', 'ui/notifications/tool-cancelled'])

const host = createPostMessageHost(window, { name: 'countersign-card', version: '1' })
const greeting = host.initialize()

let drawn = false
let hasEnded = false
let welcome: Welcome | undefined

const draw = (): void => {
  if (drawn) return
  drawn = true
  render(
    <ErrorBoundary onFell={() => void greeting.then(() => host.sizeChanged(drawnHeight()))}>
      <App host={{ ...host, initialize: () => greeting }} now={Date.now} welcome={welcome} />
    </ErrorBoundary>,
    document.body,
  )
}

const drawWhole = (): void => {
  if (welcome && hasEnded) draw()
}

void greeting.then((answer) => {
  welcome = answer
  drawWhole()
})
// The bridge, which listens first, has it by then.
addEventListener('message', ({ data }: MessageEvent<{ readonly method?: unknown } | null>) => {
  hasEnded ||= ends.has(data?.method)
  drawWhole()
})
setTimeout(draw, MOMENT)
