// Owns what is true on every page: who is signed in, where the person is, what waits, whether the server is there. Pages
// get it as one `AdminContext` and hand nothing back but what the person did.
import type { VNode } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { readerLocale } from '../bridge/locale.ts'
import type { Reader } from '../parts/reader.ts'
import { wordsOf } from '../parts/words.ts'
import { troubleText } from './answer.ts'
import { createClient, type Credential } from './client.ts'
import type { AdminContext } from './context.ts'
import { SignIn } from './login.tsx'
import { Replace } from './replace.tsx'
import { linkOf, readRoute, to, type Route } from './route.ts'
import { askSession, signInByLink, takeLinkSecret, type Session } from './session.ts'
import { Frame } from './shell.tsx'
import { ShortcutList, useShortcuts } from './shortcuts.tsx'
import { ToastList, useToasts } from './toasts.tsx'
import { useWaiting } from './waiting.ts'

/** Words are English, as everything on these pages; numbers and times are the reader's. */
const reader: Reader = {
  words: wordsOf('en'),
  language: 'en',
  locale: readerLocale(navigator.language),
  openLink: (url) => void open(url, '_blank', 'noopener,noreferrer'),
}

const useRoute = () => {
  const [route, set] = useReducer<Route, 'step' | 'query'>(
    (before, kind) => readRoute(location, before.visit + (kind === 'step' ? 1 : 0)),
    readRoute(location, 0),
  )
  const shown = useRef('')
  useLayoutEffect(() => {
    shown.current = `${location.pathname}${location.search}`
  }, [route])
  const go = useCallback((address: string): void => {
    history.pushState(null, '', address)
    set('step')
  }, [])
  const filter = useCallback<AdminContext['filter']>((query) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    )
    history.replaceState(null, '', `${location.pathname}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`)
    set('query')
  }, [])
  useEffect(() => {
    const click = (event: MouseEvent): void => {
      const address = linkOf(event)
      if (address === undefined) return
      event.preventDefault()
      go(address)
    }
    // A jump within the page is told in the same way as a step back, and is none.
    const back = (): void => {
      if (`${location.pathname}${location.search}` !== shown.current) set('step')
    }
    addEventListener('click', click)
    addEventListener('popstate', back)
    return () => {
      removeEventListener('click', click)
      removeEventListener('popstate', back)
    }
  }, [go])
  return { route, go, filter, arrive: () => set('step') }
}

export const App = (): VNode => {
  const [session, setSession] = useState<Session>({ at: 'starting' })
  const [reached, setReached] = useState(true)
  const { route, go, filter, arrive } = useRoute()
  const toasts = useToasts()
  const keys = useShortcuts(go)

  const credential = useRef<Credential>({ kind: 'none' })
  credential.current = session.at === 'in' ? session.credential : { kind: 'none' }
  const client = useMemo(
    () =>
      createClient({
        credential: () => credential.current,
        onSignedOut: () => {
          if (credential.current.kind !== 'none') void askSession(true).then(setSession)
        },
        onOtherSession: () => void askSession(false).then(setSession),
        onReached: setReached,
      }),
    [],
  )
  const waiting = useWaiting(client, session.at === 'in')

  /** Signs in by a link; where it does not, what was before stays and it is said why. */
  const openLink = async (secret: string, before: Session): Promise<void> => {
    const opened = await signInByLink(client, secret)
    if (opened.ok) return enter(opened.value)
    const { trouble } = opened
    const wrong = trouble.kind === 'signed-out' ? trouble.message : troubleText(trouble)
    if (before.at === 'in') toasts.say(wrong, 'danger')
    setSession(before.at === 'out' ? { ...before, wrong } : before)
  }

  useEffect(() => {
    const begin = async (): Promise<void> => {
      const secret = takeLinkSecret()
      const asked = await askSession(false)
      // Nobody knows who is signed in: the link waits in the address until the page is loaded again.
      if (secret !== undefined && asked.at === 'unreachable') {
        history.replaceState(null, '', `#sign-in=${secret}`)
        return setSession(asked)
      }
      if (secret === undefined) return setSession(asked)
      if (asked.at === 'in') return setSession({ at: 'asked', secret, before: asked })
      return openLink(secret, asked)
    }
    // A link that is opened where these pages are open already changes nothing but what stands behind the `#`.
    const again = (): void => {
      if (location.hash.startsWith('#sign-in=')) void begin()
    }
    void begin()
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [])
  useEffect(() => {
    if (location.pathname.replace(/\/$/, '') === '/admin') history.replaceState(null, '', to('approvals'))
  }, [route])

  const leave = async (): Promise<void> => {
    if (session.at === 'in') await client.ask((api) => api.session.$delete())
    setSession(await askSession(false))
  }

  // Who has signed in begins at the heading of the page that they wanted.
  const enter = (entered: Session): void => {
    setSession(entered)
    arrive()
  }

  const screen = (): VNode => {
    switch (session.at) {
      case 'starting':
        return (
          <p class="loading alone" role="status">
            Loading…
          </p>
        )
      case 'unreachable':
        return (
          <main class="sign-in" id="page">
            <h1>The server does not answer</h1>
            <p class="lead">It may be starting. Nothing was sent.</p>
            <button type="button" class="go" onClick={() => void askSession(false).then(setSession)}>
              Try again
            </button>
          </main>
        )
      case 'out':
        return (
          <SignIn
            // A link that was refused is told on a sign-in that begins anew.
            key={session.wrong}
            login={session.login}
            expired={session.expired}
            refused={session.wrong}
            client={client}
            onIn={enter}
          />
        )
      case 'asked': {
        const { secret, before } = session
        return (
          <Replace
            name={before.operator.name}
            onReplace={() => openLink(secret, before)}
            onStay={() => enter(before)}
          />
        )
      }
      case 'in': {
        const app: AdminContext = {
          ...client,
          operator: session.operator,
          reader,
          waiting,
          go,
          filter,
          say: toasts.say,
        }
        return (
          <Frame app={app} route={route} reached={reached} onKeys={() => keys.show(true)} onOut={() => void leave()} />
        )
      }
      default:
        return session satisfies never
    }
  }

  return (
    <>
      {screen()}
      <ToastList toasts={toasts} />
      {session.at === 'in' && <ShortcutList open={keys.open} onClose={() => keys.show(false)} />}
    </>
  )
}
