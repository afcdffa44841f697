// Signing in and out. Nobody is an operator yet who comes here, so nothing here says whether a name exists, and every
// try is counted before it is looked at.
import { Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { wrongCodeWords } from '../../operators/approval-factor.ts'
import { recordAct } from '../../operators/operator-record.ts'
import type { Account, Store } from '../../store/store.ts'
import { factorOf, operatorOf } from '../operators/approver.ts'
import { createOidcApi, oidcLogin, type OidcOptions } from './oidc-api.ts'
import { body } from '../operators/operator-input.ts'
import { addressOf } from '../address-of.ts'
import { refuseApi, type ApiRefusal } from '../refusal.ts'
import { findOperator, type Operator, type OperatorDoors } from '../operators/operator.ts'
import { beginSession, csrfMissing, endSession, knownAccount, sessionOf, type SessionOptions } from './session.ts'
import { csrfOf, hasCsrf } from './session-cookies.ts'
import { signIn, type SignIn } from './sign-in.ts'
import { isoTime } from '../iso-time.ts'

export interface SessionApiOptions extends SessionOptions {
  readonly store: Pick<Store, 'operators' | 'activityLog' | 'secondFactor'>
  readonly doors: OperatorDoors
  readonly oidc?: OidcOptions | undefined
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

/** The app at `/api/v1/session`. */
export function createSessionApi(options: SessionApiOptions) {
  const { store, doors, oidc } = options
  /** How one can sign in here; with name and password only once somebody has an account. */
  const waysIn = async () => ({
    password: await store.operators.accounts.any(),
    oidc: oidc === undefined ? null : oidcLogin(oidc),
  })
  const app = new Hono()
    .use(async (c, next) => {
      await next()
      c.res.headers.set('cache-control', 'no-store')
    })
    .get('/', async (c) => {
      const operator = await findOperator(doors, c)
      if (operator instanceof Response) return operator
      if (operator === undefined) return refuseApi(401, signedOut, { login: await waysIn() })
      const session = operator.via === 'admin-token' ? undefined : await sessionOf(c, options)
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
      const value = await beginSession(c, options, result.account, 'session')
      return c.json(await sessionView(store, operatorOf(result.account, 'session'), value), 200)
    })
    .delete('/', async (c) => {
      const session = await sessionOf(c, options)
      if (session === undefined) return c.json({ signed_out: true })
      if (!hasCsrf(c, session.value)) return csrfMissing()
      await endSession(c, options, session.value)
      await noteOut(store, session.account, session.via)
      return c.json({ signed_out: true })
    })
  if (oidc !== undefined) app.route('/oidc', createOidcApi({ ...options, oidc }))
  return app
}

const noteOut = ({ activityLog }: SessionApiOptions['store'], account: Account, via: string): Promise<void> =>
  recordAct(activityLog, { who: account.name, tenant: account.tenant, via, act: 'operator.signed_out', done: true })

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

function refused(result: Exclude<SignIn, { kind: 'in' }>, login: object): ApiRefusal<401 | 428 | 429> {
  const answer = (
    status: 401 | 428 | 429,
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
