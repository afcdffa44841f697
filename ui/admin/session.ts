// Who is at the desk. The server answers that at GET /session; what it says decides between the pages and the sign-in.
// The admin token is the way in of a fresh installation, before there is any account: it is held in memory and gone with
// the tab, and never written anywhere.
import type { Answer } from './answer.ts'
import { tokenHeaders, type Client, type Credential } from './client.ts'
import type { OperatorView } from './desk.ts'

/** `GET /session` and a successful `POST /session`. */
interface SessionView {
  readonly operator: OperatorView
  readonly csrf?: string
}

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

export type SessionEvent =
  | { readonly type: 'in'; readonly operator: OperatorView; readonly credential: Credential }
  | { readonly type: 'out'; readonly login: Login; readonly expired: boolean }
  | { readonly type: 'unreachable' }
  | { readonly type: 'starting' }

export const reduceSession = (_: Session, event: SessionEvent): Session => {
  switch (event.type) {
    case 'in':
      return { at: 'in', operator: event.operator, credential: event.credential }
    case 'out':
      return { at: 'out', login: event.login, expired: event.expired }
    case 'unreachable':
      return { at: 'unreachable' }
    case 'starting':
      return { at: 'starting' }
    default:
      return event satisfies never
  }
}

const plainLogin: Login = { password: true, oidc: null }

interface Refusal {
  readonly login?: Partial<Login>
}

const loginOf = (body: unknown): Login => {
  const given = (body as Refusal | undefined)?.login
  return given === undefined ? plainLogin : { password: given.password !== false, oidc: given.oidc ?? null }
}

/** Asks who is signed in. `expired` is said on to the sign-in. */
export const askSession = async (expired: boolean): Promise<SessionEvent> => {
  try {
    const response = await fetch('/api/v1/session', { credentials: 'same-origin', cache: 'no-store' })
    const body = (await response.json().catch(() => undefined)) as unknown
    if (!response.ok) return { type: 'out', login: loginOf(body), expired }
    const { operator, csrf = '' } = body as SessionView
    return { type: 'in', operator, credential: { kind: 'session', csrf } }
  } catch {
    return { type: 'unreachable' }
  }
}

export interface PasswordEntry {
  readonly name: string
  readonly password: string
  readonly code?: string
}

/** Signs in with name and password; 428 asks for the code of an authenticator. */
export const signIn = async (client: Client, entry: PasswordEntry): Promise<Answer<SessionEvent>> => {
  const answer = await client.post<SessionView>('/session', entry)
  if (!answer.ok) return answer
  const { operator, csrf = '' } = answer.value
  return { ok: true, value: { type: 'in', operator, credential: { kind: 'session', csrf } } }
}

/** Tries an admin token; whoever holds it is admin of every tenant, under the name that they say. */
export const tryToken = async (token: string, name: string): Promise<SessionEvent | 'wrong'> => {
  try {
    const response = await fetch('/api/v1/session', { headers: tokenHeaders({ token, name }), cache: 'no-store' })
    if (!response.ok) return 'wrong'
    const { operator } = (await response.json()) as SessionView
    return { type: 'in', operator, credential: { kind: 'token', token, name } }
  } catch {
    return { type: 'unreachable' }
  }
}
