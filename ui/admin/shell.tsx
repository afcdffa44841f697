// What stays while pages change: the name, the way to the other rooms, who is signed in, what the server's state is.
import type { VNode } from 'preact'
import type { AdminContext } from './desk.ts'
import { rooms } from './rooms.tsx'
import { to, type Route } from './route.ts'

interface FrameProps {
  readonly desk: AdminContext
  readonly route: Route
  readonly reached: boolean
  readonly onKeys: () => void
  readonly onOut: () => void
}

const waitingWords = (count: number): string => `${count} waiting`

export const Frame = ({ desk, route, reached, onKeys, onOut }: FrameProps): VNode => {
  const [current = 'approvals', ...rest] = route.path
  const room = rooms.find(({ name }) => name === current)
  const { pending = 0 } = desk.waiting
  const { operator } = desk
  return (
    <div class="frame">
      <a class="skip" href="#page">
        To the content
      </a>
      <header class="top">
        <a class="brand" href={to('approvals')}>
          Countersign
        </a>
        <div class="who">
          <span class="who-name">
            {operator.name}
            <span class="tenant"> · {operator.tenant ?? 'all tenants'}</span>
          </span>
          <button type="button" class="quiet keys-button" onClick={onKeys}>
            Keys
          </button>
          <button type="button" class="quiet" onClick={onOut}>
            Sign out
          </button>
        </div>
      </header>
      <nav class="rooms" aria-label="Rooms">
        <ul>
          {rooms.map(({ name, label }) => (
            <li>
              <a href={to(name)} {...(name === current ? { 'aria-current': 'page' as const } : {})}>
                {label}
                {name === 'approvals' && pending > 0 && (
                  <span class="count">
                    {pending}
                    <span class="sr"> waiting</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="content">
        {!reached && (
          <p class="offline" role="status">
            <b>The server does not answer.</b> What you see may be old; this page tries again by itself.
          </p>
        )}
        {room === undefined ? <Lost /> : <room.Room key={room.name} desk={desk} route={{ ...route, path: rest }} />}
      </div>
      <p class="sr" role="status" aria-live="polite">
        {desk.waiting.pending === undefined ? '' : waitingWords(pending)}
      </p>
    </div>
  )
}

const Lost = (): VNode => (
  <main id="page" class="page">
    <header class="page-head">
      <h1 tabIndex={-1}>There is no such page</h1>
    </header>
    <p>
      The address may be mistyped. <a href={to('approvals')}>Go to Approvals</a>
    </p>
  </main>
)
