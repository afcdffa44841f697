// A link of the terminal that is opened where somebody is signed in: two people may share a browser, and what the first one
// decides next would be decided as somebody else. The link is used only once they have said yes.
import type { VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

interface ReplaceProps {
  /** Who is signed in. */
  readonly name: string
  readonly onReplace: () => Promise<void>
  readonly onStay: () => void
}

export const Replace = ({ name, onReplace, onStay }: ReplaceProps): VNode => {
  const [busy, setBusy] = useState(false)
  useLayoutEffect(() => {
    document.title = 'Sign in · Countersign'
    document.getElementById('replace-title')?.focus()
  }, [])
  return (
    <main class="sign-in" id="page">
      <section class="sheet" aria-labelledby="replace-title">
        <header>
          <h1 id="replace-title" tabIndex={-1}>
            Sign in with the admin token instead?
          </h1>
        </header>
        <div class="sheet-body">
          <p>
            You are signed in as <b>{name}</b>. This link signs in with the admin token, and ends that session.
          </p>
        </div>
        <footer>
          <button type="button" class="quiet" disabled={busy} onClick={onStay}>
            Stay signed in as {name}
          </button>
          <button
            type="button"
            class="go"
            disabled={busy}
            onClick={() => {
              setBusy(true)
              void onReplace()
            }}
          >
            {busy ? 'One moment…' : 'Sign in with the admin token'}
          </button>
        </footer>
      </section>
    </main>
  )
}
