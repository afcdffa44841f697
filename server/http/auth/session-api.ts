// Signing in and out. Nobody is an operator yet who comes here, so nothing here says whether a name exists, and every try
// of a password is counted before it is looked at. Wrong tokens and links are on record, and pause nobody: what is made by
// chance has 256 bits, and whoever chooses a token of their own chooses a long one (ADR 88).
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { wrongCodeWords } from '../../operators/approval-factor.ts'
import { beginAct, recordAct } from '../../operators/operator-record.ts'
import type { Store } from '../../store/store.ts'
import { factorOf, operatorOf } from '../operators/approver.ts'
import { createOidcApi, oidcLogin, type OidcOptions } from './oidc-api.ts'
import { body, nameSchema, query } from '../operators/operator-input.ts'
import { addressOf } from '../address-of.ts'
import { refuseApi, type ApiRefusal } from '../refusal.ts'
import { findOperator, tokenOperator, type Operator, type OperatorDoors } from '../operators/operator.ts'
import { proofOf, type AdminTokenKind } from './admin-token.ts'
import { bearerOf, sameSecret } from './bearer.ts'
import {
  beginSession,
  csrfMissing,
  endSession,
  holderOf,
  knownAccount,
  sessionOf,
  type SessionOptions,
} from './session.ts'
import { csrfOf, hasCsrf } from './session-cookies.ts'
import { signIn, type SignIn } from './sign-in.ts'
import { isoTime } from '../iso-time.ts'

export interface SessionApiOptions extends SessionOptions {
  readonly store: Pick<Store, 'operators' | 'activityLog' | 'secondFactor'>
  readonly doors: OperatorDoors
  readonly oidc?: OidcOptions | undefined
  /** Where the admin token stands; whoever signs in is told where to look for it. */
  readonly adminTokenKind: AdminTokenKind
  /** Under which address people reach this server: `http.public_url`, or where it listens. */
  readonly pagesUrl: () => string
  readonly report: (error: unknown, where: string) => string
}

const credentials = z.strictObject({
  name: z.string('a name').min(1, 'a name').max(200, 'a name of at most 200 characters'),
  password: z.string('a password').min(1, 'a password').max(1000, 'a password of at most 1000 characters'),
  code: z
    .string()
    .regex(/^[\d\s-]{6,12}$/, 'the six digits of an authenticator')
    .optional(),
})

const withToken = z.strictObject({
  token: z.string('the admin token').min(1, 'the admin token').max(4000, 'at most 4000 characters'),
  /** For the record. */
  name: nameSchema.optional(),
})

const withLink = z.strictObject({ secret: z.string('the secret of the link').max(100, 'at most 100 characters') })

const asked = z.strictObject({
  challenge: z.string('a text').regex(/^[\w-]{20,100}$/, '20 to 100 letters, digits, - and _'),
})

/** The app at `/api/v1/session`. */
export function createSessionApi(options: SessionApiOptions) {
  const { store, doors, oidc } = options
  /** How one can sign in here; with name and password only once somebody has one. */
  const waysIn = async () => ({
    password: await store.operators.accounts.anyPassword(),
    oidc: oidc === undefined ? null : oidcLogin(oidc),
    admin_token: options.adminTokenKind,
  })
  const enterWithToken = async (c: Context, said: string, by: 'token' | 'link') => {
    const { credential } = options
    if (credential === undefined) throw new Error('Somebody signs in with an admin token that there is not.')
    const operator = tokenOperator(said)
    const { name, via } = operator
    const value = await beginSession(c, options, { via: 'admin-token', name, credential })
    const details = { address: addressOf(c, options.publicUrl), by }
    await recordAct(store.activityLog, {
      who: name,
      tenant: undefined,
      via,
      act: 'operator.signed_in',
      done: true,
      details,
    })
    return c.json(await sessionView(store, operator, value), 200)
  }
  /** A wrong token or link, with nothing of what was sent as one. */
  const noteRefused = async (c: Context, by: 'token' | 'link', why: string, said?: string): Promise<void> => {
    const address = addressOf(c, options.publicUrl)
    const worth = await store.operators.guesses.refused(address)
    if (worth === 'no line') return
    const { name: who, tenant, via } = tokenOperator(said)
    const more = worth === 'last line' ? { more: 'not recorded for a while' } : {}
    const details = { address, by, why, ...more }
    await recordAct(store.activityLog, { who, tenant, via, act: 'operator.signed_in', done: false, details })
  }
  const app = new Hono()
    .use(async (c, next) => {
      await next()
      c.res.headers.set('cache-control', 'no-store')
    })
    .get('/', async (c) => {
      const operator = await findOperator(doors, c)
      if (operator instanceof Response) return operator
      if (operator === undefined) return refuseApi(401, signedOut, { login: await waysIn() })
      // Who brings the token itself needs no session, whatever cookie comes along.
      const session = bearerOf(c.req.raw) === undefined ? await sessionOf(c, options) : undefined
      return c.json(await sessionView(store, operator, session?.value), 200)
    })
    .post('/', jsonOnly, body(credentials), async (c) => {
      const device = knownAccount(c, options)
      const result = await signIn(store, {
        ...c.req.valid('json'),
        address: addressOf(c, options.publicUrl),
        device,
        via: 'session',
      })
      if (result.kind !== 'in') return refused(result, await waysIn())
      const value = await beginSession(c, options, { via: 'session', account: result.account })
      return c.json(await sessionView(store, operatorOf(result.account, 'session'), value), 200)
    })
    .post('/token', jsonOnly, body(withToken), async (c) => {
      const { token, name = '' } = c.req.valid('json')
      if (doors.adminToken === undefined || !sameSecret(token, doors.adminToken)) {
        await noteRefused(c, 'token', 'wrong admin token', name)
        return refuseApi(401, wrongToken, { login: await waysIn() })
      }
      return await enterWithToken(c, name, 'token')
    })
    .post('/link', jsonOnly, body(withLink), async (c) => {
      const { credential } = options
      const used =
        credential === undefined
          ? ({ kind: 'unknown' } as const)
          : await store.operators.signInLinks.use(c.req.valid('json').secret, credential)
      if (used.kind === 'opened') return await enterWithToken(c, used.name, 'link')
      const { message } = linkWords[used.kind]
      await noteRefused(c, 'link', message)
      return refuseApi(401, { code: `link-${used.kind}`, ...linkWords[used.kind] }, { login: await waysIn() })
    })
    .get('/link/proof', query(asked), (c) => {
      const { credential, pagesUrl } = options
      const { origin } = new URL(pagesUrl())
      const proof = credential === undefined ? null : proofOf(credential, c.req.valid('query').challenge, origin)
      return c.json({ origin, proof })
    })
    .delete('/others', async (c) => {
      const session = await sessionOf(c, options)
      if (session?.via !== 'admin-token') return refuseApi(401, notWithToken)
      if (!hasCsrf(c, session.value)) return csrfMissing()
      const { name: who, tenant, via } = holderOf(session)
      const end = await beginAct(store.activityLog, { who, tenant, via, act: 'operator.other_sessions_ended' })
      const ended = await store.operators.sessions.endOtherTokenSessions(session.value)
      await end({ done: true, result: { ended } })
      return c.json({ ended })
    })
    .delete('/', async (c) => {
      const session = await sessionOf(c, options)
      if (session === undefined) return c.json({ signed_out: true })
      if (!hasCsrf(c, session.value)) return csrfMissing()
      await endSession(c, options, session.value)
      await noteOut(store, holderOf(session))
      return c.json({ signed_out: true })
    })
  if (oidc !== undefined) app.route('/oidc', createOidcApi({ ...options, oidc }))
  return app
}

