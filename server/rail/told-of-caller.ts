// What a program's own code is told of a caller: copies that cannot be changed. A plan is stored for the caller and compared by
// it, so code that could write into it would decide for whom a person signs.
import type { Principal } from '../model/principal.ts'
import type { RequestContext } from '../tools/contract.ts'
import type { Caller } from './engine.ts'

/** Who calls, with their claims. */
export const principalOf = ({ principal, claims }: Pick<Caller, 'principal' | 'claims'>): Principal =>
  frozenCopy(claims === undefined ? principal : { ...principal, claims })

/** The request that brought a call, with the name of the client. */
export const requestOf = ({ request, client }: Caller): RequestContext | undefined =>
  request === undefined ? undefined : copyOfRequest(request, client)

/** Aborts when the call is cancelled, or nobody is there any more who could hear its answer. Not for what runs to its end. */
export const waitingSignal = ({ request }: Pick<Caller, 'request'>, cancelled: AbortSignal): AbortSignal =>
  request?.signal === undefined ? cancelled : AbortSignal.any([cancelled, request.signal])

/** Headers cannot be frozen, so whoever gets a request gets their own. */
export const copyOfRequest = (
  { headers, url, method }: Omit<RequestContext, 'client'>,
  client: string,
): RequestContext => Object.freeze({ headers: new Headers(headers), url, method, client })

/** A copy of plain data that nobody can change, at any depth. */
export function frozenCopy<T>(value: T): T
export function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((each: unknown) => frozenCopy(each)))
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, frozenCopy(each)])))
}
