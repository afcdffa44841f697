// The way in. Unknown names and wrong passwords read alike; a code is asked for only when the server wants one; and a
// fresh installation, which has no account yet, takes the admin token.
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { troubleText } from './answer.ts'
import type { Client } from './client.ts'
import { useFormState } from './form-state.ts'
import { signIn, tryToken, type Login, type SessionEvent } from './session.ts'

type Step =
  | { readonly at: 'password' }
  /** The password was right; the code of an authenticator is wanted too. */
  | { readonly at: 'code'; readonly name: string; readonly password: string }
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
  readonly onIn: (event: SessionEvent) => void
}

const textOf = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

export const SignIn = ({ login, expired, client, onIn }: SignInProps): VNode => {
  const [{ step, busy, wrong }, change] = useFormState<State>({
    step: { at: login.password ? 'password' : 'token' },
    busy: false,
    wrong: undefined,
  })
  const goTo = (next: Step): void => change({ step: next, busy: false, wrong: undefined })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
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
    const event = await tryToken(token, name)
    if (event === 'wrong') return change({ busy: false, wrong: 'This is not the admin token of this server.' })
    onIn(event)
  }

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (busy || !(event.currentTarget instanceof HTMLFormElement)) return
    const given = event.currentTarget
    if (step.at === 'password') void enter(textOf(given, 'name').trim(), textOf(given, 'password'), undefined)
    else if (step.at === 'code') void enter(step.name, step.password, textOf(given, 'code').replace(/\s/g, ''))
    else void present(textOf(given, 'token').trim(), textOf(given, 'approver').trim())
  }

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
              <label class="field">
                <span>Name</span>
                <input name="name" autoComplete="username" autoCapitalize="off" spellcheck={false} required />
              </label>
              <label class="field">
                <span>Password</span>
                <input name="password" type="password" autoComplete="current-password" required />
              </label>
            </>
          )}
          {step.at === 'code' && (
            <label class="field">
              <span>Six digits of your authenticator</span>
              <input name="code" inputMode="numeric" autoComplete="one-time-code" pattern="[\d ]{6,8}" required />
            </label>
          )}
          {step.at === 'token' && (
            <>
              <label class="field">
                <span>Admin token</span>
                <input name="token" type="password" autoComplete="off" spellcheck={false} required />
                <small>
                  It lies beside the database, in the file that the server named at its start. It stays in this tab and
                  is gone when you reload.
                </small>
              </label>
              <label class="field">
                <span>Your name, for the record</span>
                {/* Headers carry no other letters. */}
                <input name="approver" autoComplete="name" maxLength={100} pattern="[ -~\u00A0-\u00FF]*" />
              </label>
            </>
          )}
        </div>
        <footer>
          {step.at === 'code' && (
            <button type="button" class="quiet" onClick={() => goTo({ at: 'password' })}>
              Back
            </button>
          )}
          <button type="submit" class="go" disabled={busy}>
            {busy ? 'One moment…' : step.at === 'token' ? 'Use the token' : 'Sign in'}
          </button>
        </footer>
      </form>
      <p class="other-ways">
        {login.oidc !== null && (
          <a
            class="button"
            href={`${login.oidc.url}?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`}
          >
            {login.oidc.label}
          </a>
        )}
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