const noteOut = (
  { activityLog }: SessionApiOptions['store'],
  { name: who, tenant, via }: Pick<Operator, 'name' | 'tenant' | 'via'>,
): Promise<void> => recordAct(activityLog, { who, tenant, via, act: 'operator.signed_out', done: true })

const notWithToken = {
  code: 'unauthorized',
  message: 'This is no session with the admin token.',
  next: 'POST /api/v1/session/token opens one. The sessions of an account are ended at its account.',
}

const wrongToken = {
  code: 'wrong-token',
  message: 'This is not the admin token of this server.',
  next: 'It stands in the file, or the variable COUNTERSIGN_ADMIN_TOKEN, that the server names when it starts. `countersign admin open` signs in without it.',
}

const anotherLink = 'Run `countersign admin open` for another one.'

/** What is said of a link that does not sign in. */
const linkWords = {
  used: { message: 'This link was used already: it signs in once.', next: anotherLink },
  expired: { message: 'This link is too old: it signs in for five minutes.', next: anotherLink },
  unknown: {
    message: 'This server does not know this link: it may be another server’s, or the admin token was changed since.',
    next: anotherLink,
  },
} as const

const signedOut = {
  code: 'unauthorized',
  message: 'Nobody is signed in.',
  next: 'POST /api/v1/session with a name and a password, or send the admin token as `Authorization: Bearer …`.',
}

async function sessionView(store: SessionApiOptions['store'], operator: Operator, session: string | undefined) {
  const { name, tenant, roles, id, via } = operator
  return {
    operator: { name, via, tenant: tenant ?? null, roles, totp: await factorOf(store, id).enrolled() },
    ...(session === undefined ? {} : { csrf: csrfOf(session) }),
  }
}

/** A form of a strange page can send text, but no JSON without being asked first. */
const jsonOnly: MiddlewareHandler = async (c, next) =>
  /^application\/json\b/i.test(c.req.header('content-type') ?? '')
    ? next()
    : refuseApi(415, {
        code: 'not-json',
        message: 'The body must be JSON.',
        next: 'Send `Content-Type: application/json`.',
      })

function refused(result: Exclude<SignIn, { kind: 'in' }>, login: object): ApiRefusal<401 | 403 | 428 | 429> {
  const answer = (
    status: 401 | 403 | 428 | 429,
    code: string,
    message: string,
    next: string,
    headers: Record<string, string> = {},
  ) => refuseApi(status, { code, message, next }, { login }, headers)
  switch (result.kind) {
    case 'wrong':
      return answer(401, 'wrong-credentials', 'The name or the password is wrong.', 'Check both and try again.')
    case 'code-required':
      return answer(428, 'code-required', 'This account also takes a code.', 'Send it as `code`: six digits.')
    case 'code-wrong':
      return answer(401, 'wrong-code', ...wrongCodeWords(result))
    case 'code-unavailable':
      return answer(403, 'second-factor-unavailable', result.message, result.next)
    case 'paused': {
      const seconds = Math.max(1, Math.ceil((result.until - Date.now()) / 1000))
      return answer(
        429,
        'too-many-tries',
        'There were too many wrong tries; none is looked at now.',
        `Try again after ${isoTime(result.until)}.`,
        { 'retry-after': String(seconds) },
      )
    }
    default:
      return result satisfies never
  }
}
