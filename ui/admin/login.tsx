// The way in. Unknown names and wrong passwords read alike; a code is asked for only when the server wants one; and a
// fresh installation, which has no account yet, takes the admin token.
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { TextField } from '../parts/text-field.tsx'
import { troubleText } from './answer.ts'
import type { Client } from './client.ts'
import { useFormState } from './form-state.ts'
import { signIn, tryToken, type Login, type Session } from './session.ts'

type Step =
  | { readonly at: 'password' }
  /** The password was right; the code of an authenticator is wanted too. */
  | { readonly at: 'code'; readonly name: string; readonly password: string }
  /** There is no account yet, and the provider makes them. */
  | { readonly at: 'provider' }
  | { readonly at: 'token' }

interface State {
  readonly step: Step
  readonly busy: boolean
  readonly wrong: string | undefined
}

interface SignInProps {
  readonly login: Login
  readonly expired: boolean
  readonly client: Client
  readonly onIn: (session: Session) => void
}

export const SignIn = ({ login, expired, client, onIn }: SignInProps): VNode => {
  const [{ step, busy, wrong }, change] = useFormState<State>({
    step: { at: login.password ? 'password' : login.oidc === null ? 'token' : 'provider' },
    busy: false,
    wrong: undefined,
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
    const session = await tryToken(token, name)
    if (session === 'wrong') return change({ busy: false, wrong: 'This is not the admin token of this server.' })
    onIn(session)
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
          <p class="lead">Countersign · the operators' pages</p>
        </header>
        <div class="sheet-body">
          {expired && wrong === undefined && (
            <Note tone="info" sign="i" spoken="Note">
              Your session has ended. After signing in you are back where you were.
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
                hint="It is in a file beside the database, whose name the server prints when it starts. It stays in this tab and is forgotten when you reload."
              />
              {/* Headers carry no other letters. */}
              <TextField
                label="Your name, for the record"
                name="approver"
                autoComplete="name"
                maxLength={100}
                pattern="[ -~\u00A0-\u00FF]*"
              />
            </>
          )}
        </div>
        <footer>
          {step.at === 'code' && (
            <button type="button" class="quiet" onClick={() => goTo({ at: 'password' })}>
              Back
            </button>
          )}
          {step.at !== 'provider' && (
            <button type="submit" class="go" disabled={busy}>
              {busy ? 'One moment…' : step.at === 'token' ? 'Use the token' : 'Sign in'}
            </button>
          )}
        </footer>
      </form>
      <p class="buttons">
        {step.at !== 'provider' && provider}
        {step.at !== 'token' && (
          <button type="button" class="quiet" onClick={() => goTo({ at: 'token' })}>
            Use the admin token
          </button>
        )}
        {step.at === 'token' && login.password && (
          <button type="button" class="quiet" onClick={() => goTo({ at: 'password' })}>
            Use name and password
          </button>
        )}
      </p>
    </main>
  )
}
