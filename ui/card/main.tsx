// The iframe's front door: one window, one host, one card.
import { render } from 'preact'
import { createPostMessageHost } from '../bridge/post-message.ts'
import { App } from './app.tsx'
import { Fence } from './fence.tsx'

const host = createPostMessageHost(window, { name: 'countersign-card', version: '1' })

render(
  <Fence>
    <App host={host} now={Date.now} />
  </Fence>,
  document.body,
)
