// What stays while pages change: the name, the way to the other pages, who is signed in, whether the server answers.
import type { VNode } from 'preact'
import type { AdminContext } from './context.ts'
import { pages } from './pages.tsx'
import { to, type Route } from './route.ts'
import { ThemeSwitch } from './theme-switch.tsx'

interface FrameProps {
  readonly app: AdminContext
  readonly route: Route
  readonly reached: boolean
  readonly onKeys: () => void
  readonly onOut: () => void
}

export const Frame = ({ app, route, reached, onKeys, onOut }: FrameProps): VNode => {
  const [current = 'approvals', id] = route.path
  const page = pages.find(({ name }) => name === current)
  const { pending = 0 } = app.waiting
  const { operator } = app
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
            <span class="minor"> · {operator.tenant ?? 'all tenants'}</span>
          </span>
          <ThemeSwitch />
          <button type="button" class="quiet keys-button" onClick={onKeys}>
            Keys
          </button>
          <button type="button" class="quiet" onClick={onOut}>
            Sign out
          </button>
        </div>
      </header>
      <nav class="pages" aria-label="Pages">
        <ul>
          {pages.map(({ name, label }) => (
            <li>
              <a href={to(name)} aria-current={name === current ? 'page' : undefined}>
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
        {page === undefined ? (
          <Lost />
        ) : page.Detail === undefined || id === undefined ? (
          <page.List key={page.name} app={app} route={route} />
        ) : (
          <page.Detail key={`${page.name} ${id}`} id={id} app={app} route={route} />
        )}
      </div>
      <p class="sr" role="status" aria-live="polite">
        {app.waiting.pending === undefined ? '' : `${pending} waiting`}
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
