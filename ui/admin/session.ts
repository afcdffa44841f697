// Who is signed in. The server answers that at GET /session; what it says decides between the pages and the sign-in. A
// password, the admin token and a link of the terminal are each exchanged for a cookie, which this code never sees, and
// none of them is kept here.
import { hc } from 'hono/client'
import type { AdminApi } from '../../server/http/app.ts'
import type { Answer } from './answer.ts'
import { base, type Api, type Client, type Credential, type Value } from './client.ts'
import type { OperatorView } from './context.ts'

/** How one can sign in here. */
export interface Login {
  readonly password: boolean
  readonly oidc: { readonly label: string; readonly url: string } | null
  /** Where the admin token stands; `none`: this server has none. */
  readonly admin_token: 'environment' | 'file' | 'none'
}

export type Session =
  | { readonly at: 'starting' }
  | { readonly at: 'unreachable' }
  | {
      readonly at: 'out'
      readonly login: Login
      /** Somebody was signed in until just now; what they looked at stays. */
      readonly expired: boolean
      /** Why what was just tried did not sign in. */
      readonly wrong?: string
    }
  | SignedIn
  /** Somebody is signed in and has opened a link that signs in as somebody else. */
  | { readonly at: 'asked'; readonly secret: string; readonly before: SignedIn }

interface SignedIn {
  readonly at: 'in'
  readonly operator: OperatorView
  readonly credential: Credential
}

const plainLogin: Login = { password: true, oidc: null, admin_token: 'file' }

/** Without a credential of these pages: a cookie comes along by itself. */
const { session } = hc<AdminApi>(base, { init: { credentials: 'same-origin', cache: 'no-store' } })

const signedIn = ({ operator, csrf = '' }: Value<Api['session']['$get']>): SignedIn => ({
  at: 'in',
  operator,
  credential: { kind: 'session', csrf },
})

/** Asks who is signed in. `expired` is said on to the sign-in. */
export const askSession = async (expired: boolean): Promise<Session> => {
  try {
    const response = await session.$get()
    if (response.status === 200) return signedIn(await response.json())
    if (response.status >= 500) return { at: 'unreachable' }
    const body = response.status === 401 ? await response.json().catch(() => undefined) : undefined
    return { at: 'out', login: body?.login ?? plainLogin, expired }
  } catch {
    return { at: 'unreachable' }
  }
}

interface PasswordEntry {
  readonly name: string
  readonly password: string
  readonly code?: string
}

/** Signs in with name and password; 428 asks for the code of an authenticator. */
export const signIn = async (client: Client, entry: PasswordEntry): Promise<Answer<Session>> => {
  const answer = await client.ask((api) => api.session.$post({ json: entry }))
  return answer.ok ? { ok: true, value: signedIn(answer.value) } : answer
}

/** Signs in with the admin token; whoever holds it is admin of every tenant, under the name that they say. */
export const signInWithToken = async (client: Client, token: string, name: string): Promise<Answer<Session>> => {
  const answer = await client.ask((api) =>
    api.session.token.$post({ json: { token, ...(name === '' ? {} : { name }) } }),
  )
  return answer.ok ? { ok: true, value: signedIn(answer.value) } : answer
}

/** Signs in by the link with this secret. */
export const signInByLink = async (client: Client, secret: string): Promise<Answer<Session>> => {
  const answer = await client.ask((api) => api.session.link.$post({ json: { secret } }))
  return answer.ok ? { ok: true, value: signedIn(answer.value) } : answer
}

/** Takes the secret of a link of `countersign admin open` out of the address, where neither history nor shoulder finds it. */
export const takeLinkSecret = (): string | undefined => {
  const secret = new URLSearchParams(location.hash.slice(1)).get('sign-in')
  if (secret === null) return undefined
  history.replaceState(null, '', `${location.pathname}${location.search}`)
  return secret
}
