// From a request's cookie to the operator behind it. A cookie travels by itself, also where a strange page made the
// browser send it; so whatever changes something must also carry what only a page of ours can know.
import type { Context } from 'hono'
import { z } from 'zod'
import type { Account, Operators, Session } from '../../store/store.ts'
import { operatorOf } from '../operators/approver.ts'
import { tokenOperator, type Operator, type SessionCheck } from '../operators/operator.ts'
import { refuseApi, type ApiRefusal } from '../refusal.ts'
import { hasCsrf, openFrom, readCookie, sealInto, writeCookie, type CookieOptions } from './session-cookies.ts'

export interface SessionOptions extends CookieOptions {
  readonly operators: Operators
  /** The admin token as sessions are bound to it (`credentialOf`); `undefined` where there is none. */
  readonly credential: string | undefined
  /** How long a sign-in lasts, in hours. */
  readonly hours: number
}

const shape = /^[\w-]{43}$/
const safe: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const knownSeconds = 180 * 24 * 3600

type FoundSession = Session & { readonly value: string }

/** The session that a request comes with. One with the admin token ends with that token. */
export async function sessionOf(c: Context, options: SessionOptions): Promise<FoundSession | undefined> {
  const value = readCookie(c, 'session', options)
  if (value === undefined || !shape.test(value)) return undefined
  const found = await options.operators.sessions.find(value)
  if (found?.via === 'admin-token' && found.credential !== options.credential) return undefined
  return found === undefined ? undefined : { ...found, value }
}

/** Whose session it is. */
export const holderOf = (session: Session): Operator =>
  session.via === 'admin-token' ? tokenOperator(session.name) : operatorOf(session.account, session.via)

/** How `requireOperator` knows who has a session. */
export const sessionCheck =
  (options: SessionOptions): SessionCheck =>
  async (c) => {
    const session = await sessionOf(c, options)
    if (session === undefined) return undefined
    if (!safe.includes(c.req.method) && !hasCsrf(c, session.value)) return csrfMissing()
    return holderOf(session)
  }

/** The refusal of a change that may have come from a strange page. */
export const csrfMissing = (): ApiRefusal<403> =>
  refuseApi(
    403,
    {
      code: 'csrf',
      message: 'The request has no valid X-Countersign-Csrf header.',
      next: 'GET /api/v1/session says its value. Reload the page.',
    },
    {},
    { 'cache-control': 'no-store' },
  )

/** Who signs in: a person with an account, or whoever holds the admin token, under the name that they say. */
type SigningIn =
  | { readonly via: 'session' | 'oidc'; readonly account: Account }
  | { readonly via: 'admin-token'; readonly name: string; readonly credential: string }

/**
 * Opens a session for this person and ends the one that the browser had. The value is always a new one, never one that
 * came with the request: whoever planted a cookie has planted nothing.
 */
export async function beginSession(c: Context, options: SessionOptions, who: SigningIn): Promise<string> {
  const { operators, hours } = options
  const { sessions } = operators
  const before = readCookie(c, 'session', options)
  if (before !== undefined && shape.test(before)) await sessions.end(before)
  const lastsMs = hours * 3_600_000
  const { value } = await (who.via === 'admin-token'
    ? sessions.openWithToken({ name: who.name, credential: who.credential }, lastsMs)
    : sessions.open(who.account.id, who.via, lastsMs))
  writeCookie(c, 'session', options, value, Math.floor(hours * 3600))
  if (who.via !== 'admin-token')
    writeCookie(c, 'known', options, sealInto(operators, 'known', { account: who.account.id }), knownSeconds)
  return value
}

/** Ends it, in the browser and everywhere. */
export async function endSession(c: Context, options: SessionOptions, value: string): Promise<void> {
  await options.operators.sessions.end(value)
  writeCookie(c, 'session', options, '', 0)
}

const known = z.object({ account: z.string() })

/** The account whose browser this is known to be: somebody has signed in here before. */
export function knownAccount(c: Context, options: SessionOptions): string | undefined {
  const parsed = known.safeParse(openFrom(options.operators, 'known', readCookie(c, 'known', options)))
  return parsed.success ? parsed.data.account : undefined
}
