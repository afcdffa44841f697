// Who is signed in. The server answers that at GET /session; what it says decides between the pages and the sign-in. The
// admin token is the way in of a fresh installation, before there is any account: it is held in memory and gone with the
// tab, and never written anywhere.
import { hc } from 'hono/client'
import type { AdminApi } from '../../server/http/app.ts'
import type { Answer } from './answer.ts'
import { base, tokenHeaders, type Api, type Client, type Credential, type Value } from './client.ts'
import type { OperatorView } from './context.ts'

/** How one can sign in here. */
export interface Login {
  readonly password: boolean
  readonly oidc: { readonly label: string; readonly url: string } | null
}

export type Session =
  | { readonly at: 'starting' }
  | { readonly at: 'unreachable' }
  | {
      readonly at: 'out'
      readonly login: Login
      /** Somebody was signed in until just now; what they looked at stays. */
      readonly expired: boolean
    }
  | { readonly at: 'in'; readonly operator: OperatorView; readonly credential: Credential }

const plainLogin: Login = { password: true, oidc: null }

/** Without a credential of these pages: a cookie comes along by itself. */
const { session } = hc<AdminApi>(base, { init: { credentials: 'same-origin', cache: 'no-store' } })

const signedIn = ({ operator, csrf = '' }: Value<Api['session']['$get']>): Session => ({
  at: 'in',
  operator,
  credential: { kind: 'session', csrf },
})

/** Asks who is signed in. `expired` is said on to the sign-in. */
export const askSession = async (expired: boolean): Promise<Session> => {
  try {
    const response = await session.$get()
    if (response.status === 200) return signedIn(await response.json())
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

/** Tries an admin token; whoever holds it is admin of every tenant, under the name that they say. */
export const tryToken = async (token: string, name: string): Promise<Session | 'wrong'> => {
  try {
    const response = await session.$get({}, { headers: tokenHeaders({ token, name }) })
    if (response.status !== 200) return 'wrong'
    const { operator } = await response.json()
    return { at: 'in', operator, credential: { kind: 'token', token, name } }
  } catch {
    return { at: 'unreachable' }
  }
}
