// The pages' only way to the server: the routes of /api/v1 by their own types, with whatever credential the operator came
// in by. It keeps the credential in memory alone, tells the shell when it is no longer good, and learns the server's clock
// on the way, because a countdown by a wrong clock is a wrong promise.
import { hc, type ClientResponse } from 'hono/client'
import type { SuccessStatusCode } from 'hono/utils/http-status'
import type { AdminApi } from '../../server/http/app.ts'
import { readAnswer, type Answer } from './answer.ts'
import { listen, type Heard } from './events.ts'

/** How requests say who asks. */
export type Credential =
  | { readonly kind: 'none' }
  /** A cookie, which this code never sees, and the value that unsafe methods repeat. */
  | { readonly kind: 'session'; readonly csrf: string }

/** The server's routes: `api.approvals[':id'].$get({ param: { id } })`. */
export type Api = ReturnType<typeof hc<AdminApi>>

/** What a response holds where its route succeeds. */
export type Given<Response> =
  Response extends ClientResponse<infer Body, infer Status, 'json'>
    ? Status extends SuccessStatusCode
      ? Body
      : never
    : never

/** The same by the route: `Value<Api['tokens']['$get']>`. */
export type Value<Route extends (...args: never[]) => Promise<unknown>> = Given<Awaited<ReturnType<Route>>>

export type Query = Readonly<Record<string, string | undefined>>

export interface Client {
  /** Calls a route, and answers what it gives or why it does not. */
  ask<Response>(call: (api: Api) => Promise<Response>): Promise<Answer<Given<Response>>>
  /** Server-sent events of a path, until the function that it answers is called. Comes back by itself. */
  listen(path: string, heard: Heard): () => void
  /** The whole response, for downloads. */
  fetch(path: string, query?: Query): Promise<Response | undefined>
  /** Epoch milliseconds by the server's clock. */
  readonly now: () => number
}

interface ClientParts {
  readonly credential: () => Credential
  /** Told when a request was turned away for want of a credential. */
  readonly onSignedOut: () => void
  /** Told when the session is another one than these pages know: somebody signed in in another tab. */
  readonly onOtherSession: () => void
  /** Told of every request whether the server was there. */
  readonly onReached: (reached: boolean) => void
}

export const base = '/api/v1'

/** `/api/v1` + path, with the parts of the query that have a value. */
export const address = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return `${base}${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

/** `hc` puts what a path names into it as it is; here it is encoded, so that no name can lead to another address. */
const encoded = <Node extends object>(node: Node): Node =>
  new Proxy(node, {
    get: (target, key, receiver) => {
      const next: unknown = Reflect.get(target, key, receiver)
      return typeof next === 'function' ? encoded(next) : next
    },
    apply: (target, self, [args, options]: [{ readonly param?: Readonly<Record<string, string>> }?, unknown?]) => {
      const param = Object.entries(args?.param ?? {}).map(([name, value]) => [name, encodeURIComponent(value)])
      return Reflect.apply(target as () => unknown, self, [{ ...args, param: Object.fromEntries(param) }, options])
    },
  })

export const createClient = ({ credential, onSignedOut, onOtherSession, onReached }: ClientParts): Client => {
  let ahead = 0

  const headers = (unsafe: boolean): Record<string, string> => {
    const given = credential()
    return given.kind === 'session' && unsafe ? { 'x-countersign-csrf': given.csrf } : {}
  }

  const learn = (response: Response): void => {
    const date = Date.parse(response.headers.get('date') ?? '')
    // The header has whole seconds, and the answer took a moment; less than that is no difference.
    if (!Number.isNaN(date)) ahead = Math.abs(date - Date.now()) > 3_000 ? date - Date.now() : 0
  }

  /** @throws what `fetch` throws where the server is not reached. */
  const send: typeof fetch = async (input, init) => {
    const all = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers((init?.method ?? 'GET') !== 'GET'))) all.set(name, value)
    const response = await fetch(input, { ...init, headers: all, credentials: 'same-origin', cache: 'no-store' }).catch(
      (error: unknown) => {
        onReached(false)
        throw error
      },
    )
    learn(response)
    onReached(true)
    if (response.status === 401) onSignedOut()
    return response
  }

  const api: Api = encoded(hc<AdminApi>(base, { fetch: send }))
  const reach = (path: string, query?: Query) => send(address(path, query)).catch(() => undefined)

  return {
    ask: async <Given>(call: (api: Api) => Promise<unknown>) => {
      const response = await call(api).catch(() => undefined)
      if (!(response instanceof Response)) return { ok: false, trouble: { kind: 'offline' } }
      const answer = await readAnswer<Given>(response)
      if (answer.ok || answer.trouble.kind !== 'refused' || answer.trouble.code !== 'csrf') return answer
      onOtherSession()
      const next = 'This page knows it now; look who is signed in, then try again.'
      return { ok: false, trouble: { ...answer.trouble, message: 'Somebody signed in in another tab.', next } }
    },
    fetch: reach,
    listen: (path, heard) => listen({ open: () => reach(path) }, heard),
    now: () => Date.now() + ahead,
  }
}
