// The way in. What fits this installation comes first: its provider, else names and passwords, else the admin token, with
// where to find it. Unknown names and wrong passwords read alike, and a code is asked for only when the server wants one.
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { TextField } from '../parts/text-field.tsx'
import { troubleText } from './answer.ts'
import type { Client } from './client.ts'
import { useFormState } from './form-state.ts'
import { signIn, signInWithToken, type Login, type Session } from './session.ts'

type Step =
  | { readonly at: 'password' }
  /** The password was right; the code of an authenticator is wanted too. */
  | { readonly at: 'code'; readonly name: string; readonly password: string }
  | { readonly at: 'provider' }
  | { readonly at: 'token' }
  /** No way in fits: there is no account, no provider and no admin token. */
  | { readonly at: 'nothing' }

interface State {
  readonly step: Step
  readonly busy: boolean
  readonly wrong: string | undefined
}

interface SignInProps {
  readonly login: Login
  readonly expired: boolean
  /** Why what was tried before, a link, did not sign in. */
  readonly refused: string | undefined
  readonly client: Client
  readonly onIn: (session: Session) => void
}

/** The way in that most people here have. */
const firstStep = (login: Login): Step => {
  if (login.oidc !== null) return { at: 'provider' }
  if (login.password) return { at: 'password' }
  return { at: login.admin_token === 'none' ? 'nothing' : 'token' }
}

const tokenPlaces = {
  file: 'It stands in a file beside the server’s database whose name ends in .admin-token. The server says which file when it starts.',
  environment: 'It is the value of COUNTERSIGN_ADMIN_TOKEN that the server was started with.',
  none: '',
} as const

export const SignIn = ({ login, expired, refused, client, onIn }: SignInProps): VNode => {
  const [{ step, busy, wrong }, change] = useFormState<State>({
    step: firstStep(login),
    busy: false,
    wrong: refused,
  })
  const goTo = (next: Step): void => change({ step: next, busy: false, wrong: undefined })
  const form = useRef<HTMLFormElement>(null)
  // Before anybody can type: a focus that came after the next frame would take what is typed to another field.
  useLayoutEffect(() => {
    document.title = 'Sign in · Countersign'
    form.current?.querySelector('input')?.focus()
  }, [step.at])

  const enter = async (name: string, password: string, code: string | undefined): Promise<void> => {
    change({ busy: true, wrong: undefined })
    const answer = await signIn(client, { name, password, ...(code === undefined ? {} : { code }) })
    if (answer.ok) return onIn(answer.value)
    const { trouble } = answer
    if (trouble.kind === 'refused' && trouble.status === 428) return goTo({ at: 'code', name, password })
    change({ busy: false, wrong: trouble.kind === 'signed-out' ? trouble.message : troubleText(trouble) })
  }

  const present = async (token: string, name: string): Promise<void> => {
    change({ busy: true, wrong: undefined })
    const answer = await signInWithToken(client, token, name)
    if (answer.ok) return onIn(answer.value)
    change({
      busy: false,
      wrong: answer.trouble.kind === 'signed-out' ? answer.trouble.message : troubleText(answer.trouble),
    })
  }

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (busy || !(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const given = (name: string): string => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    if (step.at === 'password') void enter(given('name').trim(), given('password'), undefined)
    else if (step.at === 'code') void enter(step.name, step.password, given('code').replace(/\s/g, ''))
    else void present(given('token').trim(), given('approver').trim())
  }

  const provider = login.oidc !== null && (
    <a
      class={step.at === 'provider' ? 'button go' : 'button'}
      href={`${login.oidc.url}?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`}
    >
      {login.oidc.label}
    </a>
  )

  return (
    <main class="sign-in" id="page">
      <form class="sheet" ref={form} onSubmit={submit} aria-labelledby="sign-in-title">
        <header>
          <h1 id="sign-in-title">Sign in</h1>
          <p class="lead">Countersign: where people decide what AI agents may do.</p>
        </header>
        <div class="sheet-body">
          {expired && wrong === undefined && (
            <Note tone="info" sign="i" spoken="Note">
              Your session has ended. Sign in to go on where you were.
            </Note>
          )}
          {wrong !== undefined && (
            <Note tone="danger" sign="×" spoken="Error" alert>
              {wrong}
            </Note>
          )}
          {step.at === 'password' && (
            <>
              <TextField label="Name" name="name" autoComplete="username" autoCapitalize="off" required />
              <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
            </>
          )}
          {step.at === 'provider' && provider}
          {step.at === 'code' && (
            <TextField
              label="Six digits of your authenticator"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[\d ]{6,8}"
              required
            />
          )}
          {step.at === 'token' && (
            <>
              <TextField
                label="Admin token"
                name="token"
                type="password"
                required
                hint={tokenPlaces[login.admin_token]}
              />
              <TextField
                label="Your name, for the record"
                name="approver"
                autoComplete="name"
                maxLength={100}
                hint="What you decide is recorded under this name."
              />
              <p class="minor">
                At a terminal of the server’s machine you need no token: <code>countersign admin open</code> opens this
                page, signed in. Add the <code>--config</code> or <code>--db</code> that the server was started with.
              </p>
            </>
          )}
          {step.at === 'nothing' && (
            <Note tone="info" sign="i" spoken="Note">
              <b>Nobody can sign in yet.</b> This server has no accounts and no admin token. Start it with the
              environment variable COUNTERSIGN_ADMIN_TOKEN (16 characters or more), then sign in with that value.
            </Note>
          )}
        </div>
        {step.at !== 'provider' && step.at !== 'nothing' && (
          <footer>
            {step.at === 'code' && (
              <button type="button" class="quiet" onClick={() => goTo({ at: 'password' })}>
                Back
              </button>
            )}
            <button type="submit" class="go" disabled={busy}>
              {busy ? 'One moment…' : 'Sign in'}
            </button>
          </footer>
        )}
      </form>
      <p class="buttons">
        {step.at !== 'provider' && provider}
        {step.at !== 'token' && login.admin_token !== 'none' && (
          <button type="button" class="quiet" onClick={() => goTo({ at: 'token' })}>
            Use the admin token
          </button>
        )}
        {(step.at === 'token' || step.at === 'provider') && login.password && (
          <button type="button" class="quiet" onClick={() => goTo({ at: 'password' })}>
            Use name and password
          </button>
        )}
      </p>
    </main>
  )
}
