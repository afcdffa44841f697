// A cookie is sent to every port of its host, and two servers on one machine must not sign each other's operators out:
// on plain http its name carries the port. Behind https it has the prefix that makes browsers refuse it from anywhere
// but this very origin (RFC 6265bis, section 4.1.3.2).
import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Operators } from '../../store/store.ts'
import { sameSecret } from './bearer.ts'

export interface CookieOptions {
  /** Where people reach this server; decides whether cookies are for https alone. */
  readonly publicUrl?: string | undefined
}

type CookieKind = 'session' | 'known' | 'sign-in'

/** Only the cookie of a sign-in under way comes along when another site sends the browser here: it must, and knows nothing. */
const sameSite = { session: 'Strict', known: 'Strict', 'sign-in': 'Lax' } as const
const plainNames = {
  session: 'countersign_session',
  known: 'countersign_known',
  'sign-in': 'countersign_sign_in',
} as const
const hostNames = {
  session: '__Host-countersign',
  known: '__Host-countersign-known',
  'sign-in': '__Host-countersign-sign-in',
} as const

const isSecure = ({ publicUrl }: CookieOptions): boolean => publicUrl?.startsWith('https://') === true

/** The name of a cookie of ours at the address by which this request came. */
const cookieName = (c: Context, kind: CookieKind, options: CookieOptions): string =>
  isSecure(options) ? hostNames[kind] : `${plainNames[kind]}_${portOf(c, options)}`

/** The port that the browser knows; a proxy may ask for another one, so the settings come first. */
function portOf(c: Context, { publicUrl }: CookieOptions): string {
  if (publicUrl !== undefined) return new URL(publicUrl).port || '80'
  const port = /:(\d+)$/.exec(c.req.header('host') ?? '')?.[1]
  return port ?? (new URL(c.req.url).port || '80')
}

export const readCookie = (c: Context, kind: CookieKind, options: CookieOptions): string | undefined =>
  getCookie(c, cookieName(c, kind, options))

/** Sets a cookie for so many seconds; 0 takes it away. */
export const writeCookie = (
  c: Context,
  kind: CookieKind,
  options: CookieOptions,
  value: string,
  seconds: number,
): void =>
  setCookie(c, cookieName(c, kind, options), value, {
    httpOnly: true,
    sameSite: sameSite[kind],
    secure: isSecure(options),
    path: '/',
    maxAge: seconds,
  })

/** What a page must send back in a header with every change: it can be read by a page of ours and by nobody else's. */
export const csrfOf = (session: string): string => createHmac('sha256', session).update('csrf').digest('base64url')

/** The header for it. */
const csrfHeader = 'x-countersign-csrf'

/** Whether a request that comes with this session also comes from a page of ours. */
export const hasCsrf = (c: Context, session: string): boolean => sameSecret(c.req.header(csrfHeader), csrfOf(session))

/** Puts something into a cookie that only this database's processes can read or make. */
export const sealInto = ({ sealer }: Pick<Operators, 'sealer'>, kind: CookieKind, value: unknown): string =>
  Buffer.from(sealer.seal('cookie', kind, JSON.stringify(value))).toString('base64url')

/** What `sealInto` made; `undefined` for anything else. */
export function openFrom({ sealer }: Pick<Operators, 'sealer'>, kind: CookieKind, text: string | undefined): unknown {
  if (text === undefined || text.length > 4000) return undefined
  try {
    return JSON.parse(sealer.open('cookie', kind, Buffer.from(text, 'base64url')))
  } catch {
    return undefined
  }
}
