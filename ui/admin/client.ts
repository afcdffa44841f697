// The pages' only way to the server: JSON over /api/v1, with whatever credential the operator came in by. It keeps the
// credential in memory alone, tells the shell when it is no longer good, and learns the server's clock on the way,
// because a countdown by a wrong clock is a wrong promise.
import { readAnswer, type Answer } from './answer.ts'
import { listen, type Heard } from './events.ts'

/** How requests say who asks. */
export type Credential =
  | { readonly kind: 'none' }
  /** A cookie, which this code never sees, and the value that unsafe methods repeat. */
  | { readonly kind: 'session'; readonly csrf: string }
  /** The admin token, for a fresh installation. */
  | { readonly kind: 'token'; readonly token: string; readonly name: string }

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Client {
  get<T>(path: string, query?: Query): Promise<Answer<T>>
  post<T>(path: string, body?: unknown): Promise<Answer<T>>
  patch<T>(path: string, body?: unknown): Promise<Answer<T>>
  remove<T>(path: string): Promise<Answer<T>>
  /** Server-sent events of a path, until the function that it answers is called. Comes back by itself. */
  listen(path: string, heard: Heard): () => void
  /** The whole response, for downloads. */
  fetch(path: string, query?: Query): Promise<Response | undefined>
  /** Epoch milliseconds by the server's clock. */
  now(): number
}

export interface ClientParts {
  readonly credential: () => Credential
  /** Told when a request was turned away for want of a credential. */
  readonly onSignedOut: () => void
  /** Told when the session is another one than these pages know: somebody signed in in another tab. */
  readonly onOtherSession: () => void
  /** Told of every request whether the server was there. */
  readonly onReached: (reached: boolean) => void
}

const base = '/api/v1'

/** `/api/v1` + path, with the parts of the query that have a value. */
export const address = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return `${base}${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

/** Whoever holds the token says who they are; the record keeps the name with what they decide. */
export const tokenHeaders = ({
  token,
  name,
}: {
  readonly token: string
  readonly name: string
}): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(name === '' ? {} : { 'x-countersign-approver': name }),
})

export const createClient = ({ credential, onSignedOut, onOtherSession, onReached }: ClientParts): Client => {
  let ahead = 0

  const headers = (unsafe: boolean): Record<string, string> => {
    const given = credential()
    if (given.kind === 'token') return tokenHeaders(given)
    return given.kind === 'session' && unsafe ? { 'x-countersign-csrf': given.csrf } : {}
  }

  const learn = (response: Response): void => {
    const told = Date.parse(response.headers.get('date') ?? '')
    // The header has whole seconds, and the answer took a moment; less than that is no difference.
    if (!Number.isNaN(told)) ahead = Math.abs(told - Date.now()) > 3_000 ? told - Date.now() : 0
  }

  const request = async (method: string, url: string, body?: unknown): Promise<Response | undefined> => {
    const unsafe = method !== 'GET'
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers(unsafe), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        credentials: 'same-origin',
        cache: 'no-store',
      })
      learn(response)
      onReached(true)
      if (response.status === 401) onSignedOut()
      return response
    } catch {
      onReached(false)
      return undefined
    }
  }

  const ask = async <T>(method: string, url: string, body?: unknown): Promise<Answer<T>> => {
    const response = await request(method, url, body)
    if (response === undefined) return { ok: false, trouble: { kind: 'offline' } }
    const answer = await readAnswer<T>(response)
    if (!answer.ok && answer.trouble.kind === 'refused' && answer.trouble.code === 'csrf') {
      onOtherSession()
      const next = 'This page knows it now; look who is signed in, then try again.'
      return { ok: false, trouble: { ...answer.trouble, message: 'Somebody signed in in another tab.', next } }
    }
    return answer
  }

  return {
    get: (path, query) => ask('GET', address(path, query)),
    post: (path, body = {}) => ask('POST', address(path), body),
    patch: (path, body = {}) => ask('PATCH', address(path), body),
    remove: (path) => ask('DELETE', address(path)),
    fetch: (path, query) => request('GET', address(path, query)),
    listen: (path, heard) => listen({ open: () => request('GET', address(path)) }, heard),
    now: () => Date.now() + ahead,
  }
}
